#include "pith/plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/peak_memory.h"
#include "base/rng.h"
#include "data/join_rows.h"
#include "graph/triangles.h"
#include "objective/dense_facility.h"
#include "pipeline/compare.h"
#include "pipeline/plan_graph.h"
#include "pipeline/synth.h"
#include "pith/pith.h"
#include "strategy/registry.h"
#include "support/errors.h"
#include "support/runs.h"
#include "support/sanitized.h"

namespace pith {
namespace {

using testing::expect_error;
using testing::sanitized;
using testing::with_threads;

/// Clusters of Gaussian rows with the probabilities of a classifier, in memory that is there already.
SelectInput made_up(std::size_t items, std::uint32_t dimension, std::size_t models = 1) {
  SynthData data = synthesize({.items = items, .dimension = dimension, .classes = 10, .long_tail = 10});
  SelectInput input;
  input.embeddings = Matrix::of_floats(std::move(data.embeddings), items, dimension, "rows");
  for (std::size_t model = 0; model < models; ++model)
    input.probabilities.members.push_back(Matrix::of_floats(data.probs, items, 10, "probs"));
  input.predictions = read_predictions(input.probabilities, UncertaintyKind::margin);
  return input;
}

/// What was measured must not exceed what was planned, and the plan must not be absurd: at most three times
/// as much, and a fixed amount for panels and stacks.
void expect_planned(const Plan& plan, const std::optional<std::uint64_t>& measured, const std::string& what) {
  if (!measured) GTEST_SKIP() << "the system does not tell the most memory held";
  EXPECT_LE(*measured, plan.most_bytes()) << what << "\n" << plan_text(plan, {});
  EXPECT_LE(plan.most_bytes(), 3 * *measured + (40U << 20)) << what << "\n" << plan_text(plan, {});
}

TEST(plan, holds_for_graphs_and_selections_from_scratch) {
  if (sanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
  const SelectInput input = made_up(120'000, 8);
  for (const Knn knn : {Knn::exact, Knn::approximate})
    for (const std::uint32_t neighbors : {4U, 16U}) {
      SelectOptions options;
      options.budget.amount = 0.05;
      options.graph = {.neighbors = neighbors, .knn = knn, .recall = 0.9};
      const PeakMemory memory;
      const Selection selection = select(input, options, with_threads(2));
      expect_planned(selection.plan, memory.bytes(),
                     selection.graph.method + " " + std::to_string(neighbors));
    }
}

TEST(plan, holds_for_many_neighbours) {
  if (sanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
  const SelectInput input = made_up(20'000, 16);
  SelectOptions options;
  options.budget.amount = 0.05;
  options.graph.neighbors = 100;
  const PeakMemory memory;
  const Selection selection = select(input, options, with_threads(2));
  expect_planned(selection.plan, memory.bytes(), "100 neighbours");
}

/// The graph of l2 looks for the median of its lengths, in a copy of them.
TEST(plan, holds_for_graphs_that_have_a_scale) {
  if (sanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
  const SelectInput input = made_up(120'000, 8);
  const GraphOptions options{.neighbors = 16, .metric = Metric::l2, .knn = Knn::exact};
  const Plan plan = plan_graph(input.embeddings, options, with_threads(2));
  const PeakMemory memory;
  const Graph graph = build_graph(input.embeddings, options, with_threads(2));
  expect_planned(plan, memory.bytes(), std::to_string(graph.edge_count()));
}

/// They close any number of triangles of area 0, none of which has to be kept.
TEST(plan, holds_for_triangles_of_equal_rows) {
  if (sanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
  constexpr std::size_t items = 20'000;
  const Matrix rows = Matrix::of_floats(std::vector<float>(items * 4, 0.5F), items, 4, "rows");
  const Graph graph = build_graph(rows, {.neighbors = 20}, with_threads(2));
  const PeakMemory memory;
  const Triangles triangles = find_triangles(graph, {}, with_threads(2));
  const auto measured = memory.bytes();
  if (!measured) GTEST_SKIP() << "the system does not tell the most memory held";
  EXPECT_EQ(triangles.area_threshold, 0);
  EXPECT_EQ(triangles.thin_count, 0U);
  EXPECT_GT(triangles.count, items * 20 * 19 / 2 - items);
  EXPECT_LT(*measured, 16 * triangles.count);
}

TEST(plan, holds_for_every_strategy) {
  if (sanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
  SelectInput input = made_up(40'000, 16, 2);
  input.graph = build_graph(input.embeddings, {}, with_threads(2));
  for (const Strategy& strategy : strategies()) {
    SelectOptions options;
    options.strategy = strategy.name;
    options.budget.amount = std::int64_t{200};
    const PeakMemory memory;
    const Selection selection = select(input, options, with_threads(2));
    expect_planned(selection.plan, memory.bytes(), std::string(strategy.name));
  }
}

/// The picks of all strategies are kept until the end: so many that they are most of what is held.
TEST(plan, holds_for_a_comparison) {
  if (sanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
  const SelectInput input = made_up(20'000, 8);
  SelectOptions options;
  options.budget.amount = 0.9;
  options.objective.terms = {{"uncertainty", 1}, {"quads", 1}};
  const auto predictions = [&](UncertaintyKind kind) {
    return read_predictions(input.probabilities, kind, with_threads(2));
  };
  const std::vector<std::string> names(20, "random");
  const Plan plan = plan_comparison(input, options, names, with_threads(2));
  const PeakMemory memory;
  static_cast<void>(compare(input, options, names, predictions, with_threads(2)));
  expect_planned(plan, memory.bytes(), "twenty strategies");
}

/// What all of them hold together does not depend on which needs most, nor on the order they are named in.
TEST(plan, of_a_comparison_counts_what_it_keeps) {
  const SelectInput input = made_up(2000, 8);
  const auto bytes = [&](const SelectOptions& options, const std::vector<std::string>& names) {
    return plan_comparison(input, options, names, with_threads(2)).most_bytes();
  };
  SelectOptions options;
  options.budget.amount = std::int64_t{1000};
  EXPECT_GE(bytes(options, {"random", "margin"}), bytes(options, {"random"}) + 1000 * sizeof(PickRow));
  EXPECT_EQ(bytes(options, {"submod-bal", "random"}), bytes(options, {"random", "submod-bal"}));
  const std::uint64_t alone =
      plan_selection(input, options_beside_others(options, "random"), with_threads(2)).most_bytes();
  const std::uint64_t by_three_terms = bytes(options, {"random"});
  EXPECT_GE(by_three_terms, alone + 2000 * 16) << "the predictions it was given";
  EXPECT_EQ(
      plan_comparison(input, options, std::vector<std::string>{"random"}, with_threads(2), 1000).most_bytes(),
      by_three_terms + 1000);
}

/// prob-cover looks at the graph alone: rows that are no floats are not copied for it.
TEST(plan, counts_a_copy_of_rows_for_those_who_make_one) {
  const std::vector<float> row(1024, 1.0F);
  SelectInput input;
  MatrixView view = MatrixView::of_floats(row.data(), 1'000'000, 1024);
  input.embeddings = {.view = view, .owner = {}, .source = "rows"};
  view.cols = 10;
  input.probabilities.members.push_back({.view = view, .owner = {}, .source = "probs"});
  SelectOptions options;
  const auto chosen_by = [&](const char* name, bool swapped) {
    options.strategy = name;
    input.embeddings.view.byte_swapped = swapped;
    const Plan plan = plan_selection(input, options, with_threads(2));
    for (const Plan::Stage& stage : plan.stages)
      if (stage.name == "choose") return stage.bytes();
    return std::uint64_t{0};
  };
  EXPECT_EQ(chosen_by("prob-cover", true), chosen_by("prob-cover", false));
  EXPECT_GT(chosen_by("herding", true), chosen_by("herding", false) + (std::uint64_t{4} << 30) - (1U << 28));
}

TEST(plan, refuses_what_cannot_work_and_the_least_it_names_works) {
  const SelectInput input = made_up(20'000, 32);
  SelectOptions options;
  options.graph.neighbors = 40;
  options.graph.memory_bytes = std::uint64_t{64} << 20;
  expect_error(ErrorKind::bad_option, {"--memory: 68 MB allowed", "no less than", "will do"},
               [&] { static_cast<void>(select(input, options, with_threads(2))); });
  const std::uint64_t least = plan_selection(input, options, with_threads(2)).most_bytes();
  EXPECT_GT(least, *options.graph.memory_bytes);
  options.graph.memory_bytes = least;
  const Selection tight = select(input, options, with_threads(2));
  options.graph.memory_bytes.reset();
  const Selection free = select(input, options, with_threads(2));
  EXPECT_GE(free.plan.most_bytes(), least);
  ASSERT_EQ(tight.picks.size(), free.picks.size());
  for (std::size_t at = 0; at < tight.picks.size(); ++at)
    EXPECT_EQ(tight.picks[at].item, free.picks[at].item);
}

TEST(plan, of_a_graph_gives_the_search_what_is_left) {
  const SelectInput input = made_up(20'000, 32);
  GraphOptions options{.neighbors = 100, .memory_bytes = std::uint64_t{512} << 20};
  const Plan roomy = plan_graph(input.embeddings, options, with_threads(2));
  EXPECT_EQ(as_planned(options, roomy).memory_bytes, roomy.stages.back().held.back().bytes);
  options.memory_bytes = std::uint64_t{64} << 20;
  const Plan tight = plan_graph(input.embeddings, options, with_threads(2));
  EXPECT_LE(tight.most_bytes(), roomy.most_bytes());
  expect_error(ErrorKind::bad_option, {"--memory: 68 MB allowed", "searching 100 neighbours"},
               [&] { require_memory(tight, options.memory_bytes); });
  EXPECT_NO_THROW(require_memory(tight, tight.most_bytes()));
  EXPECT_NO_THROW(require_memory(tight, std::nullopt));
}

TEST(plan, grows_with_what_it_is_made_of) {
  const auto bytes = [](std::size_t items, const SelectOptions& options) {
    SelectInput input;
    const std::vector<float> row(64, 1.0F);
    // Only shapes are looked at.
    MatrixView view = MatrixView::of_floats(row.data(), items, 64);
    input.embeddings = {.view = view, .owner = {}, .source = "rows"};
    view.cols = 10;
    input.probabilities.members.push_back({.view = view, .owner = {}, .source = "probs"});
    return plan_selection(input, options, with_threads(2));
  };
  SelectOptions options;
  const Plan million = bytes(1'000'000, options);
  const Plan ten = bytes(10'000'000, options);
  EXPECT_NEAR(static_cast<double>(ten.most_bytes()) / static_cast<double>(million.most_bytes()), 10, 2);
  EXPECT_GT(ten.seconds(), 10 * million.seconds());
  EXPECT_LT(ten.most_bytes(), std::uint64_t{16} << 30);
  options.graph.neighbors = 20;
  EXPECT_GT(bytes(1'000'000, options).most_bytes(), million.most_bytes());
  options.strategy = "random";
  options.measure = false;
  const Plan without_graph = bytes(1'000'000, options);
  EXPECT_LT(without_graph.most_bytes(), million.most_bytes() / 2);
  EXPECT_EQ(without_graph.stages.size(), 2U);
  ASSERT_EQ(million.streamed.size(), 2U);
  EXPECT_EQ(million.streamed[0].bytes, 1'000'000U * 64 * 4);
  options.strategy = "facility-location";
  options.objective.facility = Facility::dense;
  EXPECT_GT(bytes(1'000'000, options).most_bytes(), std::uint64_t{4} * 1'000'000 * 1'000'000);
  // More than 64 bits hold, and more than any machine.
  constexpr std::uint64_t beyond = std::uint64_t{1} << 60;
  EXPECT_GE(bytes(3'000'000'000, options).most_bytes(), beyond);
  options.strategy = "random";
  options.measure = true;
  options.graph.neighbors = 1'000'000'000;
  EXPECT_GE(bytes(3'000'000'000, options).most_bytes(), beyond);
  EXPECT_EQ(DenseFacilityTerm::bytes_of(1'000'000), 4'000'000'000'000U);
  EXPECT_GE(DenseFacilityTerm::bytes_of(std::size_t{1} << 31), beyond);
  const std::string text = plan_text(million, std::uint64_t{4} << 30);
  for (const char* part : {"4.29 GB allowed", "embeddings (256 MB)", "searching 10 neighbours", "triangles"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace
}  // namespace pith
