#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/bytes.h"
#include "pith/matrix.h"

namespace pith::testing {

/// A hand-made file of fuzz/corpus, by path below it.
inline std::string corpus_path(std::string_view name) {
  return std::string(PITH_SOURCE_DIR) + "/fuzz/corpus/" + std::string(name);
}

inline std::string file_contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// What a file of this name with this text would give.
inline Bytes bytes_of_text(std::string text, std::string name) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  return {.data = std::as_bytes(std::span(*owner)), .owner = owner, .name = std::move(name)};
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i & 0xffU);
  return out;
}

inline std::string raw(const std::vector<float>& values) {
  std::string out;
  for (const float value : values) out += little_endian(std::bit_cast<std::uint32_t>(value), 4);
  return out;
}

inline std::string raw(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) out += little_endian(std::bit_cast<std::uint64_t>(value), 8);
  return out;
}

/// An .npy file, version 1, whose header says what it is told, true or not.
inline std::string npy_file(std::string_view descr, std::string_view shape, std::string_view data,
                            std::string_view fortran_order = "False") {
  std::string header = "{'descr': '" + std::string(descr) +
                       "', 'fortran_order': " + std::string(fortran_order) +
                       ", 'shape': " + std::string(shape) + ", }\n";
  return "\x93NUMPY" + std::string("\x01\x00", 2) + little_endian(header.size(), 2) + header +
         std::string(data);
}

inline std::string shape_of(std::size_t rows, std::size_t cols) {
  return fmt::format("({}, {})", rows, cols);
}

inline std::string npy_f4(const std::vector<float>& values, std::size_t rows) {
  return npy_file("<f4", shape_of(rows, values.size() / rows), raw(values));
}

inline std::string npy_f8(const std::vector<double>& values, std::size_t rows) {
  return npy_file("<f8", shape_of(rows, values.size() / rows), raw(values));
}

inline std::string safetensors_file(std::string_view header, std::string_view data) {
  return little_endian(header.size(), 8) + std::string(header) + std::string(data);
}

inline std::vector<double> all_values(const Matrix& matrix) {
  std::vector<double> out(matrix.rows() * matrix.cols());
  matrix.view.read_rows(0, matrix.rows(), out.data());
  return out;
}

inline std::vector<float> all_floats(const Matrix& matrix) {
  std::vector<float> out(matrix.rows() * matrix.cols());
  matrix.view.read_rows(0, matrix.rows(), out.data());
  return out;
}

/// A matrix of doubles in memory, as an f64 file would give it.
inline Matrix matrix_of_doubles(std::vector<double> values, std::size_t rows, std::size_t cols,
                                std::string source) {
  auto owner = std::make_shared<const std::vector<double>>(std::move(values));
  const MatrixView view{.data = reinterpret_cast<const std::byte*>(owner->data()),
                        .rows = rows,
                        .cols = cols,
                        .row_stride_bytes = static_cast<std::ptrdiff_t>(cols * sizeof(double)),
                        .col_stride_bytes = sizeof(double),
                        .scalar = Scalar::f64,
                        .byte_swapped = false};
  return {.view = view, .owner = std::move(owner), .source = std::move(source)};
}

}  // namespace pith::testing
