// SPDX-License-Identifier: MIT
// Declared by the preamble or the runtime API; here so that including it is no error.
#pragma once
#pragma clang system_header
