#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace pith {

/// The size in bytes of an array of this shape; refuses a product that overflows.
[[nodiscard]] std::size_t array_bytes(const std::string& source, std::span<const std::uint64_t> shape,
                                      std::size_t element_bytes);

/// Refuses a shape that is not 2-D, is empty, or has 2^32 - 1 or more rows or columns.
void check_matrix_shape(const std::string& source, std::span<const std::uint64_t> shape);

/// "(3, 4)", as numpy prints it.
[[nodiscard]] std::string shape_text(std::span<const std::uint64_t> shape);

}  // namespace pith
