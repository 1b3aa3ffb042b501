# The version stands in one place, project(VERSION) of CMakeLists.txt, which is VERSION here: whatever else says one must agree.
cmake_minimum_required(VERSION 3.21)
function(expect what said)
  if(NOT said STREQUAL VERSION)
    message(FATAL_ERROR "${what} says '${said}', CMakeLists.txt ${VERSION}")
  endif()
  message("${what}: ${said}")
endfunction()

foreach(program ${PROGRAMS})
  execute_process(COMMAND ${program} --version OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "^pith " "" said "${said}")
  expect("${program} --version" "${said}")
endforeach()

file(GLOB pages ${BUILD_DIR}/man/*.1.gz)
if(NOT pages)
  message(FATAL_ERROR "no man pages in ${BUILD_DIR}/man")
endif()
foreach(page ${pages})
  execute_process(COMMAND gzip -dc ${page} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  if(text MATCHES "^\\.so ")
    continue()
  endif()
  string(REGEX REPLACE "^\\.TH [^\n]*\"pith ([^\"]*)\".*" "\\1" said "${text}")
  get_filename_component(name ${page} NAME)
  expect("${name}" "${said}")
endforeach()

include(${BUILD_DIR}/pithConfigVersion.cmake)
expect("find_package(pith)" "${PACKAGE_VERSION}")
file(STRINGS ${BUILD_DIR}/CPackConfig.cmake line REGEX "CPACK_PACKAGE_VERSION ")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" said "${line}")
expect("the packages" "${said}")
file(STRINGS ${BUILD_DIR}/doc/changelog.Debian line LIMIT_COUNT 1)
string(REGEX REPLACE "^pith \\((.*)-[0-9]+\\).*" "\\1" said "${line}")
expect("the packages' changelog" "${said}")

if(PYTHON)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${SOURCE_DIR}/python/backend ${PYTHON} -B -c
                  "import pith_build; print(pith_build._version())"
                  OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  expect("the wheel" "${said}")
  # Importing the package needs numpy; its module does not.
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PYTHON_PATH}/pith ${PYTHON} -B -c "import _core; print(_core.version())"
                  OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  expect("pith.__version__" "${said}")
  file(STRINGS ${BUILD_DIR}/python-info/METADATA line REGEX "^Version: ")
  string(REPLACE "Version: " "" said "${line}")
  expect("the Python package's METADATA" "${said}")
endif()

# These have none of their own.
foreach(file pyproject.toml web/package.json)
  file(STRINGS ${SOURCE_DIR}/${file} line REGEX "^ *\"?version\"? *[:=]")
  if(line)
    message(FATAL_ERROR "${file} has a version of its own: ${line}")
  endif()
endforeach()
