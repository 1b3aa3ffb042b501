#include "strategy/item_lengths.h"

#include <algorithm>

#include "base/parallel.h"

namespace pith {
namespace {

/// Whether every row can be looked at as floats where it lies.
bool are_all_floats(const MatrixView& view) {
  if (view.pieces == nullptr)
    return view.row_as_floats(0) != nullptr && view.row_stride_bytes % std::ptrdiff_t{alignof(float)} == 0;
  return std::all_of(view.pieces->views.begin(), view.pieces->views.end(), are_all_floats);
}

}  // namespace

ItemLengths::ItemLengths(const MatrixView& view, Metric metric, const Run& run)
    : view_(view),
      metric_(metric),
      dimension_(view.cols),
      squared_norms_(survey_rows(view, run).squared_norms),
      rows_(view.as_floats()) {
  if (rows_ != nullptr || are_all_floats(view)) return;
  copy_.resize(view.rows * view.cols);
  parallel_for(run, view.rows, 1024, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    view.read_rows(begin, end - begin, copy_.data() + begin * view.cols);
  });
  rows_ = copy_.data();
}

}  // namespace pith
