include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(PithManual)

install(TARGETS pith_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(FILES ${command_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/completions/pith.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pith COMPONENT command)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/completions/_pith
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT command)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/completions/pith.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)
if(PITH_HAS_SERVE)
  install(TARGETS pith_serve_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT serve)
  install(FILES ${serve_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT serve)
endif()
if(PITH_HAS_TRAIN)
  install(TARGETS pith_train_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT train)
  install(FILES ${train_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT train)
endif()
if(PITH_HAS_MPI)
  install(TARGETS pith_mpi_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi)
  install(FILES ${mpi_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
endif()

install(TARGETS pith EXPORT pithTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
# cmake --install --strip and cpack leave static libraries alone: symbols must stay, debug information need not.
install(CODE "if(CMAKE_INSTALL_DO_STRIP)
  execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug --enable-deterministic-archives
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:pith>\" COMMAND_ERROR_IS_FATAL ANY)
endif()" COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/pith DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT pithTargets NAMESPACE pith:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pith COMPONENT library)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pithConfig.cmake.in
  ${PROJECT_BINARY_DIR}/pithConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pith)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pithConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pithConfig.cmake ${PROJECT_BINARY_DIR}/pithConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pith COMPONENT library)
