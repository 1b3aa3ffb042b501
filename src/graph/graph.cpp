#include "pith/graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pith {
namespace {

double median_of(std::vector<float> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (static_cast<double>(*std::max_element(values.begin(), middle)) + static_cast<double>(*middle)) / 2;
}

}  // namespace

Graph::Graph(GraphInfo info, std::span<const std::uint64_t> offsets, std::span<const Item> neighbors,
             std::span<const float> dissimilarities, std::shared_ptr<const void> owner,
             std::span<const Item> lists)
    : info_(std::move(info)),
      offsets_(offsets),
      neighbors_(neighbors),
      dissimilarities_(dissimilarities),
      lists_(lists),
      owner_(std::move(owner)) {
  // Cosine needs no scale of its own. Every edge stands twice, which leaves the median as it is.
  if (info_.metric != Metric::cosine)
    median_length_ = median_of({dissimilarities_.begin(), dissimilarities_.end()});
}

Graph Graph::of_rows(GraphInfo info, std::vector<std::uint64_t> offsets, std::vector<Item> neighbors,
                     std::vector<float> dissimilarities, std::vector<Item> lists,
                     std::optional<double> median_length) {
  struct Rows {
    std::vector<std::uint64_t> offsets;
    std::vector<Item> neighbors;
    std::vector<float> dissimilarities;
    std::vector<Item> lists;
  };
  auto rows = std::make_shared<const Rows>(
      Rows{std::move(offsets), std::move(neighbors), std::move(dissimilarities), std::move(lists)});
  Graph graph(std::move(info), rows->offsets, rows->neighbors, rows->dissimilarities, rows, rows->lists);
  if (median_length) graph.median_length_ = *median_length;
  return graph;
}

double Graph::similarity_of_length(double length) const noexcept {
  if (length == 0) return 1;
  return median_length_ > 0 ? std::exp(-length / median_length_) : 0;
}

double Graph::length(float dissimilarity) const noexcept {
  const auto d = static_cast<double>(dissimilarity);
  return info_.metric == Metric::cosine ? std::sqrt(std::max(0.0, 2 * d)) : d;
}

}  // namespace pith
