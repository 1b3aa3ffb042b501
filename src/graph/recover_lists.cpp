#include "graph/recover_lists.h"

#include <algorithm>

#include "base/parallel.h"
#include "data/refuse.h"
#include "graph/metric.h"
#include "graph/rows.h"

namespace pith {
namespace {

class ListRecovery {
 public:
  ListRecovery(const Graph& graph, const MatrixView& view, const std::string& path)
      : graph_(graph), view_(view), path_(path), k_(graph.info().neighbors) {}

  [[nodiscard]] NeighborLists recover(const Run& run) {
    constexpr std::size_t chunk = 256;
    const std::size_t n = graph_.size();
    NeighborLists lists{.n = n, .k = k_, .items = {}, .dissimilarities = {}};
    lists.items.resize(n * k_);
    lists.dissimilarities.resize(n * k_);
    measure_norms(run);
    parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
      RowReader reader(view_);
      std::vector<Entry> entries;
      for (auto item = static_cast<Item>(begin); item < end; ++item) {
        score(item, reader, entries);
        for (std::size_t place = 0; place < k_; ++place) {
          lists.items[item * std::size_t{k_} + place] = entries[place].item;
          lists.dissimilarities[item * std::size_t{k_} + place] =
              stored_dissimilarity(entries[place].dissimilarity);
        }
      }
    });
    return lists;
  }

 private:
  struct Entry {
    double dissimilarity;
    Item item;
    friend bool operator<(const Entry& a, const Entry& b) noexcept {
      return a.dissimilarity != b.dissimilarity ? a.dissimilarity < b.dissimilarity : a.item < b.item;
    }
  };

  void measure_norms(const Run& run) {
    constexpr std::size_t chunk = 1024;
    if (graph_.info().metric != Metric::cosine) return;
    squared_norms_.resize(graph_.size());
    parallel_for(run, graph_.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
      RowReader reader(view_);
      for (std::size_t i = begin; i < end; ++i)
        squared_norms_[i] = squared_norm(reader.row(static_cast<Item>(i), 0), view_.cols);
    });
  }

  /// The list of an item, nearest first; more may follow.
  void score(Item item, RowReader& reader, std::vector<Entry>& entries) const {
    const auto square = [&](Item i) { return squared_norms_.empty() ? 0.0 : squared_norms_[i]; };
    const bool kept = !graph_.lists().empty();
    const auto row = graph_.neighbors(item);
    const auto candidates = kept ? graph_.lists().subspan(item * std::size_t{k_}, k_) : row;
    if (candidates.size() < k_) refuse_disagreement(item);
    const float* x = reader.row(item, 0);
    entries.clear();
    for (const Item other : candidates)
      entries.push_back({dissimilarity(graph_.info().metric, x, reader.row(other, 1), view_.cols,
                                       square(item), square(other)),
                         other});
    for (const Entry& entry : entries) {
      const auto found = std::lower_bound(row.begin(), row.end(), entry.item);
      if (found == row.end() || *found != entry.item) continue;
      const float said = graph_.dissimilarities(item)[static_cast<std::size_t>(found - row.begin())];
      if (said != stored_dissimilarity(entry.dissimilarity)) refuse_disagreement(item);
    }
    if (kept && !std::is_sorted(entries.begin(), entries.end())) refuse_disagreement(item);
    if (!kept) std::sort(entries.begin(), entries.end());
  }
  [[noreturn]] void refuse_disagreement(Item item) const {
    refuse_input(path_, "item {} of the graph has other neighbours than the embeddings give it; {}", item,
                 "build the graph of all items with pith graph");
  }

  const Graph& graph_;
  const MatrixView& view_;
  const std::string& path_;
  std::uint32_t k_;
  std::vector<double> squared_norms_;  ///< for the cosine only
};

}  // namespace

NeighborLists recover_lists(const Graph& graph, const MatrixView& view, const std::string& path,
                            const Run& run) {
  return ListRecovery(graph, view, path).recover(run);
}

}  // namespace pith
