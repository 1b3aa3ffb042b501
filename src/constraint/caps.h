#pragma once

#include <cstdint>
#include <span>

namespace pith {

/// ceil(a * b / c) without overflow, for a, b >= 0 and c > 0.
[[nodiscard]] std::int64_t ceil_of_share(std::int64_t a, std::int64_t b, std::int64_t c) noexcept;
/// floor(a * b / c) for a, b >= 0 and c > 0; the largest int64 where the value exceeds it.
[[nodiscard]] std::int64_t floor_of_share(std::int64_t a, std::int64_t b, std::int64_t c) noexcept;

/// The smallest integer w with sum_b min(sizes[b], w) >= min(total, sum_b sizes[b]). O(B log max size).
[[nodiscard]] std::int64_t water_level(std::span<const std::int64_t> sizes, std::int64_t total) noexcept;

/// ceil(slack * level), where slack stands for the decimal it was written as: a product within 4 epsilon
/// (relative) of an integer is that integer, so 1.1 * 10 is 11 although the double nearest 1.1 lies above it.
/// The two roundings, of the decimal and of the product, err by at most 1 epsilon together. At most 2^62.
[[nodiscard]] std::int64_t slack_times(double slack, std::int64_t level) noexcept;

}  // namespace pith
