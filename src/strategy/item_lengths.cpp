#include "strategy/item_lengths.h"

#include "base/parallel.h"

namespace pith {

ItemLengths::ItemLengths(const MatrixView& view, Metric metric, const Run& run)
    : metric_(metric),
      dimension_(view.cols),
      squared_norms_(survey_rows(view, run).squared_norms),
      rows_(view.as_floats()) {
  if (rows_ != nullptr) return;
  copy_.resize(view.rows * view.cols);
  parallel_for(run, view.rows, 1024, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    view.read_rows(begin, end - begin, copy_.data() + begin * view.cols);
  });
  rows_ = copy_.data();
}

}  // namespace pith
