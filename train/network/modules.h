#pragma once

// The only header of ours that includes all of torch, which takes the compiler half a minute.
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "network/model.h"

namespace pith::train {

/// A convolution and the batch normalisation after it. For predictions the two become one convolution.
class ConvNormImpl : public torch::nn::Module {
 public:
  ConvNormImpl(std::int64_t in, std::int64_t out, std::int64_t size, std::int64_t stride);
  torch::Tensor forward(const torch::Tensor& input);
  /// Joins the two into one weight and bias, until training goes on.
  void join();
  void separate() { joined_weight_ = joined_bias_ = torch::Tensor(); }

 private:
  std::int64_t stride_;
  std::int64_t padding_;
  torch::Tensor weight_;
  torch::nn::BatchNorm2d norm_;
  torch::Tensor joined_weight_;
  torch::Tensor joined_bias_;
};
TORCH_MODULE(ConvNorm);

/// What all networks have in common: items become embeddings, embeddings become logits.
class Net : public torch::nn::Module {
 public:
  virtual torch::Tensor embed(const torch::Tensor& input) = 0;
  torch::Tensor classify(const torch::Tensor& embedding) { return head_(embedding); }
  [[nodiscard]] std::int64_t embedding_size() const { return head_->options.in_features(); }
  /// To training or to predicting; either way after weights have changed.
  void set_training(bool training);

 protected:
  /// Last in every constructor, so that weights are drawn in the order of the layers.
  void add_head(std::int64_t embedding, std::int64_t classes);

 private:
  torch::nn::Linear head_{nullptr};
};

/// By the spec's name; weights by torch's generator.
[[nodiscard]] std::shared_ptr<Net> make_net(const ModelSpec& spec);

}  // namespace pith::train
