#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "images/dataset.h"

// Nothing here mentions torch: whoever trains or embeds does so through these few names, and compiles
// quickly.
namespace pith::train {

/// Which network, for which data: all that is needed to make it again.
struct ModelSpec {
  std::string name = "cnn";
  InputShape input;
  std::uint32_t classes = 0;
  Normalisation normalisation = {};  ///< what its inputs go through
};

struct ModelInfo {
  std::string name;
  std::string summary;
};

/// Names of the networks, in the order they are shown.
[[nodiscard]] const std::vector<ModelInfo>& models();

/// Throws Error{bad_option} where there is no such network, or it cannot take such data.
void check_model(const ModelSpec& spec);

/// Weights and biases that training changes.
[[nodiscard]] std::uint64_t count_parameters(const ModelSpec& spec);

/// Columns of the embeddings it gives.
[[nodiscard]] std::uint32_t embedding_size(const ModelSpec& spec);

/// To be called once, before the first network is made: how libtorch is to use this machine.
void prepare_torch(unsigned threads);

/// "cpu", or "cuda" where libtorch can use a graphics card. Throws Error{bad_option} where `wish` (auto, cpu
/// or cuda) cannot be met.
[[nodiscard]] std::string choose_device(const std::string& wish);

}  // namespace pith::train
