# Debian packages (cpack -G DEB) and a tarball of the sources (git archive, by scripts/package).
set(CPACK_PACKAGE_NAME pith)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Pith authors <pith@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_COMPONENTS_ALL command library)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME pith)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS pith-train)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${PROJECT_DESCRIPTION}
 Out of embeddings and class probabilities of a first model, pith selects items
 that are uncertain and diverse, within caps on classes and decision boundaries,
 and certifies how good the choice is.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libpith-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "libopenblas-dev, libzip-dev, libxxhash-dev, libfmt-dev, nlohmann-json3-dev, libtomlplusplus-dev")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${PROJECT_DESCRIPTION} (C++ library)
 Headers, static library and CMake package: find_package(pith).")

if(PITH_HAS_TRAIN)
  list(APPEND CPACK_COMPONENTS_ALL train)
  set(CPACK_DEBIAN_TRAIN_PACKAGE_NAME pith-train)
  set(CPACK_DEBIAN_TRAIN_PACKAGE_DEPENDS "pith (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_TRAIN_DESCRIPTION "${PROJECT_DESCRIPTION} (training)
 The commands train, embed and experiment of pith, on libtorch.")
endif()
if(PITH_HAS_PYTHON)
  math(EXPR PITH_PYTHON_NEXT "${Python_VERSION_MINOR} + 1")
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-pith)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${PITH_PYTHON_NEXT}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-matplotlib, python3-sklearn, python3-tqdm")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "${PROJECT_DESCRIPTION} (Python module)
 import pith: numpy arrays and torch tensors in, without a copy; the picks of the
 command out.")
endif()
include(CPack)
