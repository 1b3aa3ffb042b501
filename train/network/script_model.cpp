#include <torch/script.h>

#include "data/refuse.h"
#include "network/network.h"

namespace pith::train {
namespace {

constexpr const char* remedy =
    "its forward must return logits, or (embeddings, logits), one row an item; see docs/train.md";

}  // namespace

struct ScriptModel::Inside {
  torch::jit::Module module;
  torch::Device device{torch::kCPU};
};

ScriptModel::ScriptModel(const std::string& path, InputShape input, const std::string& device)
    : path_(path), input_(input), inside_(std::make_unique<Inside>()) {
  inside_->device = torch::Device(device);
  try {
    inside_->module = torch::jit::load(path, inside_->device);
    inside_->module.eval();
    inside_->module = torch::jit::optimize_for_inference(inside_->module);
  } catch (const c10::Error& error) {
    refuse_input(path,
                 "cannot be loaded as TorchScript ({}); save it with torch.jit.script(model).save(path)",
                 printable(error.what_without_backtrace()).substr(0, 120));
  }
}

ScriptModel::~ScriptModel() = default;

void ScriptModel::predict(const Batch& batch, std::vector<float>& embeddings, std::vector<float>& probs) {
  const c10::InferenceMode no_gradients;
  try {
    const c10::IValue out = inside_->module.forward({inputs_of(batch, input_, inside_->device)});
    has_embeddings_ = out.isTuple() && out.toTupleRef().elements().size() == 2;
    if (!has_embeddings_ && !out.isTensor()) refuse_input(path_, "returned {}; {}", out.tagKind(), remedy);
    const torch::Tensor embedded =
        (has_embeddings_ ? out.toTupleRef().elements()[0] : out).toTensor().flatten(1);
    const torch::Tensor logits = has_embeddings_ ? out.toTupleRef().elements()[1].toTensor() : embedded;
    const auto items = static_cast<std::int64_t>(batch.items);
    if (logits.dim() != 2 || logits.size(0) != items || embedded.size(0) != items)
      refuse_input(path_, "returned logits of {} dimensions for {} items; {}", logits.dim(), items, remedy);
    give_rows(embedded, logits, embeddings, probs);
  } catch (const c10::Error& error) {
    refuse_input(path_, "failed on the images ({}); {}",
                 printable(error.what_without_backtrace()).substr(0, 200), remedy);
  } catch (const std::runtime_error& error) {
    // Errors of ours pass; what TorchScript's interpreter throws is of this type too.
    if (dynamic_cast<const Error*>(&error) != nullptr) throw;
    refuse_input(path_, "failed on the images ({}); {}", printable(error.what()).substr(0, 200), remedy);
  }
}

}  // namespace pith::train
