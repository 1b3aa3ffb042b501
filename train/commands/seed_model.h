#pragma once

#include <string>

#include "commands/common.h"
#include "network/trainer.h"
#include "pith/matrix.h"
#include "pith/run.h"

namespace pith::train {

/// What a seed model says of every item of the pool.
struct SeedOutputs {
  Matrix embeddings;
  Matrix probs;
};

/// Trains the seed model on random items and keeps model.safetensors, embeddings.npy, probs.npy, ids.txt,
/// seed.npy and seed.json in `folder`, whole or not at all; where they are already, reads them.
[[nodiscard]] SeedOutputs seed_outputs(const Pool& pool, TrainOptions options, const std::string& fraction,
                                       std::uint64_t seed, const std::string& folder,
                                       const CheckpointPlan& checkpoint, const std::string& device,
                                       const Run& run);

/// Probabilities p^(1/T), each row scaled to sum to 1. T = 1 gives them back as they are.
[[nodiscard]] Matrix with_temperature(const Matrix& probs, double temperature);

}  // namespace pith::train
