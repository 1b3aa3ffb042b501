#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "base/rng.h"
#include "pith/pith.h"

namespace pith::testing {

/// A small selection problem of small integers: duplicates, ties and zero vectors abound. Three models' class
/// probabilities, a few labelled and a few excluded items.
struct StrategyData {
  std::size_t n;
  std::size_t dimension;
  std::size_t classes;
  std::vector<float> rows;
  SelectInput input;

  explicit StrategyData(std::uint64_t seed, std::size_t most_items = 60, std::size_t least_items = 1) {
    Rng rng(seed);
    n = least_items + rng.below(most_items - least_items + 1);
    dimension = 1 + rng.below(5);
    classes = 2 + rng.below(4);
    for (std::size_t at = 0; at < n * dimension; ++at) rows.push_back(static_cast<float>(rng.below(5)) - 2);
    input.embeddings = Matrix::of_floats(rows, n, dimension, "rows");
    for (int model = 0; model < 3; ++model) input.probabilities.members.push_back(random_model(rng));
    input.predictions = read_predictions(input.probabilities, UncertaintyKind::margin);
    for (Item item = 0; item < n && n > 6; ++item) {
      const std::uint64_t draw = rng.below(15);
      if (draw == 0) input.labelled.push_back(item);
      if (draw == 1) input.excluded.push_back(item);
    }
  }

  /// Sets the embeddings anew.
  void use_rows(std::vector<float> values) {
    rows = std::move(values);
    input.embeddings = Matrix::of_floats(rows, n, dimension, "rows");
  }

  [[nodiscard]] std::size_t candidates() const { return n - input.labelled.size() - input.excluded.size(); }
  [[nodiscard]] const float* row(Item item) const { return rows.data() + item * dimension; }
  [[nodiscard]] bool is_labelled(Item item) const { return holds(input.labelled, item); }
  [[nodiscard]] bool is_excluded(Item item) const { return holds(input.excluded, item); }
  [[nodiscard]] bool is_candidate(Item item) const { return !is_labelled(item) && !is_excluded(item); }

 private:
  static bool holds(const std::vector<Item>& items, Item item) {
    return std::find(items.begin(), items.end(), item) != items.end();
  }
  [[nodiscard]] Matrix random_model(Rng& rng) const {
    std::vector<float> probs;
    for (std::size_t item = 0; item < n; ++item) {
      std::vector<float> row(classes);
      float sum = 0;
      for (float& p : row) sum += p = static_cast<float>(1 + rng.below(4));
      for (const float p : row) probs.push_back(p / sum);
    }
    return Matrix::of_floats(probs, n, classes, "probs");
  }
};

inline std::vector<Item> items_of(const Selection& selection) {
  std::vector<Item> items;
  for (const PickRow& row : selection.picks) items.push_back(row.item);
  return items;
}

}  // namespace pith::testing
