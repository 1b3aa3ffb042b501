#include "network/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pith::train {
namespace {

/// Rises in a straight line to the highest rate over the first 30% of the steps, then falls along a cosine to
/// 0.
double one_cycle(double highest, double at) {
  constexpr double rise = 0.3;
  constexpr double start = 0.04;
  if (at < rise) return highest * (start + (1 - start) * at / rise);
  return highest * 0.5 * (1 + std::cos(std::numbers::pi * (at - rise) / (1 - rise)));
}

double stepwise(const TrainOptions& options, double at) {
  double rate = options.rate;
  for (std::size_t index = 0; index < options.milestones.size(); ++index) {
    const double milestone = options.milestones[index];
    if (index == 0 && options.first_step == FirstStep::warmup) {
      if (at < milestone) return options.rate * at / milestone;
    } else if (at >= milestone) {
      rate /= 10;
    }
  }
  return rate;
}

}  // namespace

std::vector<std::string> TrainOptions::check() const {
  std::vector<std::string> problems;
  const auto require = [&](bool holds, const std::string& problem) {
    if (!holds) problems.push_back(problem);
  };
  require(epochs > 0 && epochs <= 1e6,
          fmt::format("--epochs: {} given; it must lie above 0 and be at most 1000000", epochs));
  require(rate > 0 && rate <= 1e3,
          fmt::format("--rate: {} given; it must lie above 0 and be at most 1000", rate));
  require(weight_decay >= 0 && weight_decay < 1,
          fmt::format("--weight-decay: {} given; it must lie in [0,1)", weight_decay));
  require(batch >= 2 && batch <= 65536,
          fmt::format("--batch: {} given; write a number from 2 to 65536", batch));
  return problems;
}

std::uint64_t TrainOptions::steps_for(std::uint64_t items) const {
  const double steps = std::ceil(epochs * static_cast<double>(items) / static_cast<double>(batch));
  return std::max({std::uint64_t{1}, least_steps, static_cast<std::uint64_t>(steps)});
}

TrainOptions quick_preset(bool vectors) {
  TrainOptions options;
  options.model = vectors ? "mlp" : "cnn";
  options.epochs = 15;
  options.least_steps = 300;
  options.rate = vectors ? 0.03 : 0.3;
  options.batch = 32;
  options.augmentation = Augmentation::none;
  return options;
}

TrainOptions paper_train_preset(bool imagenet) {
  TrainOptions options;
  options.schedule = ScheduleKind::steps;
  options.model = imagenet ? "resnet50" : "resnet56";
  options.epochs = imagenet ? 90 : 450;
  options.rate = imagenet ? 0.1 : 1.0;
  options.weight_decay = 1e-4;
  options.batch = imagenet ? 256 : 128;
  const std::vector<double> epochs =
      imagenet ? std::vector<double>{5, 30, 60, 80} : std::vector<double>{15, 200, 300, 400};
  for (const double epoch : epochs) options.milestones.push_back(epoch / options.epochs);
  return options;
}

double rate_at(const TrainOptions& options, std::uint64_t step, std::uint64_t steps) {
  if (options.schedule == ScheduleKind::one_cycle)
    return one_cycle(options.rate, (static_cast<double>(step) + 0.5) / static_cast<double>(steps));
  // The first step of a warm-up has a rate too, hence + 1; a milestone is where its epoch begins.
  const auto all = static_cast<double>(steps);
  const bool warming = options.first_step == FirstStep::warmup && !options.milestones.empty() &&
                       static_cast<double>(step) < options.milestones[0] * all;
  return stepwise(options, std::min((static_cast<double>(step) + (warming ? 1 : 0)) / all,
                                    warming ? options.milestones[0] : 1.0));
}

}  // namespace pith::train
