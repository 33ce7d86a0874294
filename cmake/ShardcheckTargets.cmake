# What all our targets have in common.

# Meaning, not taste: a product and a sum that are fused round once instead of twice.
function(shardcheck_set_meaning target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE -ffp-contract=off)
endfunction()

# Sets ${root} to a folder to search for headers, in which <shardcheck/FOLDER/...> is that folder.
function(shardcheck_include_root name folder root)
  set(path ${PROJECT_BINARY_DIR}/include/${name})
  cmake_path(GET folder PARENT_PATH parent)
  file(MAKE_DIRECTORY ${path}/shardcheck/${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${path}/shardcheck/${folder} SYMBOLIC)
  set(${root} ${path} PARENT_SCOPE)
endfunction()

# One library a folder. It sees its own headers, as <shardcheck/FOLDER/...>, and those of what it
# USES; a header of any other folder does not exist for its compiler. NEEDS: packages whose headers
# stay in .cpp files.
function(shardcheck_library name folder)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;USES;NEEDS" ${ARGN})
  shardcheck_include_root(${name} ${folder} root)
  list(TRANSFORM arg_HEADERS PREPEND ${root}/shardcheck/${folder}/)
  add_library(shardcheck_${name} ${arg_SOURCES})
  add_library(shardcheck::${name} ALIAS shardcheck_${name})
  target_sources(shardcheck_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${root} FILES ${arg_HEADERS})
  target_compile_features(shardcheck_${name} PUBLIC cxx_std_20)
  shardcheck_set_meaning(shardcheck_${name})
  target_link_libraries(shardcheck_${name} PUBLIC ${arg_USES} PRIVATE ${arg_NEEDS})
  set_target_properties(shardcheck_${name} PROPERTIES EXPORT_NAME ${name}
    VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL})
endfunction()

# One GoogleTest program; each TEST becomes a ctest test with the given label. The target
# shardcheck_LABEL_tests builds all programs of a label.
function(shardcheck_test name)
  cmake_parse_arguments(arg "" "LABEL;TIMEOUT;ENVIRONMENT" "SOURCES;USES;ARGS" ${ARGN})
  if(NOT SHARDCHECK_TESTS)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(shardcheck_${name}_test ${arg_SOURCES})
  shardcheck_set_meaning(shardcheck_${name}_test)
  target_link_libraries(shardcheck_${name}_test PRIVATE ${arg_USES} GTest::gtest_main)
  gtest_discover_tests(shardcheck_${name}_test TEST_PREFIX ${name}.
    EXTRA_ARGS ${arg_ARGS} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${arg_ENVIRONMENT}")
  if(NOT TARGET shardcheck_${arg_LABEL}_tests)
    add_custom_target(shardcheck_${arg_LABEL}_tests)
  endif()
  add_dependencies(shardcheck_${arg_LABEL}_tests shardcheck_${name}_test)
endfunction()
