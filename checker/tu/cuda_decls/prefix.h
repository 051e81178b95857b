// SPDX-License-Identifier: MIT
// What is precompiled: the preamble and the C++ headers that real code includes most. Rarer ones (<random>, <thread>, <complex>)
// are left out: clang looks at every function of a precompiled header at the end of every CUDA file, needed or not.
#pragma once
#include "preamble.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>
