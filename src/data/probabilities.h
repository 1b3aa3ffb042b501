#pragma once

#include <cstddef>
#include <vector>

#include "data/row_range.h"
#include "pith/predictions.h"

namespace pith {

/// Rows first .. first+count-1 of one member as probabilities: a softmax where they are logits. Row-major.
void read_member(const ClassProbabilities& probabilities, std::size_t member, std::size_t first,
                 std::size_t count, double* out);

/// The same of the members' mean, summed in their order. `scratch` is the caller's, for reuse.
void read_mean(const ClassProbabilities& probabilities, std::size_t first, std::size_t count, double* out,
               std::vector<double>& scratch);

/// read_predictions() of some rows alone; those of the others are left empty.
[[nodiscard]] Predictions read_prediction_rows(const ClassProbabilities& probabilities, UncertaintyKind kind,
                                               std::uint32_t boundaries_per_item, const RowRange& rows,
                                               const Run& run);

}  // namespace pith
