#include <chrono>
#include <cmath>
#include <filesystem>

#include "base/seconds_since.h"
#include "data/refuse.h"
#include "network/network.h"
#include "network/torch_errors.h"

namespace pith::train {
namespace {

using Json = nlohmann::ordered_json;
using torch::Tensor;

/// What must not change between a checkpoint and its resumption.
Json identity_of(const TrainOptions& options, const ModelSpec& spec, const Part& part, std::uint64_t steps) {
  std::uint64_t items_hash = part.size();
  for (std::size_t at = 0; at < part.size(); ++at)
    for (const std::uint64_t value : {std::uint64_t{part.indices[at]}, std::uint64_t{part.labels[at]}})
      items_hash = items_hash * 0x9e3779b97f4a7c15U + value;
  return {{"model", options.model},
          {"schedule", options.schedule == ScheduleKind::one_cycle ? "one-cycle" : "steps"},
          {"first_step", options.first_step == FirstStep::warmup ? "warmup" : "decay"},
          {"milestones", options.milestones},
          {"rate", options.rate},
          {"momentum", options.momentum},
          {"weight_decay", options.weight_decay},
          {"batch", options.batch},
          {"augmentation", static_cast<int>(options.augmentation)},
          {"seed", options.seed},
          {"steps", steps},
          {"items", part.size()},
          {"items_hash", items_hash},
          {"height", spec.input.height},
          {"width", spec.input.width},
          {"channels", spec.input.channels},
          {"mean", spec.normalisation.mean},
          {"deviation", spec.normalisation.deviation},
          {"threads", at::get_num_threads()}};
}

/// One training on its way.
class Training {
 public:
  Training(Network& network, const Part& part, const TrainOptions& options, std::uint64_t steps,
           const CheckpointPlan& plan, const Run& run)
      : network_(network), inside_(network.inside()), part_(part), options_(options), plan_(plan), run_(run) {
    report_.steps = steps;
    inside_.momentum.clear();
    for (const Tensor& parameter : inside_.net->parameters())
      inside_.momentum.push_back(torch::zeros_like(parameter));
    if (!plan.path.empty() && plan.resume && std::filesystem::exists(plan.path)) take_up();
  }

  TrainReport run() {
    const TrainingOrder order(part_.size(), options_.batch, report_.steps, options_.seed);
    BatchLoader loader(part_, order,
                       {.augmentation = options_.augmentation,
                        .normalisation = network_.spec().normalisation,
                        .first_batch = step_,
                        .threads = run_.thread_count()},
                       run_);
    inside_.set_mode(Network::Inside::Mode::training);
    while (const Batch* batch = loader.next()) {
      run_.check_cancelled();
      const double loss = step(*batch);
      ++step_;
      if (!std::isfinite(loss)) {
        report_.diverged = true;
        report_.steps = step_;
        break;
      }
      loss_sum_ += loss;
      ++losses_;
      if (ends_epoch()) finish_epoch();
      run_.report("train", static_cast<double>(step_), static_cast<double>(report_.steps));
    }
    if (losses_ > 0) close_epoch();
    inside_.momentum.clear();
    report_.waited_seconds = loader.waited_seconds();
    report_.seconds = seconds_since(started_);
    return report_;
  }

 private:
  double step(const Batch& batch) {
    const Tensor labels = torch::from_blob(const_cast<std::int64_t*>(batch.labels.data()),
                                           {static_cast<std::int64_t>(batch.items)}, torch::kLong)
                              .to(inside_.device);
    const Tensor inputs = inputs_of(batch, network_.spec().input, inside_.device);
    const Tensor loss = torch::cross_entropy_loss(inside_.net->classify(inside_.net->embed(inputs)), labels);
    loss.backward();
    descend();
    return loss.item<double>();
  }

  /// Nesterov: m <- mu m + g, p <- p - rate (g + mu m), g the gradient with the weight decay.
  void descend() {
    const torch::NoGradGuard no_gradients;
    const double rate = rate_at(options_, step_, report_.steps);
    std::vector<Tensor> parameters = inside_.net->parameters();
    for (std::size_t at = 0; at < parameters.size(); ++at) {
      Tensor gradient = parameters[at].grad();
      gradient.add_(parameters[at], options_.weight_decay);
      inside_.momentum[at].mul_(options_.momentum).add_(gradient);
      parameters[at].add_(gradient.add_(inside_.momentum[at], options_.momentum), -rate);
      parameters[at].mutable_grad().reset();
    }
  }

  [[nodiscard]] std::uint64_t epochs_after(std::uint64_t step) const {
    return step * options_.batch / part_.size();
  }
  [[nodiscard]] bool ends_epoch() const { return epochs_after(step_) > epochs_after(step_ - 1); }

  void close_epoch() {
    report_.epoch_losses.push_back(loss_sum_ / static_cast<double>(losses_));
    loss_sum_ = 0;
    losses_ = 0;
  }

  void finish_epoch() {
    close_epoch();
    if (plan_.path.empty() || step_ >= report_.steps || seconds_since(last_checkpoint_) < plan_.least_seconds)
      return;
    ModelFile file = network_.save();
    inside_.save_momentum(file);
    file.training = {{"identity", identity_of(options_, network_.spec(), part_, report_.steps)},
                     {"step", step_},
                     {"epoch_losses", report_.epoch_losses}};
    save_model_file(file, plan_.path);
    last_checkpoint_ = std::chrono::steady_clock::now();
  }

  void take_up() {
    const ModelFile file = load_model_file(plan_.path);
    const Json now = identity_of(options_, network_.spec(), part_, report_.steps);
    const Json before = file.training.contains("identity") ? file.training.at("identity") : Json::object();
    for (const auto& [name, value] : now.items())
      if (!before.contains(name) || before.at(name) != value)
        refuse(ErrorKind::bad_option, plan_.path,
               "the checkpoint was made with {} {}, now it is {}; use the same options, or remove the file "
               "to start again",
               name, before.contains(name) ? before.at(name).dump() : "unknown", value.dump());
    inside_.restore(file, plan_.path);
    inside_.restore_momentum(file, plan_.path);
    try {
      step_ = file.training.at("step").get<std::uint64_t>();
      report_.epoch_losses = file.training.at("epoch_losses").get<std::vector<double>>();
    } catch (const nlohmann::json::exception&) {
      refuse_input(plan_.path, "the checkpoint lacks its progress; remove the file to start again");
    }
    report_.resumed_at = step_;
  }

  Network& network_;
  Network::Inside& inside_;
  const Part& part_;
  const TrainOptions& options_;
  const CheckpointPlan& plan_;
  const Run& run_;
  TrainReport report_;
  std::uint64_t step_ = 0;
  double loss_sum_ = 0;
  std::uint64_t losses_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_checkpoint_ = started_;
};

}  // namespace

std::string training_identity(const TrainOptions& options, const ModelSpec& spec, const Part& part,
                              std::uint64_t steps) {
  Json identity = identity_of(options, spec, part, steps);
  identity.erase("threads");
  return identity.dump();
}

TrainReport train_network(Network& network, const Part& part, const TrainOptions& options,
                          std::uint64_t steps, const CheckpointPlan& checkpoint, const Run& run) {
  if (part.size() == 0) throw Error(ErrorKind::bad_input, "no items to train on");
  return with_memory_named([&] { return Training(network, part, options, steps, checkpoint, run).run(); });
}

}  // namespace pith::train
