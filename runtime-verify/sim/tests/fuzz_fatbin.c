// SPDX-License-Identifier: MIT
// libFuzzer target: the reader of fat binaries takes any bytes and stays inside them.
#include "core/fatbin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SimParameter parameters[SIM_PARAMETERS_MOST];
    sim_fatbin_parameters(data, size, "k", parameters);
    sim_fatbin_initial(data, size, "v", sizeof(uint32_t));
    return 0;
}
