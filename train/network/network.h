#pragma once

#include "network/modules.h"
#include "network/trainer.h"

namespace pith::train {

/// What a Network hides from those who do not include torch.
struct Network::Inside {
  enum class Mode { unknown, training, predicting };

  std::shared_ptr<Net> net;
  torch::Device device{torch::kCPU};
  Mode mode = Mode::unknown;
  std::vector<torch::Tensor> momentum;  ///< one a parameter, while it is trained

  void set_mode(Mode wanted);
  void restore(const ModelFile& file, const std::string& path);
  void restore_momentum(const ModelFile& file, const std::string& path);
  void save_momentum(ModelFile& file) const;
};

/// The batch's inputs as a tensor, channels innermost in memory. On a CPU it lies in the batch's own memory.
[[nodiscard]] torch::Tensor inputs_of(const Batch& batch, InputShape shape, const torch::Device& device);

/// Embeddings, and the softmax of the logits, as rows of floats.
void give_rows(const torch::Tensor& embeddings, const torch::Tensor& logits,
               std::vector<float>& embedding_rows, std::vector<float>& prob_rows);

}  // namespace pith::train
