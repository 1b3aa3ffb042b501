#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "pith/matrix.h"

namespace pith {

// Headers of .npy files (version 1.0, little-endian, C order), padded so that the data that follows starts at
// a multiple of 64 bytes. The file is the header followed by the elements in little-endian byte order.

/// A 1-D array of int64.
[[nodiscard]] std::string npy_header_of_int64(std::size_t count);

/// The whole file of a 1-D array of int64.
[[nodiscard]] std::string npy_of_int64(std::span<const std::uint32_t> values);

/// A 2-D array. numpy has no bf16, for which this throws Error{unsupported}.
[[nodiscard]] std::string npy_header_of_matrix(Scalar scalar, std::size_t rows, std::size_t cols);

}  // namespace pith
