#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "data/join_rows.h"
#include "graph/approximate_neighbors.h"
#include "pith/pith.h"
#include "support/files.h"
#include "support/random_rows.h"
#include "support/runs.h"
#include "support/saved_graph.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using testing::random_rows;
using testing::RowStyle;
using testing::saved;
using testing::TempDir;

/// The same rows in pieces, some of one row.
template <class Value, class Make>
Matrix in_pieces(const std::vector<Value>& values, std::size_t cols, Make make) {
  const std::size_t rows = values.size() / cols;
  std::vector<Matrix> parts;
  for (std::size_t begin = 0; begin < rows;) {
    const std::size_t end = begin + *rc::gen::inRange<std::size_t>(1, rows - begin + 1);
    const auto at = [&](std::size_t row) { return values.begin() + static_cast<std::ptrdiff_t>(row * cols); };
    parts.push_back(make({at(begin), at(end)}, end - begin, cols, "part"));
    begin = end;
  }
  return join_rows(parts, "parts");
}

RC_GTEST_PROP(shards, have_the_graph_of_the_joined_rows, ()) {
  const TempDir place;
  const auto n = *rc::gen::inRange<std::size_t>(2, 200);
  const auto cols = *rc::gen::inRange<std::size_t>(1, 20);
  const auto style = *rc::gen::element(RowStyle::gaussian, RowStyle::small_integers, RowStyle::clustered);
  const auto floats = random_rows(n, cols, style, *rc::gen::arbitrary<std::uint64_t>());
  const GraphOptions options{.metric = *rc::gen::element(Metric::cosine, Metric::l2, Metric::l1),
                             .symmetry = *rc::gen::element(Symmetry::either, Symmetry::mutual)};
  const auto run = testing::with_threads(*rc::gen::inRange(1U, 4U));
  RC_ASSERT(saved(build_graph(in_pieces(floats, cols, Matrix::of_floats), options, run), place) ==
            saved(build_graph(Matrix::of_floats(floats, n, cols, "whole"), options, run), place));
  const std::vector<double> doubles(floats.begin(), floats.end());
  RC_ASSERT(saved(build_graph(in_pieces(doubles, cols, testing::matrix_of_doubles), options, run), place) ==
            saved(build_graph(testing::matrix_of_doubles(doubles, n, cols, "whole"), options, run), place));
}

/// So few rows that find_neighbors() would meet all pairs: the search in cells is told to go on.
RC_GTEST_PROP(shards, have_the_approximate_lists_of_the_joined_rows, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(20, 400);
  const auto cols = *rc::gen::inRange<std::size_t>(2, 20);
  const auto floats = random_rows(n, cols, RowStyle::gaussian, *rc::gen::arbitrary<std::uint64_t>());
  const auto metric = *rc::gen::element(Metric::cosine, Metric::l2, Metric::l1);
  const auto run = testing::with_threads(*rc::gen::inRange(1U, 4U));
  const auto found = [&](const Matrix& rows) {
    return approximate_neighbors(rows.view, metric, 5, {.recall = 0.5, .cells = 4, .persist = true}, run);
  };
  const ApproximateNeighbors whole = found(Matrix::of_floats(floats, n, cols, "whole"));
  const ApproximateNeighbors parts = found(in_pieces(floats, cols, Matrix::of_floats));
  RC_ASSERT(!whole.exact);
  RC_ASSERT(parts.lists.items == whole.lists.items);
  RC_ASSERT(parts.lists.dissimilarities == whole.lists.dissimilarities);
}

RC_GTEST_PROP(shards, are_chosen_from_as_the_joined_rows_are, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(5, 60);
  const std::size_t classes = 3;
  const std::size_t cols = 4;
  const auto rows = random_rows(n, cols, RowStyle::small_integers, *rc::gen::arbitrary<std::uint64_t>());
  std::vector<double> probs;
  for (std::size_t item = 0; item < n; ++item) {
    const double a = *rc::gen::inRange(1, 9);
    const double b = *rc::gen::inRange(1, 9);
    for (const double p : {a, b, 3.0}) probs.push_back(p / (a + b + 3));
  }
  const auto chosen = [&](const Matrix& embeddings, const Matrix& predicted, const std::string& strategy) {
    SelectInput input;
    input.embeddings = embeddings;
    input.probabilities.members = {predicted};
    input.predictions = read_predictions(input.probabilities, UncertaintyKind::margin);
    SelectOptions options;
    options.strategy = strategy;
    options.budget.amount = static_cast<std::int64_t>(n / 3 + 1);
    options.objective.areas = Areas::exact;
    std::vector<std::pair<Item, double>> picks;
    for (const PickRow& row : select(input, options, testing::with_threads(2)).picks)
      picks.emplace_back(row.item, row.gain);
    return picks;
  };
  const auto strategy = *rc::gen::element<std::string>("submod-bal", "k-center", "badge", "herding", "mmd",
                                                       "gist", "dpp", "typiclust", "max-sum", "dedup");
  RC_ASSERT(chosen(in_pieces(rows, cols, Matrix::of_floats),
                   in_pieces(probs, classes, testing::matrix_of_doubles),
                   strategy) == chosen(Matrix::of_floats(rows, n, cols, "whole"),
                                       testing::matrix_of_doubles(probs, n, classes, "whole"), strategy));
}

}  // namespace
}  // namespace pith
