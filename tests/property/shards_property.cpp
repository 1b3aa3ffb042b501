#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "data/join_rows.h"
#include "pith/pith.h"
#include "support/files.h"
#include "support/random_rows.h"
#include "support/runs.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using testing::random_rows;
using testing::RowStyle;
using testing::TempDir;

std::string saved(const Graph& graph, const TempDir& place) {
  save_graph(graph, place.path("g.pith"));
  return testing::file_contents(place.path("g.pith"));
}

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
                             .symmetry = *rc::gen::element(Symmetry::either, Symmetry::mutual),
                             .knn = *rc::gen::element(Knn::exact, Knn::approximate)};
  const auto run = testing::with_threads(*rc::gen::inRange(1U, 4U));
  RC_ASSERT(saved(build_graph(in_pieces(floats, cols, Matrix::of_floats), options, run), place) ==
            saved(build_graph(Matrix::of_floats(floats, n, cols, "whole"), options, run), place));
  const std::vector<double> doubles(floats.begin(), floats.end());
  RC_ASSERT(saved(build_graph(in_pieces(doubles, cols, testing::matrix_of_doubles), options, run), place) ==
            saved(build_graph(testing::matrix_of_doubles(doubles, n, cols, "whole"), options, run), place));
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
