// SPDX-License-Identifier: MIT
// An old name of cusparse.h.
#pragma once
#pragma clang system_header
#include <cusparse.h>
