# Builds examples/own_backend in one of three ways, runs it, and demands that its bug is found.
cmake_minimum_required(VERSION 3.25)

set(work ${BUILD_DIR}/consumer/${WAY})
file(REMOVE_RECURSE ${work})
set(options -G Ninja -D CMAKE_BUILD_TYPE=${BUILD_TYPE} -D CMAKE_CXX_COMPILER=${COMPILER})

if(WAY STREQUAL find_package)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND options -D CMAKE_PREFIX_PATH=${work}/prefix)
elseif(WAY STREQUAL FetchContent)
  list(APPEND options -D SHARDCHECK_FETCH=${SOURCE_DIR})
else()
  list(APPEND options -D SHARDCHECK_ADD=${SOURCE_DIR})
endif()

execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE_DIR}/examples/own_backend -B ${work}/build ${options}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build --target own_backend_test
  COMMAND_ERROR_IS_FATAL ANY)

execute_process(COMMAND ${work}/build/own_backend_test
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(code EQUAL 0)
  message(FATAL_ERROR "the bug of own_backend was not found")
endif()
if(NOT output MATCHES "fail ownership/")
  message(FATAL_ERROR "the bug of own_backend was not named by the invariant ownership")
endif()
if(NOT output MATCHES "mesh=x3 i=4 j=1 k=0")
  message(FATAL_ERROR "the failing case was not made as small as it can be")
endif()
