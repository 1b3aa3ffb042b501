#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

// Its own little reader, so that the golden caps do not depend on the readers they might share a mistake
// with.
namespace constraint_golden {

struct TinyMatrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<float> values;  ///< row-major
};

/// A version 1 .npy file of little-endian f4 in C order.
inline TinyMatrix read_tiny_npy(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (bytes.size() < 10 || bytes.substr(1, 5) != "NUMPY" || bytes[6] != 1) {
    throw std::runtime_error(path.string() + " is not a version 1 .npy file");
  }
  const std::size_t header_bytes =
      static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
  const std::string header = bytes.substr(10, header_bytes);
  const std::size_t shape = header.find('(');
  TinyMatrix matrix;
  if (header.find("'<f4'") == std::string::npos || header.find("False") == std::string::npos ||
      shape == std::string::npos ||
      std::sscanf(header.c_str() + shape, "(%zu, %zu)", &matrix.rows, &matrix.cols) != 2) {
    throw std::runtime_error(path.string() + " is not an f4 matrix in C order: " + header);
  }
  matrix.values.resize(matrix.rows * matrix.cols);
  if (bytes.size() != 10 + header_bytes + 4 * matrix.values.size()) {
    throw std::runtime_error(path.string() + " is cut short");
  }
  std::memcpy(matrix.values.data(), bytes.data() + 10 + header_bytes, 4 * matrix.values.size());
  return matrix;
}

}  // namespace constraint_golden
