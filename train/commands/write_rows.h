#pragma once

#include <cstddef>
#include <functional>

#include "base/output_folder.h"
#include "network/trainer.h"
#include "pith/run.h"

namespace pith::train {

/// What a network said of every item, as it was written.
struct WrittenRows {
  std::size_t embedding = 0;
  std::size_t classes = 0;
  double waited_seconds = 0;
};

/// Is told of the first item (its place in the part) that the network gives no number for, and throws.
using NoNumber = std::function<void(std::size_t item, float value)>;

/// Asks for every item of the part and writes embeddings.npy and probs.npy as the rows come.
WrittenRows write_rows(OutputFolder& folder, Predictor& predictor, const Part& part,
                       const Normalisation& normalisation, const NoNumber& refuse, const Run& run);

}  // namespace pith::train
