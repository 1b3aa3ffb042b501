include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS pith EXPORT pithTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS pith_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(PITH_HAS_TRAIN)
  install(TARGETS pith_train_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/pith DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT pithTargets NAMESPACE pith:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pith)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pithConfig.cmake.in
  ${PROJECT_BINARY_DIR}/pithConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pith)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pithConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pithConfig.cmake ${PROJECT_BINARY_DIR}/pithConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pith)
