# SPDX-License-Identifier: MIT
# cudalint_check(TARGET [ALL] [OPTIONS OPTION...]): adds the target TARGET-cudalint, which runs cudalint over TARGET's C, C++
# and CUDA sources with the include folders, definitions and language standard that TARGET is built with. It fails on
# findings. ALL: make it part of every build.
function(cudalint_check target)
  cmake_parse_arguments(PARSE_ARGV 1 check "ALL" "" "OPTIONS")
  if(check_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cudalint_check(${target}): unknown arguments: ${check_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "cudalint_check: there is no target ${target}")
  endif()

  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "\\.(cu|c|cc|cpp|cxx)$")
  list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/$]")
  if(NOT sources)
    message(FATAL_ERROR "cudalint_check(${target}): it has no C, C++ or CUDA sources")
  endif()

  set(standard "$<TARGET_PROPERTY:${target},CUDA_STANDARD>")
  set(cxx_standard "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(all "")
  if(check_ALL)
    set(all ALL)
  endif()
  add_custom_target(${target}-cudalint ${all}
    COMMAND cudalint::cudalint ${check_OPTIONS} ${sources} --
      "$<$<BOOL:${standard}>:-std=c++${standard}>"
      "$<$<AND:$<NOT:$<BOOL:${standard}>>,$<BOOL:${cxx_standard}>>:-std=c++${cxx_standard}>"
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    COMMAND_EXPAND_LISTS VERBATIM
    COMMENT "Checking ${target} with cudalint")
endfunction()
