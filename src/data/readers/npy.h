#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/bytes.h"
#include "data/readers/npy_header.h"
#include "pith/matrix.h"

namespace pith {

/// Whether its numbers are of float16, float32 or float64, and of which.
[[nodiscard]] bool is_float(const NpyHeader& header) noexcept;
[[nodiscard]] Scalar scalar_of(const NpyHeader& header) noexcept;

/// Whether the array can be a Matrix: 2-D, of float16, float32 or float64.
[[nodiscard]] bool is_float_matrix(const NpyHeader& header) noexcept;

/// A view of an .npy file's array, in either order and byte order; never copies.
[[nodiscard]] Matrix read_npy(const Bytes& file);

/// A 1-D .npy array of signed or unsigned integers of any width; may be empty. Values of 2^63 and more are
/// refused.
[[nodiscard]] std::vector<std::int64_t> read_npy_integers(const Bytes& file);
/// The same of a file whose header is known, and taken for that of a 1-D array.
[[nodiscard]] std::vector<std::int64_t> read_npy_integers(const Bytes& file, const NpyHeader& header);

}  // namespace pith
