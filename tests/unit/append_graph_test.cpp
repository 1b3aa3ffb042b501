#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "data/join_rows.h"
#include "pith/graph.h"
#include "pith/read.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/random_rows.h"

namespace pith {
namespace {

using testing::expect_bad_input;
using testing::expect_error;
using testing::random_rows;
using testing::RowStyle;

Matrix rows_of(std::size_t n, std::size_t dimension, std::string source, std::uint64_t seed = 1) {
  return Matrix::of_floats(random_rows(n, dimension, RowStyle::gaussian, seed), n, dimension,
                           std::move(source));
}

TEST(append_graph, refuses_what_cannot_be_joined) {
  const Matrix old_rows = rows_of(30, 4, "old.npy");
  const Graph old = build_graph(old_rows, {});
  const auto append = [&](const Graph& graph, const Matrix& rows, const Matrix& more) {
    return [&graph, &rows, &more] { static_cast<void>(append_graph(graph, rows, more, {}, "old.pith")); };
  };
  const Matrix more = rows_of(5, 4, "new.npy", 2);
  EXPECT_EQ(append_graph(old, old_rows, more).size(), 35U);
  expect_bad_input({"old.pith", "other embeddings", "fingerprint"},
                   append(old, rows_of(30, 4, "old.npy", 9), more));
  expect_bad_input({"old.pith", "30 items", "29 rows"}, append(old, rows_of(29, 4, "old.npy"), more));
  expect_bad_input({"new.npy", "5 columns", "old.npy has 4"},
                   append(old, old_rows, rows_of(5, 5, "new.npy")));
  expect_bad_input({"new.npy", "f64", "old.npy", "f32", "same type"},
                   append(old, old_rows, testing::matrix_of_doubles({1, 2, 3, 4}, 1, 4, "new.npy")));
  auto values = random_rows(5, 4, RowStyle::gaussian, 2);
  values[6] = std::numeric_limits<float>::quiet_NaN();
  expect_bad_input({"old.npy followed by new.npy", "row 31"},
                   append(old, old_rows, Matrix::of_floats(values, 5, 4, "new.npy")));

  MatrixView endless = more.view;
  endless.rows = std::numeric_limits<Item>::max() - 30;
  expect_error(ErrorKind::unsupported, {"new.npy", "30 items", "4294967265 more", "4294967295"},
               append(old, old_rows, {.view = endless, .owner = {}, .source = "new.npy"}));
}

TEST(append_graph, refuses_graphs_that_it_cannot_go_on_from) {
  const Matrix rows = rows_of(30, 4, "old.npy");
  const Matrix more = rows_of(5, 4, "new.npy", 2);
  const auto copy = [](const Graph& graph, GraphInfo info) {
    return Graph::of_rows(std::move(info), {graph.offsets().begin(), graph.offsets().end()},
                          {graph.all_neighbors().begin(), graph.all_neighbors().end()},
                          {graph.all_dissimilarities().begin(), graph.all_dissimilarities().end()});
  };
  const auto refuse = [&](const Graph& graph, std::initializer_list<std::string_view> parts) {
    expect_bad_input(parts, [&] { static_cast<void>(append_graph(graph, rows, more, {}, "old.pith")); });
  };
  const Graph old = build_graph(rows, {.neighbors = 4});
  GraphInfo info = old.info();
  EXPECT_EQ(append_graph(copy(old, info), rows, more).size(), 35U);
  info.method = "approximate";
  refuse(copy(old, info), {"old.pith", "exact graph only", "approximate", "--knn exact"});
  info = old.info();
  info.symmetry = Symmetry::mutual;
  refuse(copy(old, info), {"old.pith", "without the lists", "pith graph"});
  info = old.info();
  info.neighbors = 9;
  refuse(copy(old, info), {"old.pith", "item ", "other neighbours"});
  info.neighbors = 30;
  refuse(copy(old, info), {"old.pith", "30 items", "30 neighbours"});
  info = old.info();
  info.metric = Metric::l1;
  refuse(copy(old, info), {"old.pith", "item ", "other neighbours"});
  refuse(Graph{}, {"old.pith", "0 items"});
  const Matrix one = rows_of(1, 4, "one.npy");
  expect_bad_input({"the old graph", "1 items"},
                   [&] { static_cast<void>(append_graph(build_graph(one, {}), one, more)); });

  // Lists out of order are no lists of these embeddings.
  const Graph mutual = build_graph(rows, {.neighbors = 4, .symmetry = Symmetry::mutual});
  std::vector<Item> lists(mutual.lists().begin(), mutual.lists().end());
  std::swap(lists[5], lists[6]);
  refuse(Graph::of_rows(mutual.info(), {mutual.offsets().begin(), mutual.offsets().end()},
                        {mutual.all_neighbors().begin(), mutual.all_neighbors().end()},
                        {mutual.all_dissimilarities().begin(), mutual.all_dissimilarities().end()}, lists),
         {"old.pith", "item 1 ", "other neighbours"});
}

TEST(append_graph, goes_on_from_version_1) {
  const auto data = std::filesystem::path(PITH_SOURCE_DIR) / "tests/golden/data";
  const Matrix rows = read_matrix((data / "balanced/embeddings.npy").string());
  const Matrix more = rows_of(7, rows.cols(), "new.npy");
  const Graph graph = append_graph(load_graph((data / "graphs/v1-union.pith").string()), rows, more);
  const Graph scratch =
      build_graph(join_rows(std::array{rows, more}, "both"), {.neighbors = 4, .metric = Metric::l2});
  EXPECT_TRUE(std::ranges::equal(graph.all_neighbors(), scratch.all_neighbors()));
  const Graph mutual = load_graph((data / "graphs/v1-mutual.pith").string());
  expect_bad_input({"without the lists"}, [&] { static_cast<void>(append_graph(mutual, rows, more)); });
}

TEST(append_graph, stops_when_cancelled) {
  const Matrix rows = rows_of(30, 4, "old.npy");
  const std::atomic<bool> cancelled{true};
  pith::Run run;
  run.cancelled = &cancelled;
  const Graph old = build_graph(rows, {});
  expect_error(ErrorKind::interrupted, {},
               [&] { static_cast<void>(append_graph(old, rows, rows_of(5, 4, "new.npy"), run)); });
}

}  // namespace
}  // namespace pith
