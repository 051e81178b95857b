// SPDX-License-Identifier: MIT
// The toolkit's headers that the tables are read from; preprocessed only.
#include <cuda.h>
#include <cuda_runtime_api.h>
#ifdef CUDALINT_HAS_CUPTI
#include <cupti.h>
#endif
