# Debian packages (cpack -G DEB) and a tarball of the sources (git archive), both made by scripts/package.
set(CPACK_PACKAGE_NAME pith)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Pith authors <pith@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_COMPONENTS_ALL "")
set(PITH_DEBIAN_VERSION ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
include(PithPackageDocs)

# pith_package(component package "words after the summary" "description" library...): one Debian package. Libraries are header-only,
# compiled in, by the Debian packages they come from.
macro(pith_package component package kind description)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "choose the small subset of a dataset worth labelling${kind}\n${description}")
  pith_package_docs(${component} ${package} ${ARGN})
endmacro()

set(about "Out of embeddings and class probabilities of a first model, pith selects items
that are uncertain and diverse, within caps on classes and decision boundaries,
and certifies how good the choice is.")
set(core_headers nlohmann-json3-dev libtomlplusplus-dev libfast-float-dev)

pith_package(command pith "" "${about}" libcli11-dev ${core_headers})
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "pith-serve, pith-train, pith-mpi, python3-pith")

pith_package(library libpith-dev " (C++ library)" "${about}
.
Headers, static library and CMake package: find_package(pith)." ${core_headers})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "libopenblas-dev, libzip-dev, libxxhash-dev, libfmt-dev, nlohmann-json3-dev, libtomlplusplus-dev, pkg-config")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "cmake, g++")

if(PITH_HAS_SERVE)
  pith_package(serve pith-serve " (explorer)" "${about}
.
The command pith serve: a run in the browser, live." libcli11-dev ${core_headers})
  set(CPACK_DEBIAN_SERVE_PACKAGE_DEPENDS "pith (= ${PITH_DEBIAN_VERSION})")
endif()
if(PITH_HAS_TRAIN)
  pith_package(train pith-train " (training)" "${about}
.
The commands pith train, embed and experiment, on libtorch." libcli11-dev ${core_headers})
  set(CPACK_DEBIAN_TRAIN_PACKAGE_DEPENDS "pith (= ${PITH_DEBIAN_VERSION})")
  set(CPACK_DEBIAN_TRAIN_PACKAGE_SUGGESTS "dataset-fashion-mnist")
endif()
if(PITH_HAS_MPI)
  pith_package(mpi pith-mpi " (several ranks)" "${about}
.
What pith select becomes under mpirun or srun: the same subset, by many
processes." libcli11-dev ${core_headers})
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "pith (= ${PITH_DEBIAN_VERSION})")
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "openmpi-bin")
endif()
if(PITH_HAS_PYTHON)
  pith_package(python python3-pith " (Python module)" "${about}
.
import pith: numpy arrays and torch tensors in, without a copy; the picks of
the command out." pybind11-dev ${core_headers})
  math(EXPR PITH_PYTHON_NEXT "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${PITH_PYTHON_NEXT}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "pith, python3-pandas, python3-matplotlib, python3-sklearn, python3-tqdm")
  # Bytecode is made when the package is installed, and cleared before it goes.
  foreach(script postinst prerm)
    configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/python3-pith.${script} ${PROJECT_BINARY_DIR}/control/${script} COPYONLY)
    list(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/control/${script})
  endforeach()
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endif()
include(CPack)
