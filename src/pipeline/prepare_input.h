#pragma once

#include <string>
#include <vector>

#include "pipeline/outputs.h"
#include "pith/select.h"

namespace pith {

/// That embeddings and class probabilities have the same number of rows.
void require_same_items(const Matrix& embeddings, const ClassProbabilities& probabilities);

/// Reads every number once, so that select() can trust them: checks the embeddings, fills input.predictions
/// from input.probabilities, and checks that a given graph is of these items; `graph_name` is what errors
/// call it. Adds to `notes` which embeddings and probabilities these were, by fingerprint.
void prepare_input(SelectInput& input, const SelectOptions& options, const std::string& graph_name,
                   std::vector<InputNote>& notes, const Run& run);

}  // namespace pith
