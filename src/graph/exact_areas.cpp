#include "graph/exact_areas.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "graph/metric.h"
#include "graph/rows.h"

namespace pith {

ExactAreas::ExactAreas(const MatrixView& rows, Metric metric, const Run& run)
    : rows_(rows), unit_(metric == Metric::cosine), length_(rows.rows, 1.0) {
  if (!unit_) return;
  parallel_for(run, rows.rows, 4096, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    RowReader reader(rows_);
    for (std::size_t at = begin; at < end; ++at)
      length_[at] = std::sqrt(squared_norm(reader.row(static_cast<Item>(at), 0), rows_.cols));
  });
}

double ExactAreas::area(Item a, Item b, Item c) const {
  std::array<Item, 3> corner = {a, b, c};
  std::sort(corner.begin(), corner.end());  // one order of additions for a triangle, whoever asks
  thread_local std::vector<float> scratch;
  scratch.resize(3 * rows_.cols);
  std::array<const float*, 3> x{};
  std::array<double, 3> scale{};
  std::array<double, 3> own{};  // along a zero row's own axis
  for (std::size_t k = 0; k < 3; ++k) {
    x[k] = rows_.row_as_floats(corner[k]);
    if (x[k] == nullptr) {
      rows_.read_rows(corner[k], 1, scratch.data() + k * rows_.cols);
      x[k] = scratch.data() + k * rows_.cols;
    }
    const double length = length_[corner[k]];
    scale[k] = length > 0 ? 1 / length : 0;
    own[k] = unit_ && length == 0 ? 1 : 0;
  }
  const auto at = [&](std::size_t k, std::size_t d) { return static_cast<double>(x[k][d]) * scale[k]; };
  // u and v: the sides from the first corner to the others.
  double uu = own[0] + own[1];
  double uv = own[0];
  for (std::size_t d = 0; d < rows_.cols; ++d) {
    const double u = at(1, d) - at(0, d);
    uu += u * u;
    uv += u * (at(2, d) - at(0, d));
  }
  if (uu == 0) return 0;
  const double share = uv / uu;
  double rest = own[0] * (share - 1) * (share - 1) + own[1] * share * share + own[2];
  for (std::size_t d = 0; d < rows_.cols; ++d) {
    const double height = (at(2, d) - at(0, d)) - share * (at(1, d) - at(0, d));
    rest += height * height;
  }
  return std::sqrt(uu) * std::sqrt(rest) / 2;
}

}  // namespace pith
