# SPDX-License-Identifier: MIT
# Finds libclang's C API, version 17 or newer (clang_getCursorBinaryOperatorKind first appears there), newest first.
# Defines LibClang::LibClang and LibClang_VERSION_MAJOR. LibClang_ROOT names another LLVM to look in first.
set(_libclang_roots "")
foreach(_version RANGE 17 22)
  list(PREPEND _libclang_roots "/usr/lib/llvm-${_version}" "/usr/lib64/llvm${_version}")
endforeach()
# 19 is what the tests run with: prefer it where several are installed.
list(PREPEND _libclang_roots "/usr/lib/llvm-19")

find_path(LibClang_INCLUDE_DIR clang-c/Index.h
  HINTS ${LibClang_ROOT} PATHS ${_libclang_roots} PATH_SUFFIXES include NO_DEFAULT_PATH)
find_path(LibClang_INCLUDE_DIR clang-c/Index.h)
get_filename_component(_libclang_root "${LibClang_INCLUDE_DIR}" DIRECTORY)
find_library(LibClang_LIBRARY NAMES clang HINTS "${_libclang_root}/lib" "${_libclang_root}/lib64" NO_DEFAULT_PATH)
find_library(LibClang_LIBRARY NAMES clang clang-19 clang-18 clang-17)

if(LibClang_INCLUDE_DIR)
  # The C API has a minor version of its own: 64 in LLVM 17 and since.
  file(STRINGS "${LibClang_INCLUDE_DIR}/clang-c/Index.h" _libclang_minor REGEX "#define CINDEX_VERSION_MINOR ")
  string(REGEX REPLACE ".*MINOR +" "" LibClang_API_MINOR "${_libclang_minor}")
  file(STRINGS "${LibClang_INCLUDE_DIR}/clang-c/Index.h" _libclang_has_operator_kind REGEX "clang_getCursorBinaryOperatorKind")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibClang
  REQUIRED_VARS LibClang_LIBRARY LibClang_INCLUDE_DIR _libclang_has_operator_kind
  REASON_FAILURE_MESSAGE "cudalint needs libclang 17 or newer (Debian: libclang-19-dev)")
mark_as_advanced(LibClang_INCLUDE_DIR LibClang_LIBRARY)

if(LibClang_FOUND AND NOT TARGET LibClang::LibClang)
  add_library(LibClang::LibClang UNKNOWN IMPORTED)
  set_target_properties(LibClang::LibClang PROPERTIES
    IMPORTED_LOCATION "${LibClang_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LibClang_INCLUDE_DIR}")
endif()
