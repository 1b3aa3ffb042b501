#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "graph/triangles.h"
#include "support/runs.h"
#include "support/tiny_npy.h"

namespace pith {
namespace {

class GraphGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(GraphGolden, has_the_figures_of_the_reference) {
  const auto folder = std::filesystem::path(PITH_SOURCE_DIR) / "tests/golden/data" / GetParam();
  const auto expected = nlohmann::json::parse(std::ifstream(folder / "expected.json"));
  const auto npy = constraint_golden::read_tiny_npy(folder / "embeddings.npy");
  const Matrix embeddings = Matrix::of_floats(npy.values, npy.rows, npy.cols, "embeddings.npy");
  const Graph graph = build_graph(embeddings, {.neighbors = expected["neighbors"].get<std::uint32_t>()});
  const AreaRule rule{.threshold = {}, .quantile = expected["area_quantile"]};
  const Triangles triangles = find_triangles(graph, rule, testing::with_threads(2));

  EXPECT_EQ(graph.edge_count(), expected["edges"]);
  EXPECT_EQ(triangles.count, expected["triangles"]);
  EXPECT_NEAR(triangles.area_threshold, expected["area_threshold"].get<double>(), 1e-6);
  EXPECT_EQ(*std::max_element(triangles.at_item.begin(), triangles.at_item.end()),
            expected["max_triangles_at_an_item"].get<double>());
  double heaviest = 0;
  for (Item i = 0; i < graph.size(); ++i) {
    double weight = 0;
    for (const float d : graph.dissimilarities(i)) weight += graph.similarity(d);
    heaviest = std::max(heaviest, weight);
  }
  EXPECT_NEAR(heaviest, expected["max_weighted_degree"].get<double>(), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(cases, GraphGolden, ::testing::Values("balanced", "long-tailed"),
                         [](const auto& tested) {
                           return std::string(tested.param) == "balanced" ? "balanced" : "long_tailed";
                         });

}  // namespace
}  // namespace pith
