# What every Debian package carries in share/doc: its licence, with the notices of the header-only libraries compiled into it
# as Debian has them, and two changelogs.
string(TIMESTAMP PITH_DEBIAN_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH, where it is set
configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/changelog.in ${PROJECT_BINARY_DIR}/doc/changelog.Debian @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/packaging/debian/copyright)
execute_process(COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md OUTPUT_FILE ${PROJECT_BINARY_DIR}/doc/changelog.gz
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9nc ${PROJECT_BINARY_DIR}/doc/changelog.Debian
                OUTPUT_FILE ${PROJECT_BINARY_DIR}/doc/changelog.Debian.gz COMMAND_ERROR_IS_FATAL ANY)

# pith_package_docs(component package library...): the libraries by the Debian packages they come from.
function(pith_package_docs component package)
  file(READ ${PROJECT_SOURCE_DIR}/packaging/debian/copyright text)
  foreach(library ${ARGN})
    if(EXISTS /usr/share/doc/${library}/copyright)
      file(READ /usr/share/doc/${library}/copyright notice)
      string(APPEND text "\n\nContains code of Debian's ${library}, whose notice is:\n\n${notice}")
    endif()
  endforeach()
  file(WRITE ${PROJECT_BINARY_DIR}/doc/${package}/copyright "${text}")
  install(FILES ${PROJECT_BINARY_DIR}/doc/${package}/copyright ${PROJECT_BINARY_DIR}/doc/changelog.gz
                ${PROJECT_BINARY_DIR}/doc/changelog.Debian.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endfunction()
