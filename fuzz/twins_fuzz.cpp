#include <algorithm>
#include <cstdlib>

#include "fuzz_target.h"
#include "pith/select.h"
#include "support/brute_force_neighbors.h"

namespace pith::fuzz {

/// Bytes for as long as there are any, then zeros.
class ByteSource {
 public:
  explicit ByteSource(std::span<const std::byte> bytes) : left_(bytes) {}
  unsigned next() {
    if (left_.empty()) return 0;
    const auto value = static_cast<unsigned>(left_.front());
    left_ = left_.subspan(1);
    return value;
  }
  unsigned below(unsigned limit) { return next() % limit; }

 private:
  std::span<const std::byte> left_;
};

/// A few items on a coarse grid: equal rows, zero rows and ties abound.
inline SelectInput few_items(ByteSource& bytes) {
  const std::size_t n = 2 + bytes.below(30);
  const std::size_t dimension = 1 + bytes.below(4);
  const std::size_t classes = 2 + bytes.below(4);
  std::vector<float> rows(n * dimension);
  for (float& x : rows) x = (static_cast<float>(bytes.below(9)) - 4) / 4;
  std::vector<float> probs(n * classes);
  for (std::size_t item = 0; item < n; ++item) {
    float sum = 0;
    for (std::size_t label = 0; label < classes; ++label)
      sum += probs[item * classes + label] = 1 + static_cast<float>(bytes.below(8));
    for (std::size_t label = 0; label < classes; ++label) probs[item * classes + label] /= sum;
  }
  SelectInput input;
  input.embeddings = Matrix::of_floats(std::move(rows), n, dimension, "e.npy");
  input.probabilities.members.push_back(Matrix::of_floats(std::move(probs), n, classes, "p.npy"));
  input.predictions = read_predictions(input.probabilities, UncertaintyKind::margin);
  return input;
}

inline SelectOptions some_options(ByteSource& bytes, std::size_t n) {
  static const char* const strategies[] = {"submod-bal", "submod", "facility-location", "graph-cut"};
  SelectOptions options;
  options.strategy = strategies[bytes.below(4)];
  options.budget.amount = std::int64_t{1} + bytes.below(static_cast<unsigned>(n));
  options.graph.metric = static_cast<Metric>(bytes.below(3));
  options.graph.neighbors = 1 + bytes.below(std::min<unsigned>(12, static_cast<unsigned>(n) - 1));
  options.graph.symmetry = static_cast<Symmetry>(bytes.below(2));
  options.balance.balance = static_cast<BalanceKind>(bytes.below(4));
  options.balance.shortfall = static_cast<Shortfall>(bytes.below(3));
  options.balance.tau = bytes.below(4) * 0.1;
  return options;
}

inline std::optional<Selection> chosen(const SelectInput& input, SelectOptions options, Optimizer optimizer) {
  options.greedy.optimizer = optimizer;
  try {
    return select(input, options, {.threads = 1, .progress = {}, .cancelled = nullptr});
  } catch (const Error&) {
    return std::nullopt;
  }
}

inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace pith::fuzz

/// Twins that must agree: the exact search and brute force, the lazy greedy and the naive one.
PITH_FUZZ_TARGET(twins) {
  using namespace pith;
  fuzz::ByteSource bytes(input);
  const SelectInput items = fuzz::few_items(bytes);
  const SelectOptions options = fuzz::some_options(bytes, items.embeddings.rows());
  const std::uint32_t k = *options.graph.neighbors;
  const NeighborLists found = exact_neighbors(items.embeddings.view, options.graph.metric, k,
                                              {.threads = 1, .progress = {}, .cancelled = nullptr});
  const NeighborLists brute =
      pith::testing::brute_force_neighbors(items.embeddings.view, options.graph.metric, k);
  fuzz::require(found.items == brute.items && found.dissimilarities == brute.dissimilarities);

  const auto lazy = fuzz::chosen(items, options, Optimizer::lazy);
  const auto naive = fuzz::chosen(items, options, Optimizer::naive);
  fuzz::require(lazy.has_value() == naive.has_value());
  if (!lazy) return;
  fuzz::require(lazy->picks.size() == naive->picks.size());
  for (std::size_t at = 0; at < lazy->picks.size(); ++at)
    fuzz::require(lazy->picks[at].item == naive->picks[at].item);
  fuzz::require(lazy->objective.total == naive->objective.total);
}
