# SPDX-License-Identifier: MIT
# cmake -DCUDALINT=… -DSTAGE=ir -DFILE=x.cu -DEXPECTED=x.ir -DOUTPUT=… [-DACCEPT=ON] -P golden.cmake
# Compares the stage's dump of FILE with EXPECTED, or rewrites EXPECTED.
get_filename_component(folder "${OUTPUT}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND "${CUDALINT}" --dump=${STAGE} "${FILE}" OUTPUT_FILE "${OUTPUT}" ERROR_VARIABLE errors RESULT_VARIABLE code)
if(code)
  message(FATAL_ERROR "cudalint --dump=${STAGE} ${FILE} exited with ${code}\n${errors}")
endif()
if(ACCEPT)
  file(COPY_FILE "${OUTPUT}" "${EXPECTED}" ONLY_IF_DIFFERENT)
  return()
endif()
execute_process(COMMAND diff -u "${EXPECTED}" "${OUTPUT}" OUTPUT_VARIABLE difference RESULT_VARIABLE code)
if(code)
  message(FATAL_ERROR "${FILE}: the dump differs; `cmake --build build --target accept` takes the new one\n${difference}")
endif()
