#include "pith/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/in_words.h"
#include "data/tiles.h"
#include "graph/build_graph.h"
#include "graph/find_neighbors.h"
#include "objective/objective.h"
#include "pipeline/plan_graph.h"
#include "pith/error.h"
#include "pith/select.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// The program itself, its libraries' tables and what the allocator keeps.
constexpr std::uint64_t program_bytes = 8U << 20;
/// A thread's stack and the allocator's arena for it.
constexpr std::uint64_t thread_bytes = 1U << 20;

// Seconds by rule of thumb, of two cores; measured and compared in docs/scale.md.
constexpr double bytes_a_second = 7e9;               ///< of a file in the system's cache, checked and hashed
constexpr double probabilities_a_second = 6e8;       ///< single numbers, checked and ranked
constexpr double triangle_seconds_an_entry2 = 4e-9;  ///< for an item and every two entries of its row
constexpr double choosing_seconds_an_item =
    2.5e-7;  ///< of a million; more of many millions, which no cache holds
constexpr double refining_seconds_an_item = 1.3e-6;  ///< of a certificate that is refined in many rounds
constexpr double measuring_seconds_an_item = 6e-8;
constexpr double usual_threads = 2;

/// With its corners, and the room its vector grows into.
constexpr double bytes_an_area = 36;
/// With the room its vector grows into.
constexpr double bytes_a_pick = 160;

std::string search_part(std::uint32_t neighbors) {
  return fmt::format("searching {} neighbours an item", neighbors);
}

/// No more than 2^60, which no machine has: so that sums of some of these do not wrap.
std::uint64_t whole(double bytes) {
  return static_cast<std::uint64_t>(std::min(std::max(0.0, std::ceil(bytes)), 0x1p60));
}

std::uint64_t bytes_of_input(const Matrix& matrix) {
  return matrix.rows() * matrix.cols() * bytes_of(matrix.view.scalar);
}

Plan::Part streamed_part(std::string what, const Matrix& matrix) {
  if (matrix.view.pieces != nullptr) what += fmt::format(" in {} shards", matrix.view.pieces->views.size());
  return {.what = std::move(what), .bytes = bytes_of_input(matrix)};
}

std::size_t items_in(const SelectInput& input) {
  return std::max({input.predictions.size(), input.probabilities.items(), input.embeddings.rows()});
}

/// Of an item: its predictions, and the numbers that were read beside them.
double bytes_of_an_item(const SelectInput& input, const SelectOptions& options) {
  const bool other = options.objective.uncertainty != UncertaintyKind::margin;
  return 16 + (other ? 8 : 0) + 12.0 * (options.balance.boundaries_per_item - 1) +
         (input.scores.empty() ? 0 : 8) + (input.costs.empty() ? 0 : 8);
}

/// Labelled items included.
double most_picks(const SelectInput& input, const SelectOptions& options) {
  const std::size_t rows = items_in(input);
  const auto items = static_cast<double>(rows);
  const double budget = options.cost_budget ? items : static_cast<double>(options.budget.count_of(rows));
  return std::min(items, budget + static_cast<double>(input.labelled.size()));
}

/// Entries of a row of the graph, at most on average: each list of k, and for the union being listed.
double entries_of(std::uint32_t neighbors, Symmetry symmetry) {
  return symmetry == Symmetry::mutual ? neighbors : 2.0 * neighbors;
}

double graph_bytes(double items, double entries, Metric metric) {
  return items * (8 + 8 * entries + (metric == Metric::cosine ? 0 : 4 * entries));
}

bool lie_as_floats(const MatrixView& view) {
  const auto is_plain = [](const MatrixView& one) { return one.rows > 0 && one.row_as_floats(0) != nullptr; };
  if (view.pieces == nullptr) return is_plain(view);
  return std::all_of(view.pieces->views.begin(), view.pieces->views.end(), is_plain);
}

/// Bytes of the state of f, an item, and of the terms themselves.
struct TermSizes {
  double state = 1;
  double term = 0;
  double in_all = 0;  ///< not by item: of all pairs

  TermSizes(const ObjectiveOptions& options, double items, double dimension) {
    for (const TermWeight& term_weight : terms_of(options)) {
      const std::string& name = term_weight.name;
      if (name == "diversity") state += 8;
      if (name == "triples") state += 4;
      if (name == "quads") {
        state += 8;
        term += 16;
      }
      if (name == "graph-cut") {
        state += 8;
        term += 8;
      }
      if (name != "facility-location") continue;
      state += 17;
      if (options.facility == Facility::dense) in_all += 4 * items * items + 4 * items * dimension;
    }
  }
};

class SelectionPlanner {
 public:
  SelectionPlanner(const SelectInput& input, const SelectOptions& options, const Run& run,
                   std::uint64_t besides)
      : input_(input),
        options_(options),
        strategy_(find_strategy(options.strategy)),
        threads_(run.thread_count()),
        besides_(besides),
        items_(static_cast<double>(items_in(input))),
        measured_(options.measure || strategy_.needs_objective || input.graph.has_value()) {
    const GraphInfo info = input.graph ? input.graph->info() : GraphInfo{};
    neighbors_ = input.graph                                ? info.neighbors
                 : measured_ && input.embeddings.rows() > 1 ? neighbors_asked(input.embeddings, options.graph)
                                                            : 0;
    metric_ = input.graph ? info.metric : options.graph.metric;
    entries_ = input.graph ? static_cast<double>(input.graph->all_neighbors().size()) / items_
                           : entries_of(neighbors_, options.graph.symmetry);
  }

  Plan make() {
    note_inputs();
    add_reading();
    if (measured_ && !input_.graph) add_graph();
    if (measured_) add_triangles();
    add_choosing();
    if (measured_) add_measuring();
    return std::move(plan_);
  }

 private:
  void note_inputs() {
    if (input_.embeddings.rows() != 0)
      plan_.streamed.push_back(streamed_part("embeddings", input_.embeddings));
    for (const Matrix& member : input_.probabilities.members)
      plan_.streamed.push_back(streamed_part("probabilities", member));
    if (input_.graph)
      plan_.streamed.push_back({"the saved graph", whole(graph_bytes(items_, entries_, Metric::cosine))});
  }

  [[nodiscard]] double in_parallel(double seconds) const { return seconds * usual_threads / threads_; }

  Plan::Stage stage(const char* name) const {
    Plan::Stage stage{.name = name};
    const double an_item =
        bytes_of_an_item(input_, options_) + 1 + 8 + 4.0 * (options_.balance.boundaries_per_item - 1);
    stage.held.push_back({"predictions and groups", whole(an_item * items_) + besides_});
    stage.held.push_back({"the program", program_bytes + threads_ * thread_bytes});
    return stage;
  }

  void add_reading() {
    Plan::Stage reading = stage("read");
    std::uint64_t tile = 0;
    double seconds = 0;
    if (const Matrix& rows = input_.embeddings; rows.rows() != 0) {
      tile = tile_rows(rows.view) * rows.cols() * 8 + (1U << 20);
      seconds += 2 * static_cast<double>(bytes_of_input(rows)) / bytes_a_second;
    }
    for (const Matrix& member : input_.probabilities.members) {
      tile = std::max<std::uint64_t>(tile, 2 * tile_rows(member.view) * member.cols() * 8 + (1U << 20));
      seconds += items_ * static_cast<double>(member.cols()) / probabilities_a_second;
    }
    reading.held.push_back({"tiles of rows", tile * threads_});
    reading.seconds = in_parallel(seconds);
    plan_.stages.push_back(std::move(reading));
  }

  void add_graph() {
    Plan::Stage graph = stage("graph");
    GraphOptions options = options_.graph;
    if (options.memory_bytes) *options.memory_bytes -= std::min(*options.memory_bytes, graph.bytes());
    const NeighborPlan search = plan_neighbors(input_.embeddings.view, options, neighbors_, threads_);
    graph.held.push_back({search_part(neighbors_), search.bytes});
    graph.seconds = search.seconds +
                    in_parallel(2 * static_cast<double>(bytes_of_input(input_.embeddings)) / bytes_a_second);
    plan_.stages.push_back(std::move(graph));
  }

  void hold_graph(Plan::Stage& stage) const {
    if (!input_.graph) stage.held.push_back({"the graph", whole(graph_bytes(items_, entries_, metric_))});
  }

  void add_triangles() {
    Plan::Stage triangles = stage("triangles");
    hold_graph(triangles);
    const bool exact = options_.objective.areas == Areas::exact;
    // Half of every row, packed, and counts.
    triangles.held.push_back(
        {"finding triangles",
         whole(items_ * (8 + 4 * entries_ + 8 + 8 + (exact ? 8 : 0)) + areas_kept() * bytes_an_area)});
    const double pairs = entries_ * entries_ / 4;
    triangles.seconds = in_parallel(items_ * pairs * triangle_seconds_an_entry2);
    plan_.stages.push_back(std::move(triangles));
  }

  /// Areas that wait for the threshold: those that a sample, as find_triangles() takes it, leaves near the
  /// quantile. A quarter of all pairs of neighbours are taken to be neighbours themselves.
  [[nodiscard]] double areas_kept() const {
    if (options_.objective.area_threshold) return 0;
    const double work = items_ * entries_ * entries_ / 4;
    const double step = std::min(work / 0x1p19, std::max(4.0, items_ / 1000));
    const double opened = items_ / step;
    const double quantile = options_.objective.area_quantile;
    const double slack = 4 * std::sqrt(quantile * (1 - quantile) / opened) + 10 / opened;
    const bool all = work < 4 * 0x1p19 || opened < 100;
    return work / 4 * (all ? 1.0 : std::min(1.0, 2 * slack));
  }

  [[nodiscard]] StrategySize strategy_size(double state) const {
    StrategySize size;
    size.items = items_;
    size.dimension = static_cast<double>(input_.embeddings.cols());
    size.classes = static_cast<double>(
        std::max<std::size_t>(input_.predictions.classes, input_.probabilities.classes()));
    size.entries = entries_;
    size.budget = most_picks(input_, options_);
    size.state = state;
    size.floats = lie_as_floats(input_.embeddings.view);
    return size;
  }

  void add_objective(Plan::Stage& stage, const TermSizes& terms) const {
    hold_graph(stage);
    stage.held.push_back({"the objective", whole(items_ * (8 + terms.term) + terms.in_all)});
  }

  void add_choosing() {
    Plan::Stage choosing = stage("choose");
    const TermSizes terms(options_.objective, items_, static_cast<double>(input_.embeddings.cols()));
    const StrategySize size = strategy_size(terms.state * items_);
    choosing.held.push_back({fmt::format("strategy {}", strategy_.name), whole(strategy_.own_bytes(size))});
    choosing.held.push_back({"picks", whole(bytes_a_pick * size.budget)});
    if (measured_) {
      add_objective(choosing, terms);
      // Made beside the choosing: gains, both groupings, and a copy of the weights of a group.
      choosing.held.push_back({"the certificate", whole(items_ * (terms.state + 8 + 8 + 16))});
    }
    choosing.seconds = items_ * choosing_seconds_an_item * std::pow(std::max(1.0, items_ / 1e6), 0.3);
    plan_.stages.push_back(std::move(choosing));
  }

  void add_measuring() {
    Plan::Stage measuring = stage("measure");
    const TermSizes terms(options_.objective, items_, static_cast<double>(input_.embeddings.cols()));
    add_objective(measuring, terms);
    // The edges' multipliers are written down only where several rounds refine them.
    const double edges = items_ <= 200'000 ? 4 * entries_ : 0;
    measuring.held.push_back({"the certificate", whole(items_ * (terms.state + 8 + 8 + 16 + 8 + 9 + edges))});
    measuring.held.push_back(
        {"picks and what they stand for", whole(12 * items_ + 500 * strategy_size(0).budget)});
    measuring.seconds = items_ * (items_ <= 200'000 ? refining_seconds_an_item : measuring_seconds_an_item);
    plan_.stages.push_back(std::move(measuring));
  }

  const SelectInput& input_;
  const SelectOptions& options_;
  const Strategy& strategy_;
  unsigned threads_;
  std::uint64_t besides_;
  double items_;
  bool measured_;
  std::uint32_t neighbors_ = 0;
  Metric metric_ = Metric::cosine;
  double entries_ = 0;
  Plan plan_;
};

const Plan::Stage* largest_stage(const Plan& plan) {
  const auto found =
      std::max_element(plan.stages.begin(), plan.stages.end(),
                       [](const Plan::Stage& a, const Plan::Stage& b) { return a.bytes() < b.bytes(); });
  return found == plan.stages.end() ? nullptr : &*found;
}

}  // namespace

std::uint64_t Plan::Stage::bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const Part& part : held) sum += part.bytes;
  return sum;
}

std::uint64_t Plan::most_bytes() const noexcept {
  const Stage* const largest = largest_stage(*this);
  return largest == nullptr ? 0 : largest->bytes();
}

GraphOptions as_planned(GraphOptions options, const Plan& plan) {
  if (!options.memory_bytes) return options;
  for (const Plan::Stage& stage : plan.stages)
    if (stage.name == "graph") options.memory_bytes = stage.held.back().bytes;
  return options;
}

std::uint64_t bytes_of_comparison(const SelectInput& input, const SelectOptions& options,
                                  std::size_t strategies) {
  const auto items = static_cast<double>(items_in(input));
  const TermSizes terms(options.objective, items, static_cast<double>(input.embeddings.cols()));
  return whole(items * (bytes_of_an_item(input, options) + terms.term) + terms.in_all +
               static_cast<double>(strategies) * bytes_a_pick * most_picks(input, options));
}

double Plan::seconds() const noexcept {
  double sum = 0;
  for (const Stage& stage : stages) sum += stage.seconds;
  return sum;
}

Plan plan_graph(const Matrix& embeddings, const GraphOptions& options, const Run& run) {
  const unsigned threads = run.thread_count();
  const std::uint64_t program = program_bytes + threads * thread_bytes;
  GraphOptions within = options;
  if (within.memory_bytes) *within.memory_bytes -= std::min(*within.memory_bytes, program);
  const std::uint32_t k = neighbors_asked(embeddings, options);
  const NeighborPlan search = plan_neighbors(embeddings.view, within, k, threads);
  Plan plan;
  plan.streamed.push_back(streamed_part("embeddings", embeddings));
  const double passes = 3 * static_cast<double>(bytes_of_input(embeddings)) / bytes_a_second;
  Plan::Stage stage{.name = "graph"};
  stage.held.push_back({"the program", program});
  stage.held.push_back({search_part(k), search.bytes});
  stage.seconds = search.seconds + passes * usual_threads / threads;
  plan.stages.push_back(std::move(stage));
  return plan;
}

Plan plan_selection(const SelectInput& input, const SelectOptions& options, const Run& run,
                    std::uint64_t besides) {
  const SelectOptions settled = effective_options(options);
  return SelectionPlanner(input, settled, run, besides).make();
}

void require_memory(const Plan& plan, std::optional<std::uint64_t> memory_bytes) {
  const Plan::Stage* const largest = largest_stage(plan);
  if (!memory_bytes || largest == nullptr || largest->bytes() <= *memory_bytes) return;
  const auto part =
      std::max_element(largest->held.begin(), largest->held.end(),
                       [](const Plan::Part& a, const Plan::Part& b) { return a.bytes < b.bytes; });
  throw Error(
      ErrorKind::bad_option,
      fmt::format("--memory: {} allowed, but no less than {} will do ({}: {} of it, {}); allow as much, use "
                  "fewer threads, or ask for fewer neighbours",
                  bytes_in_words(*memory_bytes), bytes_in_words(largest->bytes()), largest->name,
                  bytes_in_words(part->bytes), part->what));
}

std::string plan_text(const Plan& plan, std::optional<std::uint64_t> memory_bytes) {
  std::string text =
      fmt::format("Plan: {} of memory{}, {}\n", bytes_in_words(plan.most_bytes()),
                  memory_bytes ? fmt::format(" of {} allowed", bytes_in_words(*memory_bytes)) : "",
                  seconds_in_words(plan.seconds()));
  for (const Plan::Part& part : plan.streamed)
    text += fmt::format("  read where it lies  {} ({})\n", part.what, bytes_in_words(part.bytes));
  for (const Plan::Stage& stage : plan.stages) {
    std::vector<Plan::Part> parts = stage.held;
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Plan::Part& a, const Plan::Part& b) { return a.bytes > b.bytes; });
    std::string held;
    for (const Plan::Part& part : parts)
      held += fmt::format("{}{} {}", held.empty() ? "" : ", ", part.what, bytes_in_words(part.bytes));
    text += fmt::format("  {:<10} {:>8}  {}: {}\n", stage.name, bytes_in_words(stage.bytes()),
                        seconds_in_words(stage.seconds), held);
  }
  return text;
}

}  // namespace pith
