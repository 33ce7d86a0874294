# What others build on: the declaration, the model, the judge and the generator. Our own
# implementation and the planted faults stay at home.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

install(TARGETS shardcheck_case shardcheck_model shardcheck_check shardcheck_generate
  EXPORT shardcheckTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT shardcheckTargets NAMESPACE shardcheck::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/shardcheck)
configure_package_config_file(cmake/shardcheckConfig.cmake.in
  ${PROJECT_BINARY_DIR}/shardcheckConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/shardcheck)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/shardcheckConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/shardcheckConfig.cmake
  ${PROJECT_BINARY_DIR}/shardcheckConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/shardcheck)
if(TARGET shardcheck)
  install(TARGETS shardcheck RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
