#include "graph/graph_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <filesystem>
#include <iterator>

#include "pith/error.h"
#include "pith/graph.h"
#include "pith/read.h"
#include "support/files.h"
#include "support/random_graph.h"
#include "support/random_rows.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::random_graph;

class GraphFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string bytes() const { return testing::file_contents(path); }
  void write(const std::string& text) const { static_cast<void>(folder_.write("g.pith", text)); }

  /// Writes a file whose checksums are right, whatever its content.
  void write_signed(std::string text) const {
    const std::uint64_t payload = XXH3_64bits(text.data() + 256, text.size() - 256);
    std::memcpy(text.data() + offsetof(GraphFileHeader, payload_checksum), &payload, 8);
    const std::uint64_t header = XXH3_64bits(text.data(), 248);
    std::memcpy(text.data() + 248, &header, 8);
    write(text);
  }
  [[nodiscard]] std::string refusal() const {
    try {
      static_cast<void>(load_graph(path));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  testing::TempDir folder_;
  std::string path = folder_.path("g.pith");
};

void expect_same(const Graph& a, const Graph& b) {
  EXPECT_TRUE(std::ranges::equal(a.offsets(), b.offsets()));
  EXPECT_TRUE(std::ranges::equal(a.all_neighbors(), b.all_neighbors()));
  EXPECT_TRUE(std::ranges::equal(a.all_dissimilarities(), b.all_dissimilarities()));
  EXPECT_EQ(a.info().neighbors, b.info().neighbors);
  EXPECT_EQ(a.info().metric, b.info().metric);
  EXPECT_EQ(a.info().symmetry, b.info().symmetry);
  EXPECT_EQ(a.info().method, b.info().method);
  EXPECT_EQ(a.info().recall, b.info().recall);
  EXPECT_EQ(a.info().recall_interval, b.info().recall_interval);
  EXPECT_TRUE(std::ranges::equal(a.lists(), b.lists()));
  EXPECT_EQ(a.info().dimension, b.info().dimension);
  EXPECT_EQ(a.info().fingerprint, b.info().fingerprint);
  EXPECT_EQ(a.median_length(), b.median_length());
}

TEST_F(GraphFile, comes_back_as_it_was) {
  for (const Metric metric : {Metric::cosine, Metric::l2, Metric::l1})
    for (const double density : {0.0, 0.2, 1.0}) {
      const Graph graph = random_graph(23, density, metric, 5);
      save_graph(graph, path);
      expect_same(load_graph(path), graph);
    }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path("")), {}), 1)
      << "something was left beside it";
}

/// A mutual graph with its lists, some of which are not returned.
Graph mutual_graph() {
  return build_graph(
      Matrix::of_floats(testing::random_rows(12, 3, testing::RowStyle::small_integers, 4), 12, 3, "rows"),
      {.neighbors = 3, .metric = Metric::l2, .symmetry = Symmetry::mutual});
}

TEST_F(GraphFile, keeps_the_interval_and_the_lists_but_not_the_reason) {
  GraphInfo info = random_graph(23, 0.3, Metric::l2, 5).info();
  info.method = "approximate";
  info.recall_interval = {0.7, 0.8125};
  info.reason = "quicker";
  const Graph graph = random_graph(23, 0.3, {0, 1, 2}, info, 5);
  save_graph(graph, path);
  expect_same(load_graph(path), graph);
  EXPECT_EQ(load_graph(path).info().recall_interval, std::make_pair(0.7, 0.8125));
  EXPECT_EQ(load_graph(path).info().reason, "");

  const Graph mutual = mutual_graph();
  EXPECT_EQ(mutual.lists().size(), 36U);
  EXPECT_LT(mutual.all_neighbors().size(), 36U);
  save_graph(mutual, path);
  expect_same(load_graph(path), mutual);
  EXPECT_TRUE(load_graph(path).info().recall == 1.0 && !load_graph(path).info().recall_interval);
}

TEST_F(GraphFile, version_1_is_still_read) {
  const auto data = std::filesystem::path(PITH_SOURCE_DIR) / "tests/golden/data";
  const Matrix rows = read_matrix((data / "balanced/embeddings.npy").string());
  for (const Symmetry symmetry : {Symmetry::either, Symmetry::mutual}) {
    const Graph now = build_graph(rows, {.neighbors = 4, .metric = Metric::l2, .symmetry = symmetry});
    const std::string name = symmetry == Symmetry::either ? "v1-union.pith" : "v1-mutual.pith";
    const Graph then = load_graph((data / "graphs" / name).string());
    EXPECT_TRUE(then.lists().empty());
    EXPECT_FALSE(then.info().recall_interval);
    expect_same(then, Graph::of_rows(now.info(), {now.offsets().begin(), now.offsets().end()},
                                     {now.all_neighbors().begin(), now.all_neighbors().end()},
                                     {now.all_dissimilarities().begin(), now.all_dissimilarities().end()}));
    save_graph(then, path);
    expect_same(load_graph(path), then);
  }
}

TEST_F(GraphFile, outlives_the_name) {
  const Graph graph = random_graph(23, 0.3, Metric::l2, 5);
  save_graph(graph, path);
  const Graph loaded = load_graph(path);
  save_graph(loaded, path);
  expect_same(loaded, graph);
  std::filesystem::remove(path);
  expect_same(loaded, graph);
}

TEST_F(GraphFile, every_flipped_byte_is_noticed) {
  for (const Graph& graph : {random_graph(9, 0.4, Metric::cosine, 5), mutual_graph()}) {
    save_graph(graph, path);
    const std::string good = bytes();
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
      write(bad);
      EXPECT_NE(refusal(), "") << "byte " << at;
    }
  }
}

TEST_F(GraphFile, every_truncation_is_noticed) {
  for (const Graph& graph : {random_graph(9, 0.4, Metric::cosine, 5), mutual_graph()}) {
    save_graph(graph, path);
    const std::string good = bytes();
    for (std::size_t length = 0; length < good.size(); ++length) {
      write(good.substr(0, length));
      EXPECT_NE(refusal(), "") << "length " << length;
    }
    write(good + '\0');
    EXPECT_NE(refusal(), "");
  }
}

TEST_F(GraphFile, other_versions_are_named) {
  save_graph(random_graph(9, 0.4, Metric::cosine, 5), path);
  std::string later = bytes();
  later[8] = 7;
  write(later);
  EXPECT_THAT(refusal(), AllOf(HasSubstr(path), HasSubstr("version 7"), HasSubstr("version 1"),
                               HasSubstr("version 2"), HasSubstr("pith graph")));
  later[8] = 0;
  write(later);
  EXPECT_THAT(refusal(), HasSubstr("version 0"));
  write("id,name\n1,a\n");
  EXPECT_THAT(refusal(), HasSubstr("not a graph"));
}

TEST_F(GraphFile, rows_are_checked_behind_right_checksums) {
  const Graph graph = random_graph(9, 0.6, Metric::l2, 5);
  save_graph(graph, path);
  const std::string good = bytes();
  const auto layout = GraphFileLayout::of(9, graph.all_neighbors().size());
  const auto with = [&](std::uint64_t at, auto value) {
    std::string changed = good;
    std::memcpy(changed.data() + at, &value, sizeof value);
    write_signed(changed);
    return refusal();
  };
  EXPECT_EQ(with(layout.neighbors_at, graph.all_neighbors()[0]), "");
  EXPECT_THAT(with(layout.neighbors_at, Item{9}), HasSubstr("does not exist"));
  EXPECT_THAT(with(layout.neighbors_at, Item{0}), HasSubstr("its own item"));
  EXPECT_THAT(with(layout.neighbors_at, Item{8}), HasSubstr("does not ascend"));
  EXPECT_THAT(with(layout.dissimilarities_at, -1.0F), HasSubstr("impossible distance"));
  EXPECT_THAT(with(layout.dissimilarities_at, std::nanf("")), HasSubstr("impossible distance"));
  EXPECT_THAT(with(layout.dissimilarities_at, 77.0F), HasSubstr("does not return"));
  EXPECT_THAT(with(layout.offsets_at, std::uint64_t{1}), HasSubstr("add up"));
  EXPECT_THAT(with(layout.offsets_at + 8, std::uint64_t{1} << 60), HasSubstr("add up"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, items), ~std::uint64_t{0}), HasSubstr("no graph has"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, items), std::uint64_t{1} << 31), HasSubstr("bytes long"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, entries), (std::uint64_t{1} << 62) + 2),
              HasSubstr("no graph has"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, metric), std::uint8_t{9}), HasSubstr("without meaning"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, recall), std::nan("")), HasSubstr("without meaning"));
}

TEST_F(GraphFile, intervals_and_lists_are_checked_behind_right_checksums) {
  const Graph graph = mutual_graph();
  save_graph(graph, path);
  const std::string good = bytes();
  const auto layout = GraphFileLayout::of(12, graph.all_neighbors().size(), 36);
  ASSERT_EQ(layout.file_bytes, good.size());
  const auto with = [&](std::uint64_t at, auto value) {
    std::string changed = good;
    std::memcpy(changed.data() + at, &value, sizeof value);
    write_signed(changed);
    return refusal();
  };
  const auto lists = graph.lists();
  EXPECT_EQ(with(layout.lists_at, lists[0]), "");
  EXPECT_THAT(with(layout.lists_at, Item{12}), HasSubstr("does not exist"));
  EXPECT_THAT(with(layout.lists_at + 8, Item{0}), HasSubstr("its own item"));
  EXPECT_THAT(with(layout.lists_at, lists[1]), HasSubstr("twice"));
  int tried = 0;
  for (Item item = 0; item < 12; ++item)
    for (std::size_t place = 0; place < 3; ++place) {
      const auto list = lists.subspan(item * std::size_t{3}, 3);
      const auto others = graph.neighbors(item);
      const auto stranger = [&](bool lists_back) -> Item {
        for (Item other = 0; other < 12; ++other)
          if (other != item && std::ranges::count(list, other) == 0 &&
              (std::ranges::count(lists.subspan(other * std::size_t{3}, 3), item) == 1) == lists_back)
            return other;
        return item;
      };
      const std::uint64_t at = layout.lists_at + 4 * (item * std::size_t{3} + place);
      // An edge that is listed no more, and a pair that list each other without an edge.
      if (std::ranges::count(others, list[place]) == 1 && stranger(false) != item) {
        EXPECT_THAT(with(at, stranger(false)), HasSubstr("than its edges say"));
        ++tried;
      }
      if (std::ranges::count(others, list[place]) == 0 && stranger(true) != item) {
        EXPECT_THAT(with(at, stranger(true)), HasSubstr("than its edges say"));
        ++tried;
      }
    }
  EXPECT_GT(tried, 10);
  EXPECT_THAT(with(offsetof(GraphFileHeader, has_lists), std::uint8_t{0}), HasSubstr("bytes long"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, has_lists), std::uint8_t{2}), HasSubstr("without meaning"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, symmetry), std::uint8_t{0}), HasSubstr("without meaning"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, neighbors), std::uint32_t{12}), HasSubstr("no graph has"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, neighbors), std::uint32_t{0}), HasSubstr("no graph has"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, neighbors), std::uint32_t{4}), HasSubstr("bytes long"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, version), std::uint32_t{1}), HasSubstr("bytes long"));
  EXPECT_THAT(with(offsetof(GraphFileHeader, has_recall_interval), std::uint8_t{2}),
              HasSubstr("without meaning"));
  for (const std::array<double, 2> bad :
       {std::array{0.5, 0.4}, std::array{-0.1, 0.4}, std::array{0.5, 1.5}, std::array{0.5, std::nan("")}})
    EXPECT_THAT(with(offsetof(GraphFileHeader, recall_interval), bad), HasSubstr("without meaning"));
}

TEST_F(GraphFile, files_that_cannot_be_opened_or_written) {
  try {
    static_cast<void>(load_graph(path + ".missing"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
  }
  try {
    save_graph(random_graph(3, 1, Metric::l2, 1), folder_.path("no/folder/g"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
  }
}

}  // namespace
}  // namespace pith
