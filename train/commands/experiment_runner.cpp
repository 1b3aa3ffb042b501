#include "commands/experiment_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/output_file.h"
#include "base/seconds_since.h"
#include "commands/seed_model.h"
#include "data/npy_writer.h"
#include "network/trainer.h"
#include "pipeline/option_table.h"
#include "pith/pith.h"
#include "strategy/registry.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

/// A cell that takes longer than this is taken up where it was left.
constexpr double checkpoint_seconds = 20;

/// Letters and digits of a name, so that it can be part of a file name.
std::string file_word(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
    out += plain      ? std::string(1, c)
           : c == '%' ? "pct"
                      : fmt::format("_{:02x}", static_cast<unsigned char>(c));
  }
  return out;
}

/// What a trial's cells choose from: its seed model's opinion of every item, and the graphs built so far.
class Chooser {
 public:
  Chooser(SeedOutputs outputs, const Run& run) : outputs_(std::move(outputs)), run_(run) {}

  /// Builds the graph that choosing will need, unless it is there.
  void prepare(const Variant& variant) {
    const SelectOptions effective = effective_options(parse_variant_options(variant).select);
    if (find_strategy(effective.strategy).needs_objective) static_cast<void>(graph_for(effective));
  }

  Selection choose(const Variant& variant, std::uint64_t budget, std::uint64_t seed) {
    VariantOptions options = parse_variant_options(variant);
    options.select.budget = {.amount = static_cast<std::int64_t>(budget)};
    options.select.seed = seed;
    // What is measured on the graph costs more than it tells here, where the test set judges.
    options.select.measure = false;
    const SelectOptions effective = effective_options(options.select);
    SelectInput input;
    input.embeddings = outputs_.embeddings;
    input.probabilities.members = {with_temperature(outputs_.probs, options.temperature)};
    input.predictions = read_predictions(input.probabilities, effective.objective.uncertainty, run_,
                                         effective.balance.boundaries_per_item);
    if (find_strategy(effective.strategy).needs_objective) input.graph = graph_for(effective);
    return select(input, options.select, run_);
  }

 private:
  /// Variants that differ in the objective alone share a graph.
  const Graph& graph_for(const SelectOptions& options) {
    std::string key;
    for (const OptionSpec& spec : select_option_specs())
      if (spec.group == "Graph") key += spec.get(options).dump() + ' ';
    const auto found = graphs_.find(key);
    if (found != graphs_.end()) return found->second;
    return graphs_.emplace(key, build_graph(outputs_.embeddings, options.graph, run_)).first->second;
  }

  SeedOutputs outputs_;
  const Run& run_;
  std::map<std::string, Graph> graphs_;
};

std::uint64_t distinct(const std::vector<std::uint32_t>& labels) {
  return std::set<std::uint32_t>(labels.begin(), labels.end()).size();
}

/// Work left in steps of training, which nearly all of the time goes to.
class TimeLeft {
 public:
  void expect(std::uint64_t steps) { left_ += static_cast<double>(steps); }
  void done(std::uint64_t steps) {
    left_ -= static_cast<double>(steps);
    done_ += static_cast<double>(steps);
  }
  [[nodiscard]] double seconds() const { return done_ > 0 ? seconds_since(started_) * left_ / done_ : 0; }

 private:
  Clock::time_point started_ = Clock::now();
  double left_ = 0;
  double done_ = 0;
};

class Runner {
 public:
  Runner(const ExperimentPlan& plan, const Pool& pool, ResultsStore& store, const std::string& device,
         const CellReport& report, const Run& run)
      : plan_(plan), pool_(pool), store_(store), device_(device), report_(report), run_(run) {}

  void run() {
    const std::vector<PlannedCell> cells = plan_cells(plan_, pool_.items.size());
    std::vector<PlannedCell> open;
    for (const PlannedCell& cell : cells)
      if (!store_.has(cell.key, cell.options)) open.push_back(cell);
    for (const PlannedCell& cell : open) time_left_.expect(cell.steps);
    cells_ = cells.size();
    done_ = cells.size() - open.size();
    std::optional<std::uint64_t> trial;
    for (const PlannedCell& cell : open) {
      if (trial != cell.key.trial) chooser_.reset();
      trial = cell.key.trial;
      const CellResult result = do_cell(cell);
      store_.add(result);
      time_left_.done(cell.steps);
      last_accuracy_ = result.accuracy;
      report_(result, ++done_, cells_, time_left_.seconds());
    }
    std::error_code ignored;
    fs::remove(fs::path(plan_.out) / "unfinished", ignored);
  }

 private:
  [[nodiscard]] std::uint64_t seed_of(const PlannedCell& cell) const { return plan_.seed + cell.key.trial; }
  [[nodiscard]] fs::path file_in(const char* folder, const std::string& name) const {
    const fs::path place = fs::path(plan_.out) / folder;
    fs::create_directories(place);
    return place / name;
  }
  [[nodiscard]] static std::string file_name(const PlannedCell& cell) {
    return fmt::format("{}-{}-{}", file_word(cell.key.variant), file_word(cell.key.budget), cell.key.trial);
  }
  [[nodiscard]] CheckpointPlan resumable(const std::string& name) const {
    return {.path = file_in("unfinished", fmt::format("{}.safetensors", name)).string(),
            .resume = true,
            .least_seconds = checkpoint_seconds};
  }

  CellResult do_cell(const PlannedCell& cell) {
    CellResult result;
    result.key = cell.key;
    result.options = cell.options;
    const Part part = cell.key.variant == full_name ? pool_.items : pool_.items.subset(choose(cell, result));
    result.items = part.size();
    result.classes_covered = distinct(part.labels);
    train_and_test(cell, part, result);
    return result;
  }

  std::vector<Item> choose(const PlannedCell& cell, CellResult& result) {
    if (!chooser_) {
      const std::string name = fmt::format("trial-{}", cell.key.trial);
      chooser_.emplace(
          seed_outputs(pool_, plan_.seed_training, plan_.seed_fraction, seed_of(cell),
                       (fs::path(plan_.out) / name).string(), resumable(fmt::format("seed-{}", name)),
                       device_, labelled(fmt::format("trial {} seed model", cell.key.trial))),
          run_);
    }
    const Variant variant{.name = cell.key.variant, .options = cell.options};
    chooser_->prepare(variant);  // a graph that variants share is no cell's own time
    const auto started = Clock::now();
    const Selection selection = chooser_->choose(variant, cell.items, seed_of(cell));
    result.select_seconds = seconds_since(started);
    result.mean_uncertainty = selection.mean_uncertainty;
    for (const GroupRow& boundary : selection.boundaries)
      result.boundaries_covered += boundary.selected > 0 ? 1 : 0;
    std::vector<Item> picks;
    for (const PickRow& pick : selection.picks) picks.push_back(pick.item);
    // Two variants that pick the same items train the same network, in whatever order they picked.
    std::sort(picks.begin(), picks.end());
    OutputFile file(file_in("subsets", fmt::format("{}.npy", file_name(cell))).string());
    file.write(npy_of_int64(picks));
    file.put_in_place();
    return picks;
  }

  void train_and_test(const PlannedCell& cell, const Part& part, CellResult& result) {
    TrainOptions options = plan_.training;
    options.seed = seed_of(cell);
    Network network({.name = options.model,
                     .input = pool_.shape(),
                     .classes = pool_.classes,
                     .normalisation = pool_.normalisation},
                    options.seed, device_);
    const CheckpointPlan checkpoint = resumable(file_name(cell));
    const Run run =
        labelled(fmt::format("{} {} trial {}", cell.key.variant, cell.key.budget, cell.key.trial));
    const TrainReport trained = train_network(network, part, options, cell.steps, checkpoint, run);
    const Evaluation evaluation = evaluate(network, pool_.test, pool_.normalisation, run);
    result.accuracy = evaluation.accuracy;
    result.loss = evaluation.loss;
    result.training_loss = trained.diverged || trained.epoch_losses.empty()
                               ? std::numeric_limits<double>::quiet_NaN()
                               : trained.epoch_losses.back();
    result.steps = trained.steps;
    result.train_seconds = trained.seconds;
    std::error_code ignored;
    fs::remove(checkpoint.path, ignored);
  }

  /// The same run, its progress under the name of what is being done, with what is done already.
  [[nodiscard]] Run labelled(const std::string& what) const {
    Run run = run_;
    const std::string last = last_accuracy_ ? fmt::format(", last {:.1f}%", 100 * *last_accuracy_) : "";
    const std::string name = fmt::format("{} of {} cells{}; {}", done_, cells_, last, what);
    if (run_.progress)
      run.progress = [this, name](std::string_view stage, double done, double total) {
        run_.progress(fmt::format("{}: {}", name, stage), done, total);
      };
    return run;
  }

  const ExperimentPlan& plan_;
  const Pool& pool_;
  ResultsStore& store_;
  std::string device_;
  const CellReport& report_;
  const Run& run_;
  std::optional<Chooser> chooser_;
  TimeLeft time_left_;
  std::size_t cells_ = 0;
  std::size_t done_ = 0;
  std::optional<double> last_accuracy_;
};

}  // namespace

std::vector<PlannedCell> plan_cells(const ExperimentPlan& plan, std::size_t pool_items) {
  std::vector<PlannedCell> cells;
  const auto add = [&](const CellKey& key, const std::string& options, std::size_t items) {
    cells.push_back(
        {.key = key, .options = options, .items = items, .steps = plan.training.steps_for(items)});
  };
  for (std::uint64_t trial = 0; trial < plan.trials; ++trial) {
    for (const std::string& budget : plan.budgets) {
      const std::size_t items = count_of(parse_budget("budgets", budget), pool_items, "budgets");
      for (const Variant& variant : plan.variants)
        add({.trial = trial, .budget = budget, .variant = variant.name}, variant.options, items);
    }
    if (plan.all_data) add({.trial = trial, .budget = full_budget, .variant = full_name}, "", pool_items);
  }
  return cells;
}

nlohmann::ordered_json setting_of(const ExperimentPlan& plan, const Pool& pool) {
  const TrainOptions& training = plan.training;
  nlohmann::ordered_json setting = {
      {"data", fs::absolute(pool.name).lexically_normal().string()},
      {"format", pool.format},
      {"items", pool.items.size()},
      {"long_tail", pool.long_tail},
      {"tested_with", pool.test_name},
      {"validate", pool.validate},
      {"test_items", pool.test.size()},
      {"height", pool.shape().height},
      {"width", pool.shape().width},
      {"seed", plan.seed},
      {"seed_fraction", plan.seed_fraction},
      {"model", training.model},
      {"schedule", training.schedule == ScheduleKind::one_cycle ? "one-cycle" : "steps"},
      {"first_step", training.first_step == FirstStep::warmup ? "warmup" : "decay"},
      {"epochs", training.epochs},
      {"least_steps", training.least_steps},
      {"rate", training.rate},
      {"weight_decay", training.weight_decay},
      {"batch", training.batch},
      {"augmentation", static_cast<int>(training.augmentation)}};
  // Only where it differs: folders from before there was a choice go on.
  if (plan.seed_training.epochs != training.epochs) setting["seed_epochs"] = plan.seed_training.epochs;
  if (plan.seed_training.least_steps != training.least_steps)
    setting["seed_least_steps"] = plan.seed_training.least_steps;
  return setting;
}

void run_experiment(const ExperimentPlan& plan, const Pool& pool, ResultsStore& store,
                    const std::string& device, const CellReport& report, const Run& run) {
  Runner(plan, pool, store, device, report, run).run();
}

}  // namespace pith::train
