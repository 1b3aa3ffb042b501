#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "images/dataset.h"

namespace pith::train {

/// What the paper's first step means: it names the epochs 15, 200, 300, 400 (5, 30, 60, 80) without more.
/// `warmup`: the rate rises to its base until the first of them and is divided by 10 at the others; `decay`:
/// divided at all four.
enum class FirstStep : std::uint8_t { warmup, decay };
enum class ScheduleKind : std::uint8_t { one_cycle, steps };

/// How a network is trained. Epochs count passes over the items that are trained on.
struct TrainOptions {
  std::string model = "cnn";
  ScheduleKind schedule = ScheduleKind::one_cycle;
  FirstStep first_step = FirstStep::warmup;
  std::vector<double> milestones;  ///< of the step schedule, as shares of all epochs, ascending
  double epochs = 15;
  std::uint64_t least_steps = 0;  ///< small sets get more epochs, until there are this many steps
  double rate = 0.1;              ///< highest rate of the cycle, or base of the steps
  double momentum = 0.9;          ///< Nesterov's
  double weight_decay = 5e-4;
  std::uint64_t batch = 128;
  Augmentation augmentation = Augmentation::crop_and_flip;
  std::uint64_t seed = 0;

  /// Every problem at once, each a sentence that names the remedy.
  [[nodiscard]] std::vector<std::string> check() const;
  /// Steps for a set of so many items: the same for every subset of a size.
  [[nodiscard]] std::uint64_t steps_for(std::uint64_t items) const;
};

/// Minutes on two cores: one cycle of few epochs in small batches, without augmentation, which pays only in
/// longer trainings (docs/experiments.md). For items that are vectors, a smaller rate and another network.
[[nodiscard]] TrainOptions quick_preset(bool vectors = false);
/// As in the paper; its numbers for ImageNet, or for CIFAR.
[[nodiscard]] TrainOptions paper_train_preset(bool imagenet);

/// The learning rate of a step, of `steps` in all.
[[nodiscard]] double rate_at(const TrainOptions& options, std::uint64_t step, std::uint64_t steps);

}  // namespace pith::train
