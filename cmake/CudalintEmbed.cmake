# SPDX-License-Identifier: MIT
# cudalint_embed(target symbol root pattern...): compiles the files below `root` that match into `target` as the
# tables `symbol` and `symbol_count` of checker/base/embed.h.
set(CUDALINT_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/Embed.cmake")

function(cudalint_embed target symbol root)
  set(globs "")
  foreach(pattern IN LISTS ARGN)
    list(APPEND globs "${root}/${pattern}")
  endforeach()
  file(GLOB_RECURSE files RELATIVE "${root}" CONFIGURE_DEPENDS ${globs})
  list(SORT files)
  list(JOIN files "\n" lines)
  set(list_file "${CMAKE_CURRENT_BINARY_DIR}/generated/${symbol}.list")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/generated/${symbol}.c")
  file(CONFIGURE OUTPUT "${list_file}" CONTENT "${lines}\n" @ONLY)
  list(TRANSFORM files PREPEND "${root}/")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -DOUTPUT=${output} -DSYMBOL=${symbol} -DROOT=${root} -DLIST=${list_file}
      -P "${CUDALINT_EMBED_SCRIPT}"
    DEPENDS ${files} "${list_file}" "${CUDALINT_EMBED_SCRIPT}"
    COMMENT "Embedding ${symbol}" VERBATIM)
  set_source_files_properties("${output}" PROPERTIES COMPILE_OPTIONS "-Wno-overlength-strings")
  target_sources(${target} PRIVATE "${output}")
endfunction()
