#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/rng.h"
#include "pipeline/outputs.h"
#include "pith/error.h"
#include "pith/select.h"
#include "ranks/checkpoint.h"
#include "ranks/select_across.h"
#include "ranks/thread_communicator.h"
#include "ranks/together.h"
#include "support/failing_communicator.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

const Run one_thread{.threads = 1, .progress = {}, .cancelled = nullptr};

struct Problem {
  SelectInput input;
  SelectOptions options;
};

/// Both kinds of caps, and a budget beyond them: the greedy alone does not always fill them.
void tighten_caps(SelectOptions& options, Rng& rng) {
  options.strategy = "submod-bal";
  options.balance.balance = BalanceKind::both;
  options.balance.shortfall = Shortfall::stop;
  options.balance.class_cap = FixedCap{static_cast<std::int64_t>(2 + rng.below(4))};
  options.balance.boundary_cap = FixedCap{static_cast<std::int64_t>(1 + rng.below(3))};
}

/// Embeddings with ties and equal rows, few classes, and options of all kinds that ranks can share.
Problem random_problem(std::uint64_t seed) {
  Rng rng(mix64(seed + 77));
  const std::size_t n = 4 + rng.below(seed % 8 == 0 ? 300 : 70);
  const std::size_t dimension = 2 + rng.below(6);
  const bool tight = seed % 3 == 1;
  const auto classes = static_cast<std::uint32_t>((tight ? 5 : 2) + rng.below(4));
  std::vector<float> rows(n * dimension);
  for (float& value : rows) value = static_cast<float>(rng.below(seed % 2 == 0 ? 4 : 1000)) - 1.0F;
  std::vector<float> probs(n * classes);
  for (std::size_t item = 0; item < n; ++item) {
    float sum = 0;
    for (std::size_t c = 0; c < classes; ++c)
      sum += probs[item * classes + c] = 1.0F + static_cast<float>(rng.below(c == 0 ? 12 : 5));
    for (std::size_t c = 0; c < classes; ++c) probs[item * classes + c] /= sum;
  }
  Problem problem;
  SelectOptions& options = problem.options;
  SelectInput& input = problem.input;
  const std::vector<std::string> strategies = {"submod-bal", "submod-bal", "submod-bal",        "submod",
                                               "graph-cut",  "margin",     "facility-location", "stratified"};
  options.strategy = strategies[rng.below(strategies.size())];
  options.seed = seed;
  options.measure = rng.below(8) != 0;
  options.graph.neighbors = static_cast<std::uint32_t>(1 + rng.below(std::min<std::size_t>(n - 1, 9)));
  options.graph.metric = static_cast<Metric>(rng.below(3));
  options.graph.symmetry = static_cast<Symmetry>(rng.below(2));
  options.objective.triple_scale = static_cast<TripleScale>(rng.below(3));
  if (rng.below(3) == 0) options.objective.lambda = std::nullopt;
  if (rng.below(3) == 0) options.objective.gamma = std::nullopt;
  if (options.strategy == "submod-bal" || options.strategy == "stratified") {
    options.balance.balance = static_cast<BalanceKind>(rng.below(4));
    options.balance.shortfall = rng.below(3) == 0 ? Shortfall::stop : Shortfall::relax;
    if (rng.below(3) == 0) options.balance.boundary_cap = ProportionalCap{};
    if (rng.below(4) == 0)
      options.balance.boundary_cap = FixedCap{static_cast<std::int64_t>(1 + rng.below(9))};
    if (rng.below(4) == 0) options.balance.boundaries_per_item = 2;
  }
  if (options.strategy == "submod-bal" && rng.below(3) == 0) {
    options.objective.terms = {{"uncertainty", 0.5}, {"diversity", 0.25}, {"graph-cut", 0.1}, {"scores", 2}};
    for (std::size_t item = 0; item < n; ++item)
      input.scores.push_back(static_cast<double>(rng.below(4)) / 3);
  }
  const bool greedy = options.strategy != "margin" && options.strategy != "stratified";
  if (greedy && rng.below(6) == 0) options.greedy.optimizer = static_cast<Optimizer>(rng.below(4));
  for (Item item = 0; item < n && rng.below(2) == 0; item += 3) input.labelled.push_back(item);
  for (Item item = 1; item < n && rng.below(2) == 0; item += 3) input.excluded.push_back(item);
  const std::size_t left = n - input.labelled.size() - input.excluded.size();
  options.budget.amount = static_cast<std::int64_t>(1 + rng.below(left));
  if (tight) {
    tighten_caps(options, rng);
    options.budget.amount = static_cast<std::int64_t>(left);
  }
  input.embeddings = Matrix::of_floats(std::move(rows), n, dimension, "embeddings");
  input.probabilities.members = {Matrix::of_floats(std::move(probs), n, classes, "probs")};
  input.predictions = read_predictions(input.probabilities, options.objective.uncertainty, one_thread,
                                       options.balance.boundaries_per_item);
  return problem;
}

/// All that is written of a selection, times and the plan apart.
std::string written(Selection selection) {
  selection.seconds.clear();
  selection.plan = {};
  return summary_json(selection, {}) + selection_csv(selection, {}, one_thread) + indices_npy(selection);
}

/// What select() writes, or says.
std::string alone(const Problem& problem) {
  try {
    return written(select(problem.input, problem.options, one_thread));
  } catch (const Error& error) {
    return error.what();
  }
}

bool is_refused(const std::string& text) {
  return !text.starts_with('{');
}

bool is_augmented(const std::string& text) {
  return text.find("\"augmented\": ") != std::string::npos &&
         text.find("\"augmented\": 0") == std::string::npos;
}

std::vector<std::string> across(const Problem& problem, int size, const AcrossOptions& options = {}) {
  std::vector<std::string> texts(static_cast<std::size_t>(size));
  run_ranks(size, [&](Communicator& ranks) {
    std::string& text = texts[static_cast<std::size_t>(ranks.rank())];
    try {
      text = written(select_across(ranks, problem.input, problem.options, options, one_thread));
    } catch (const SharedError& error) {
      text = error.what();
    }
  });
  return texts;
}

TEST(select_across_property, writes_what_one_machine_writes) {
  int augmented = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed);
    const std::string wanted = alone(problem);
    augmented += is_augmented(wanted) ? 1 : 0;
    refused += is_refused(wanted) ? 1 : 0;
    for (const std::string& found : across(problem, 1 + static_cast<int>(seed % 8))) ASSERT_EQ(found, wanted);
  }
  EXPECT_GT(augmented, 10);
  EXPECT_LT(refused, 10);
}

TEST(select_across, refuses_what_ranks_cannot_share_on_all_of_them) {
  Problem problem = random_problem(1);
  problem.options = {};
  problem.options.strategy = "k-center";
  for (const std::string& text : across(problem, 3))
    EXPECT_EQ(text, "the strategy k-center cannot be shared between ranks; run pith select without mpirun");
  problem.options.strategy = "submod-bal";
  problem.options.objective.areas = Areas::exact;
  for (const std::string& text : across(problem, 2))
    EXPECT_EQ(text, "--areas exact cannot be shared between ranks; run pith select without mpirun");
}

/// Whether a rank died at its exchange after so many, and took the others with it.
bool dies(const Problem& problem, const AcrossOptions& options, int size, int victim,
          std::uint64_t exchanges) {
  try {
    run_ranks(size, [&](Communicator& ranks) {
      testing::FailingCommunicator mortal(ranks, ranks.rank() == victim ? exchanges : 1'000'000);
      static_cast<void>(select_across(mortal, problem.input, problem.options, options, one_thread));
    });
  } catch (const std::runtime_error& error) {  // its own, though the others were woken by it
    if (error.what() != std::string_view("killed")) throw;
    return true;
  }
  return false;
}

bool has_saved(const AcrossOptions& options, std::string_view name) {
  std::error_code none_yet;
  for (const auto& entry : std::filesystem::directory_iterator(options.checkpoint_folder, none_yet))
    if (entry.path().filename().native().starts_with(name)) return true;
  return false;
}

/// Ranks that end at any moment, each time another number of them: what is saved leads to the same result.
TEST(select_across_property, goes_on_after_faults_on_any_number_of_ranks) {
  int deaths = 0;
  int with_rows = 0;
  int with_picks = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(8 * seed);  // the larger ones
    const std::string wanted = alone(problem);
    testing::TempDir folder;
    AcrossOptions options;
    options.checkpoint_folder = folder.path("unfinished");
    options.checkpoint_seconds = 0;
    options.identity = "this one";
    Rng rng(seed);
    for (int fault = 0; fault < 3; ++fault) {
      const auto size = static_cast<int>(1 + rng.below(5));
      const auto victim = static_cast<int>(rng.below(static_cast<std::uint64_t>(size)));
      const std::uint64_t exchanges = rng.below(fault == 2 ? 300 : 60);
      if (is_refused(wanted) || !dies(problem, options, size, victim, exchanges)) continue;
      ++deaths;
      with_rows += has_saved(options, "rows-") ? 1 : 0;
      with_picks += has_saved(options, "picks") ? 1 : 0;
    }
    for (const std::string& found : across(problem, 1 + static_cast<int>(rng.below(4)), options))
      ASSERT_EQ(found, wanted);
    forget_checkpoints(options);
    ASSERT_FALSE(std::filesystem::exists(options.checkpoint_folder));
  }
  EXPECT_GT(deaths, 80);
  EXPECT_GT(with_rows, 60);
  EXPECT_GT(with_picks, 8);
}

/// Its picks and raised caps are its own: an exact run that finds them would choose others.
TEST(select_across, by_bounding_leaves_no_picks_to_go_on_from) {
  int bounded = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed);
    if (problem.options.strategy != "submod-bal") continue;
    const testing::TempDir folder;
    AcrossOptions options;
    options.checkpoint_folder = folder.path("unfinished");
    options.checkpoint_seconds = 0;
    options.identity = "this one";
    AcrossOptions by_bounding = options;
    by_bounding.distributed = Distributed::bounding;
    for (const std::string& found : across(problem, 2, by_bounding))
      bounded += found.find("cannot be") == std::string::npos ? 1 : 0;
    EXPECT_FALSE(std::filesystem::exists(folder.path("unfinished/picks")));
    for (const std::string& found : across(problem, 2, options)) EXPECT_EQ(found, alone(problem));
  }
  EXPECT_GT(bounded, 10);
}

TEST(select_across, forgets_its_own_files_and_no_others) {
  const testing::TempDir folder;
  AcrossOptions options;
  options.checkpoint_folder = folder.path("unfinished");
  options.identity = "this one";
  const std::filesystem::path unfinished = options.checkpoint_folder;
  std::filesystem::create_directory(unfinished);
  for (const char* name :
       {"plan", "picks", "rows-0-5", "met-0-5", "found-0-1", "found-1-2.unfinished-WxKtpr"})
    std::ofstream(unfinished / name) << "x";
  std::ofstream(unfinished / "notes.txt") << "mine";
  forget_checkpoints(options);
  ASSERT_TRUE(std::filesystem::exists(unfinished / "notes.txt"));
  std::filesystem::remove(unfinished / "notes.txt");
  EXPECT_TRUE(std::filesystem::is_empty(unfinished));
  forget_checkpoints(options);
  EXPECT_FALSE(std::filesystem::exists(unfinished));
}

}  // namespace
}  // namespace pith
