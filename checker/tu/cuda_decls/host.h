// SPDX-License-Identifier: MIT
// What tells a file that the host's compiler compiles from one that nvcc does, for code that asks.
#undef __CUDACC__
