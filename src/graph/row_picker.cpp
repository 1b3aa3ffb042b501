#include "graph/row_picker.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/clones.h"

namespace pith {
namespace {

constexpr std::size_t least_lanes = 64;
constexpr std::size_t lanes_each = 6;  ///< for each value wanted

PITH_CLONES void raise(float* maxima, const float* values, std::size_t lanes) noexcept {
  for (std::size_t l = 0; l < lanes; ++l) maxima[l] = values[l] > maxima[l] ? values[l] : maxima[l];
}

/// Whole numbers in the order of the floats: their maxima vectorise without leave to reorder.
PITH_CLONES void order_keys(const float* values, std::size_t count, std::int32_t* keys) noexcept {
  for (std::size_t l = 0; l < count; ++l) {
    const auto bits = std::bit_cast<std::int32_t>(values[l]);
    keys[l] = bits ^ ((bits >> 31) & 0x7fffffff);
  }
}

PITH_CLONES std::int32_t take_largest(std::int32_t* keys, std::size_t count) noexcept {
  std::int32_t most = std::numeric_limits<std::int32_t>::min();
  for (std::size_t l = 0; l < count; ++l) most = std::max(most, keys[l]);
  for (std::size_t l = 0; l < count; ++l)
    keys[l] = keys[l] == most ? std::numeric_limits<std::int32_t>::min() : keys[l];
  return most;
}

}  // namespace

RowPicker::RowPicker(std::size_t wanted)
    : wanted_(wanted),
      maxima_((std::max(least_lanes, lanes_each * wanted) + least_lanes - 1) / least_lanes * least_lanes),
      keys_(maxima_.size()) {}

float RowPicker::look(const float* values, std::size_t columns) {
  values_ = values;
  columns_ = columns;
  std::fill(maxima_.begin(), maxima_.end(), lowest);
  for (std::size_t c = 0; c < columns; c += lanes()) raise(maxima_.data(), values + c, lanes());
  order_keys(maxima_.data(), lanes(), keys_.data());
  // Equal keys go at once, which makes the floor lower, never higher.
  std::int32_t key = 0;
  for (std::size_t at = 0; at < wanted_; ++at) key = take_largest(keys_.data(), lanes());
  if (key == std::numeric_limits<std::int32_t>::min()) return lowest;
  return std::bit_cast<float>(key ^ ((key >> 31) & 0x7fffffff));
}

}  // namespace pith
