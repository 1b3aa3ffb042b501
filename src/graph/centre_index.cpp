#include "graph/centre_index.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/metric.h"

namespace pith {

void CentreIndex::assign(const std::vector<float>& centres) {
  const std::size_t count = centres.size() / dimension_;
  std::vector<float> half_squares(count);
  for (std::size_t at = 0; at < count; ++at)
    half_squares[at] = static_cast<float>(squared_norm(centres.data() + at * dimension_, dimension_) / 2);
  offsets_.assign(half_squares.data(), count);
  kernel_.pack_right(centres.data(), count, dimension_, packed_);
}

std::uint64_t CentreIndex::desk_bytes(std::size_t centres, std::size_t dimension) {
  // The values of a few rows, and where it is the BLAS that multiplies, its products beside them.
  const std::size_t copies = find_kernel().name() == "blas" ? 2 : 1;
  return sizeof(float) * 2 * TileSide::padding * dimension +
         sizeof(float) * TileSide::padding * TileSide::padded(centres) * copies;
}

template <class Note>
void CentreIndex::for_each_row(const float* rows, std::size_t count, std::size_t wanted, Desk& desk,
                               Note note) const {
  RowPicker picker(wanted);
  const std::size_t room = picker.room_for(packed_.count);
  const std::size_t stride = RowPicker::stride_for(room);
  const std::vector<float> no_offsets(TileSide::padding, 0.0F);
  // What no kernel writes stays below everything.
  desk.values.assign(TileSide::padding * stride, -std::numeric_limits<float>::infinity());
  desk.near.clear();
  for (std::size_t first = 0; first < count; first += TileSide::padding) {
    const std::size_t tall = std::min(TileSide::padding, count - first);
    kernel_.pack_left(rows + first * dimension_, tall, dimension_, 1.0F, desk.left);
    desk.left_side.assign(no_offsets.data(), tall);
    kernel_.write_values(desk.left, packed_, desk.left_side, offsets_, desk.values.data(), stride,
                         desk.kernel_scratch);
    for (std::size_t r = 0; r < tall; ++r) {
      const float* const values = desk.values.data() + r * stride;
      const float floor = picker.look(values, room);
      desk.row.clear();
      note(picker, values, floor);
    }
  }
}

void CentreIndex::find(const float* rows, std::size_t count, std::size_t wanted, Desk& desk) const {
  for_each_row(rows, count, wanted, desk, [&](RowPicker& picker, const float* values, float floor) {
    for (const std::uint32_t c : picker.columns_from(floor)) desk.row.push_back({-values[c], c});
    std::sort(desk.row.begin(), desk.row.end());
    // A row that compares with nothing (not a number) falls to the first ones.
    const auto has = [&](std::uint32_t centre) {
      return std::any_of(desk.row.begin(), desk.row.end(),
                         [&](const Near& near) { return near.centre == centre; });
    };
    for (std::uint32_t c = 0; desk.row.size() < wanted; ++c)
      if (!has(c)) desk.row.push_back({std::numeric_limits<float>::infinity(), c});
    desk.near.insert(desk.near.end(), desk.row.begin(),
                     desk.row.begin() + static_cast<std::ptrdiff_t>(wanted));
  });
}

void CentreIndex::find_within(const float* rows, std::size_t count, std::size_t most, float gap,
                              Desk& desk) const {
  // Subtracting rounds; a little farther out nothing within the gap is overlooked.
  const float wider = most > 1 && gap > 0 ? gap * (1 + 0x1p-20F) : 0.0F;
  desk.counts.clear();
  for_each_row(rows, count, 1, desk, [&](RowPicker& picker, const float* values, float top) {
    const float bar = std::nextafter(top - wider, -std::numeric_limits<float>::infinity());
    for (const std::uint32_t c : picker.columns_from(bar)) desk.row.push_back({-values[c], c});
    std::sort(desk.row.begin(), desk.row.end());
    if (desk.row.empty()) desk.row.push_back({std::numeric_limits<float>::infinity(), 0});
    // Of equally near ones a row joins the first alone, unless the gap lets it reach the others.
    std::size_t kept = 1;
    while (kept < std::min(most, desk.row.size()) && desk.row[kept].distance - desk.row[0].distance <= gap)
      ++kept;
    desk.near.insert(desk.near.end(), desk.row.begin(), desk.row.begin() + static_cast<std::ptrdiff_t>(kept));
    desk.counts.push_back(static_cast<std::uint32_t>(kept));
  });
}

}  // namespace pith
