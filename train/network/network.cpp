#include "network/network.h"

#include <malloc.h>

#include <cstdlib>
#include <cstring>

#include "data/refuse.h"
#include "network/torch_errors.h"

namespace pith::train {
namespace {

using torch::Tensor;

NamedArray array_of(const std::string& name, const Tensor& tensor) {
  const Tensor plain = tensor.detach().to(torch::kCPU).contiguous();
  const bool whole = plain.scalar_type() == torch::kLong;
  return {.name = name,
          .shape = plain.sizes().vec(),
          .whole_numbers = whole,
          .bytes = std::string(static_cast<const char*>(plain.data_ptr()), plain.nbytes())};
}

void fill_from(Tensor& tensor, const NamedArray* array, const std::string& name, const std::string& path) {
  const bool whole = tensor.scalar_type() == torch::kLong;
  if (array == nullptr || array->shape != tensor.sizes().vec() || array->whole_numbers != whole)
    refuse_input(path, "array '{}' is missing or has another shape than the network; make the file again",
                 name);
  const Tensor plain = torch::empty(tensor.sizes(), whole ? torch::kLong : torch::kFloat);
  std::memcpy(plain.data_ptr(), array->bytes.data(), array->bytes.size());
  const torch::NoGradGuard no_gradients;
  tensor.copy_(plain);
}

}  // namespace

void prepare_torch(unsigned threads) {
  // oneDNN 2.6 asks for matrix tiles (AMX) that some virtual machines promise and do not have. A wish of the
  // user stays.
  ::setenv("DNNL_MAX_CPU_ISA", "AVX512_CORE_BF16", 0);
  // Every step asks for the same large blocks again: keep them instead of mapping and clearing new pages each
  // time.
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  ::mallopt(M_TOP_PAD, 64 << 20);
  at::set_num_threads(static_cast<int>(threads));
  at::globalContext().setFlushDenormal(true);
}

std::string choose_device(const std::string& wish) {
  const bool has_cuda = torch::cuda::is_available();
  if (wish == "auto") return has_cuda ? "cuda" : "cpu";
  if (wish == "cpu" || (wish == "cuda" && has_cuda)) return wish;
  throw Error(ErrorKind::bad_option,
              wish == "cuda" ? "--device: libtorch finds no graphics card here; use cpu or auto"
                             : fmt::format("--device: '{}' given; choose auto, cpu or cuda", wish));
}

Tensor inputs_of(const Batch& batch, InputShape shape, const torch::Device& device) {
  auto* values = const_cast<float*>(batch.inputs.data());
  const auto items = static_cast<std::int64_t>(batch.items);
  const std::int64_t h = shape.height;
  const std::int64_t w = shape.width;
  const std::int64_t c = shape.channels;
  const Tensor view = shape.is_vector()
                          ? torch::from_blob(values, {items, c})
                          : torch::from_blob(values, {items, c, h, w}, {h * w * c, 1, w * c, c});
  return view.to(device);
}

void give_rows(const Tensor& embeddings, const Tensor& logits, std::vector<float>& embedding_rows,
               std::vector<float>& prob_rows) {
  const auto copy = [](const Tensor& tensor, std::vector<float>& rows) {
    const Tensor plain = tensor.to(torch::kCPU, torch::kFloat).contiguous();
    rows.assign(plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel());
  };
  copy(embeddings, embedding_rows);
  copy(torch::softmax(logits.to(torch::kFloat), 1), prob_rows);
}

Network::Network(const ModelSpec& spec, std::uint64_t seed, const std::string& device)
    : spec_(spec), inside_(std::make_unique<Inside>()) {
  torch::manual_seed(seed);
  inside_->net = make_net(spec);
  inside_->device = torch::Device(device);
  inside_->net->to(inside_->device);
}

Network::Network(const ModelFile& file, const std::string& path, const std::string& device)
    : Network(file.spec, 0, device) {
  inside_->restore(file, path);
}

Network::~Network() = default;

void Network::Inside::set_mode(Mode wanted) {
  if (mode == wanted) return;
  net->set_training(wanted == Mode::training);
  mode = wanted;
}

void Network::Inside::restore(const ModelFile& file, const std::string& path) {
  for (auto& item : net->named_parameters())
    fill_from(item.value(), file.find("weights/" + item.key()), "weights/" + item.key(), path);
  for (auto& item : net->named_buffers())
    fill_from(item.value(), file.find("buffers/" + item.key()), "buffers/" + item.key(), path);
  mode = Mode::unknown;
}

void Network::Inside::restore_momentum(const ModelFile& file, const std::string& path) {
  std::size_t at = 0;
  for (const auto& item : net->named_parameters())
    fill_from(momentum[at++], file.find("momentum/" + item.key()), "momentum/" + item.key(), path);
}

void Network::Inside::save_momentum(ModelFile& file) const {
  std::size_t at = 0;
  for (const auto& item : net->named_parameters())
    file.arrays.push_back(array_of("momentum/" + item.key(), momentum[at++]));
}

ModelFile Network::save() const {
  ModelFile file{.spec = spec_, .training = nlohmann::ordered_json::object(), .arrays = {}};
  for (const auto& item : inside_->net->named_parameters())
    file.arrays.push_back(array_of("weights/" + item.key(), item.value()));
  for (const auto& item : inside_->net->named_buffers())
    file.arrays.push_back(array_of("buffers/" + item.key(), item.value()));
  return file;
}

void Network::predict(const Batch& batch, std::vector<float>& embeddings, std::vector<float>& probs) {
  with_memory_named([&] {
    const c10::InferenceMode no_gradients;
    inside_->set_mode(Inside::Mode::predicting);
    const Tensor embedded = inside_->net->embed(inputs_of(batch, spec_.input, inside_->device));
    give_rows(embedded, inside_->net->classify(embedded), embeddings, probs);
  });
}

}  // namespace pith::train
