#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pith/matrix.h"
#include "pith/options.h"
#include "pith/run.h"

namespace pith {

/// Where a graph came from, kept with it.
struct GraphInfo {
  std::uint32_t neighbors = 0;  ///< neighbours listed per item before symmetrising
  Metric metric = Metric::cosine;
  Symmetry symmetry = Symmetry::either;
  std::string method = "exact";
  std::optional<double> recall;  ///< share of the true neighbours found; 1 for an exact graph
  /// 95% confidence interval of a recall that was measured on a sample; none for an exact graph.
  std::optional<std::pair<double, double>> recall_interval;
  std::uint64_t dimension = 0;  ///< columns of the embeddings
  std::string fingerprint;      ///< fingerprint_of() of the embeddings
  std::string reason;           ///< why this method, in a few words; not saved, and may be empty
};

/// The undirected neighbour graph in compressed rows. No self loops, no double edges; each edge stands in the
/// rows of both its ends, with the same dissimilarity; each row ascends by neighbour.
///
/// Memory: offsets n + 1 of u64, then 2 * edges of u32 and of f32. The dissimilarity of an edge is 1 - cos
/// for the cosine metric (a float keeps near-duplicates apart there where it could not beside 1) and the
/// distance else. A mutual graph has lost whom an item listed in vain; an exact one keeps the lists, n *
/// neighbors of u32, so that items can be appended to it.
class Graph {
 public:
  Graph() = default;
  /// Spans must outlive the graph through `owner`.
  Graph(GraphInfo info, std::span<const std::uint64_t> offsets, std::span<const Item> neighbors,
        std::span<const float> dissimilarities, std::shared_ptr<const void> owner,
        std::span<const Item> lists = {});
  /// Takes the rows as they are. `median_length`: of the graph that these rows are a part of.
  static Graph of_rows(GraphInfo info, std::vector<std::uint64_t> offsets, std::vector<Item> neighbors,
                       std::vector<float> dissimilarities, std::vector<Item> lists = {},
                       std::optional<double> median_length = {});

  [[nodiscard]] const GraphInfo& info() const noexcept { return info_; }
  [[nodiscard]] std::size_t size() const noexcept { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  [[nodiscard]] std::size_t edge_count() const noexcept { return neighbors_.size() / 2; }
  [[nodiscard]] std::span<const Item> neighbors(Item item) const noexcept {
    return neighbors_.subspan(offsets_[item], offsets_[item + 1] - offsets_[item]);
  }
  [[nodiscard]] std::span<const float> dissimilarities(Item item) const noexcept {
    return dissimilarities_.subspan(offsets_[item], offsets_[item + 1] - offsets_[item]);
  }
  /// Asks memory for a row that will be read soon.
  void prefetch_row(Item item) const noexcept {
    __builtin_prefetch(neighbors_.data() + offsets_[item]);
    __builtin_prefetch(dissimilarities_.data() + offsets_[item]);
  }
  [[nodiscard]] std::span<const std::uint64_t> offsets() const noexcept { return offsets_; }
  [[nodiscard]] std::span<const Item> all_neighbors() const noexcept { return neighbors_; }
  [[nodiscard]] std::span<const float> all_dissimilarities() const noexcept { return dissimilarities_; }

  /// The neighbours each item lists, info().neighbors each, nearest first; empty where they are not kept.
  [[nodiscard]] std::span<const Item> lists() const noexcept { return lists_; }

  /// Median of the edge lengths (mean of the middle two where even); 0 without edges. The scale of l2 and l1.
  [[nodiscard]] double median_length() const noexcept { return median_length_; }

  /// s in [0,1] of an edge, on the grid of multiples of 2^-32: any sum of fewer than 2^20 of them is exact in
  /// double, whatever the order. All determinism of the pairwise term rests on this.
  [[nodiscard]] double similarity(float dissimilarity) const noexcept {
    const auto d = static_cast<double>(dissimilarity);
    const double s = info_.metric == Metric::cosine ? (d < 1 ? 1 - d : 0) : similarity_of_length(d);
    // Doubles from 2^20 on are multiples of 2^-32: the addition rounds to one.
    return (s + 0x1p20) - 0x1p20;
  }
  /// Side length of an edge: sqrt(2 - 2 cos) for cosine, the distance else.
  [[nodiscard]] double length(float dissimilarity) const noexcept;

 private:
  [[nodiscard]] double similarity_of_length(double length) const noexcept;

  GraphInfo info_;
  std::span<const std::uint64_t> offsets_;
  std::span<const Item> neighbors_;
  std::span<const float> dissimilarities_;
  std::span<const Item> lists_;
  double median_length_ = 0;
  std::shared_ptr<const void> owner_;
};

/// Hash (XXH3, 128 bits, hex) of shape, scalar type and every element: which embeddings these are.
[[nodiscard]] std::string fingerprint_of(const MatrixView& matrix, const Run& run = {});

/// The k nearest neighbours of every item as an undirected graph. Bit-identical for any run.threads.
[[nodiscard]] Graph build_graph(const Matrix& embeddings, const GraphOptions& options, const Run& run = {});

/// Adds items to an exact graph without comparing the old ones with each other again: the graph that
/// build_graph() makes of both matrices' rows, the old first, with the old graph's settings, bit for bit.
/// Both matrices must have the same columns and scalar type, and stay where they lie. `path` is what errors
/// call the old graph.
[[nodiscard]] Graph append_graph(const Graph& old, const Matrix& old_embeddings, const Matrix& new_embeddings,
                                 const Run& run = {}, const std::string& path = "the old graph");

/// One file with magic, version and checksum, written beside and renamed into place.
void save_graph(const Graph& graph, const std::string& path);
/// Maps a saved graph. Refuses damaged files.
[[nodiscard]] Graph load_graph(const std::string& path, const Run& run = {});
/// Throws Error{bad_input} for a graph that was built from other embeddings than these; `path` is what it
/// calls the graph.
void require_same_embeddings(const Graph& graph, const Matrix& embeddings, const std::string& path,
                             const Run& run = {});
/// The same where the embeddings' fingerprint is known.
void require_same_embeddings(const Graph& graph, const Matrix& embeddings, const std::string& fingerprint,
                             const std::string& path);

}  // namespace pith
