#include "network/modules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "base/suggest.h"
#include "pith/error.h"

namespace pith::train {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

/// Channels innermost in memory, said by the strides even where a dimension of 1 leaves it open.
Tensor channels_last(const Tensor& tensor) {
  return torch::empty(tensor.sizes(), tensor.options().memory_format(torch::MemoryFormat::ChannelsLast))
      .copy_(tensor);
}

/// Nobody else reads what comes out of a layer, so its memory is used again.
Tensor rectify(Tensor values) {
  return values.relu_();
}

/// Mean over the pixels: (items, channels).
Tensor pool_all(const Tensor& input) {
  return input.mean({2, 3});
}

/// Two 3x3 convolutions around which the input is led: He et al.'s for CIFAR, whose shortcut has no weights
/// where the size changes: every other pixel, and zeros for the new channels.
class BasicBlockImpl : public nn::Module {
 public:
  BasicBlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride)
      : new_channels_(out - in),
        stride_(stride),
        first_(register_module("first", ConvNorm(in, out, 3, stride))),
        second_(register_module("second", ConvNorm(out, out, 3, 1))) {}

  Tensor forward(const Tensor& input) {
    const Tensor changed = second_(rectify(first_(input)));
    return rectify(changed + shortcut(input));
  }

 private:
  [[nodiscard]] Tensor shortcut(const Tensor& input) const {
    if (new_channels_ == 0) return input;
    using torch::indexing::None;
    using torch::indexing::Slice;
    const Tensor smaller =
        input.index({Slice(), Slice(), Slice(None, None, stride_), Slice(None, None, stride_)});
    return torch::constant_pad_nd(smaller,
                                  {0, 0, 0, 0, new_channels_ / 2, new_channels_ - new_channels_ / 2});
  }

  std::int64_t new_channels_;
  std::int64_t stride_;
  ConvNorm first_;
  ConvNorm second_;
};
TORCH_MODULE(BasicBlock);

/// 16, 32 and 64 channels, (depth - 2) / 6 blocks each.
class CifarResNet : public Net {
 public:
  CifarResNet(const ModelSpec& spec, std::int64_t depth)
      : stem_(register_module("stem", ConvNorm(spec.input.channels, 16, 3, 1))),
        blocks_(register_module("blocks", nn::ModuleList())) {
    std::int64_t in = 16;
    for (const std::int64_t out : {16, 32, 64})
      for (std::int64_t block = 0; block < (depth - 2) / 6; ++block) {
        blocks_->push_back(BasicBlock(in, out, in == out ? 1 : 2));
        in = out;
      }
    add_head(64, spec.classes);
  }
  Tensor embed(const Tensor& input) override {
    Tensor x = rectify(stem_(input));
    for (const auto& block : *blocks_) x = block->as<BasicBlock>()->forward(x);
    return pool_all(x);
  }

 private:
  ConvNorm stem_;
  nn::ModuleList blocks_;
};

/// 1x1, 3x3, 1x1, around which the input is led, through a 1x1 where its shape changes.
class BottleneckImpl : public nn::Module {
 public:
  BottleneckImpl(std::int64_t in, std::int64_t middle, std::int64_t stride)
      : first_(register_module("first", ConvNorm(in, middle, 1, 1))),
        second_(register_module("second", ConvNorm(middle, middle, 3, stride))),
        third_(register_module("third", ConvNorm(middle, 4 * middle, 1, 1))) {
    if (in != 4 * middle) shortcut_ = register_module("shortcut", ConvNorm(in, 4 * middle, 1, stride));
  }
  Tensor forward(const Tensor& input) {
    const Tensor changed = third_(rectify(second_(rectify(first_(input)))));
    return rectify(changed + (shortcut_ ? shortcut_(input) : input));
  }

 private:
  ConvNorm first_;
  ConvNorm second_;
  ConvNorm third_;
  ConvNorm shortcut_{nullptr};
};
TORCH_MODULE(Bottleneck);

class ResNet50 : public Net {
 public:
  explicit ResNet50(const ModelSpec& spec)
      : stem_(register_module("stem", ConvNorm(spec.input.channels, 64, 7, 2))),
        blocks_(register_module("blocks", nn::ModuleList())) {
    std::int64_t in = 64;
    std::int64_t middle = 64;
    for (const int count : {3, 4, 6, 3}) {
      for (int block = 0; block < count; ++block) {
        blocks_->push_back(Bottleneck(in, middle, block == 0 && middle != 64 ? 2 : 1));
        in = 4 * middle;
      }
      middle *= 2;
    }
    add_head(2048, spec.classes);
  }
  Tensor embed(const Tensor& input) override {
    Tensor x = torch::max_pool2d(rectify(stem_(input)), 3, 2, 1);
    for (const auto& block : *blocks_) x = block->as<Bottleneck>()->forward(x);
    return pool_all(x);
  }

 private:
  ConvNorm stem_;
  nn::ModuleList blocks_;
};

/// Three convolutions of 32, 64 and 64 channels.
class SmallCnn : public Net {
 public:
  explicit SmallCnn(const ModelSpec& spec)
      : first_(register_module("first", ConvNorm(spec.input.channels, 32, 3, 1))),
        second_(register_module("second", ConvNorm(32, 64, 3, 1))),
        third_(register_module("third", ConvNorm(64, 64, 3, 1))) {
    add_head(64, spec.classes);
  }
  Tensor embed(const Tensor& input) override {
    // The larger of two is rectified as well after it is taken as before, on a quarter of the pixels.
    Tensor x = rectify(torch::max_pool2d(first_(input), 2));
    x = rectify(torch::max_pool2d(second_(x), 2));
    return pool_all(rectify(third_(x)));
  }

 private:
  ConvNorm first_;
  ConvNorm second_;
  ConvNorm third_;
};

/// For items that are vectors: two layers of 256 and 64, the second of which is the embedding.
class Mlp : public Net {
 public:
  explicit Mlp(const ModelSpec& spec)
      : first_(register_module("first", nn::Linear(static_cast<std::int64_t>(spec.input.values()), 256))),
        second_(register_module("second", nn::Linear(256, 64))) {
    add_head(64, spec.classes);
  }
  Tensor embed(const Tensor& input) override { return rectify(second_(rectify(first_(input.flatten(1))))); }

 private:
  nn::Linear first_;
  nn::Linear second_;
};

/// The head alone: for items that are embeddings already.
class Softmax : public Net {
 public:
  explicit Softmax(const ModelSpec& spec) {
    add_head(static_cast<std::int64_t>(spec.input.values()), spec.classes);
  }
  Tensor embed(const Tensor& input) override { return input.flatten(1); }
};

struct Entry {
  ModelInfo info;
  std::uint32_t least_side;  ///< of the images it takes; 0: vectors will do
  std::function<std::shared_ptr<Net>(const ModelSpec&)> make;
};

Entry cifar_resnet(std::int64_t depth) {
  return {{fmt::format("resnet{}", depth),
           fmt::format("the {}-layer ResNet for CIFAR, 64-dimensional embedding", depth)},
          8,
          [depth](const ModelSpec& spec) { return std::make_shared<CifarResNet>(spec, depth); }};
}

template <class Made>
std::shared_ptr<Net> make(const ModelSpec& spec) {
  return std::make_shared<Made>(spec);
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {{"cnn", "three convolutions, 64-dimensional embedding: the quickest"}, 8, make<SmallCnn>},
      cifar_resnet(8),
      cifar_resnet(20),
      cifar_resnet(32),
      cifar_resnet(44),
      cifar_resnet(56),
      {{"resnet50", "ResNet-50 for ImageNet, 2048-dimensional embedding"}, 32, make<ResNet50>},
      {{"mlp", "two hidden layers for vectors, 64-dimensional embedding"}, 0, make<Mlp>},
      {{"softmax", "a linear classifier of vectors; the embedding is the vector itself"}, 0, make<Softmax>}};
  return all;
}

const Entry& entry_of(const ModelSpec& spec) {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries()) {
    if (entry.info.name == spec.name) return entry;
    names.push_back(entry.info.name);
  }
  const std::string nearest = nearest_word(spec.name, names);
  throw Error(ErrorKind::bad_option, fmt::format("--model: '{}' given{}; choose one of {}", spec.name,
                                                 nearest.empty() ? "" : ", did you mean '" + nearest + "'?",
                                                 fmt::join(names, ", ")));
}

}  // namespace

ConvNormImpl::ConvNormImpl(std::int64_t in, std::int64_t out, std::int64_t size, std::int64_t stride)
    : stride_(stride), padding_(size / 2), norm_(nullptr) {
  // He's deviation for the gradients' sake: sqrt(2 / (size^2 * out)).
  Tensor weight = torch::empty({out, in, size, size});
  nn::init::kaiming_normal_(weight, 0, torch::kFanOut, torch::kReLU);
  weight_ = register_parameter("weight", channels_last(weight));
  norm_ = register_module("norm", nn::BatchNorm2d(out));
}

Tensor ConvNormImpl::forward(const Tensor& input) {
  if (joined_weight_.defined()) return torch::conv2d(input, joined_weight_, joined_bias_, stride_, padding_);
  return norm_(torch::conv2d(input, weight_, {}, stride_, padding_));
}

void ConvNormImpl::join() {
  const torch::NoGradGuard no_gradients;
  const Tensor scale = norm_->weight / (norm_->running_var + norm_->options.eps()).sqrt();
  joined_weight_ = channels_last(weight_ * scale.view({-1, 1, 1, 1}));
  joined_bias_ = norm_->bias - norm_->running_mean * scale;
}

void Net::set_training(bool training) {
  train(training);
  for (const auto& module : modules())
    if (auto* layer = module->as<ConvNormImpl>()) training ? layer->separate() : layer->join();
}

void Net::add_head(std::int64_t embedding, std::int64_t classes) {
  head_ = register_module("head", nn::Linear(embedding, classes));
}

std::shared_ptr<Net> make_net(const ModelSpec& spec) {
  check_model(spec);
  return entry_of(spec).make(spec);
}

const std::vector<ModelInfo>& models() {
  static const std::vector<ModelInfo> infos = [] {
    std::vector<ModelInfo> out;
    for (const Entry& entry : entries()) out.push_back(entry.info);
    return out;
  }();
  return infos;
}

void check_model(const ModelSpec& spec) {
  const Entry& entry = entry_of(spec);
  if (std::min(spec.input.height, spec.input.width) < entry.least_side)
    throw Error(
        ErrorKind::bad_option,
        spec.input.is_vector()
            ? fmt::format("--model {}: the items are vectors of {} numbers; choose mlp or softmax", spec.name,
                          spec.input.channels)
            : fmt::format("--model {}: images of {} x {} are too small, it takes {} x {} and more", spec.name,
                          spec.input.height, spec.input.width, entry.least_side, entry.least_side));
}

std::uint64_t count_parameters(const ModelSpec& spec) {
  std::uint64_t count = 0;
  for (const Tensor& parameter : make_net(spec)->parameters())
    count += static_cast<std::uint64_t>(parameter.numel());
  return count;
}

std::uint32_t embedding_size(const ModelSpec& spec) {
  return static_cast<std::uint32_t>(make_net(spec)->embedding_size());
}

}  // namespace pith::train
