#include <cmath>
#include <limits>
#include <numeric>

#include "base/rng.h"
#include "data/probabilities.h"
#include "data/tiles.h"
#include "strategy/gradients.h"
#include "strategy/pick_list.h"

namespace pith {

Gradients::Gradients(const StrategyInput& input)
    : rows_(input.embeddings->view, Metric::l2, input.run),
      classes_(input.probabilities.classes()),
      errors_(rows_.size() * classes_),
      squared_norms_(rows_.size()) {
  const auto read_tile = [&](std::size_t first, std::size_t count, unsigned /*worker*/) {
    std::vector<double> mean(count * classes_);
    std::vector<double> scratch;
    read_mean(input.probabilities, first, count, mean.data(), scratch);
    for (std::size_t i = 0; i < count; ++i) {
      const auto item = static_cast<Item>(first + i);
      mean[i * classes_ + input.predictions.best[item]] -= 1;
      for (std::size_t label = 0; label < classes_; ++label)
        errors_[item * classes_ + label] = static_cast<float>(mean[i * classes_ + label]);
      squared_norms_[item] = squared_norm(error_of(item), classes_) * rows_.squared_norm_of(item);
    }
  };
  for_each_tile(input.probabilities.members.front().view, input.run, "gradients", read_tile);
}

double Gradients::squared_distance(Item a, Item b, double enough) const noexcept {
  const double norms = squared_norms_[a] + squared_norms_[b];
  // |g_a - g_b| >= ||g_a| - |g_b||, and that squared is norms - 2 sqrt(of their product). A little off for
  // rounding: what is nearly as near as before is computed.
  const double apart = norms - 2 * std::sqrt(squared_norms_[a] * squared_norms_[b]);
  if (apart - norms * 0x1p-30 >= enough) return enough;
  const double mixed = dot(error_of(a), error_of(b), classes_);
  const double product = mixed * dot(rows_.row(a), rows_.row(b), rows_.dimension());
  return std::max(0.0, norms - 2 * product);
}

namespace {

/// Squared distance of every item to its nearest centre, and draws in proportion to it.
class SquaredDraw {
 public:
  SquaredDraw(const Gradients& gradients, const Run& run)
      : gradients_(gradients),
        run_(run),
        nearest_(gradients.size(), std::numeric_limits<double>::infinity()),
        sums_((gradients.size() + sweep_chunk - 1) / sweep_chunk) {}

  /// Brings all open items up to date with a new centre.
  void add(Item center, const PickList& list) {
    parallel_for(
        run_, nearest_.size(), sweep_chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
          for (auto item = static_cast<Item>(begin); item < end; ++item)
            if (list.is_open(item))
              nearest_[item] =
                  std::min(nearest_[item], gradients_.squared_distance(item, center, nearest_[item]));
        });
  }

  /// The open item at which the running sum of weights passes `share` of them all; the lowest open one where
  /// nothing is away from the centres. Sums by chunk, then within one, so the same for any threads. Nothing
  /// where none is open.
  [[nodiscard]] std::optional<Item> draw(double share, const PickList& list) {
    const double total = sum_up(list);
    double rest = share * total;
    std::size_t chosen = 0;
    bool found = false;
    for (std::size_t chunk = 0; chunk < sums_.size() && !found; ++chunk) {
      if (sums_[chunk] == 0) continue;
      chosen = chunk;
      found = rest < sums_[chunk];
      if (!found) rest -= sums_[chunk];
    }
    // Roundings may leave some of the share behind the last item: then that one is meant.
    if (!found) rest = std::numeric_limits<double>::infinity();
    std::optional<Item> last;
    const std::size_t begin = total > 0 ? chosen * sweep_chunk : 0;
    const std::size_t end = total > 0 ? std::min(begin + sweep_chunk, nearest_.size()) : nearest_.size();
    for (auto item = static_cast<Item>(begin); item < end; ++item) {
      if (!list.is_open(item)) continue;
      if (total == 0) return item;
      if (nearest_[item] == 0) continue;
      last = item;
      if (rest < nearest_[item]) break;
      rest -= nearest_[item];
    }
    return last;
  }

  [[nodiscard]] double nearest(Item item) const noexcept { return nearest_[item]; }
  [[nodiscard]] std::vector<double> take() && { return std::move(nearest_); }

 private:
  double sum_up(const PickList& list) {
    parallel_for(run_, nearest_.size(), sweep_chunk,
                 [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
                   double sum = 0;
                   for (auto item = static_cast<Item>(begin); item < end; ++item)
                     if (list.is_open(item)) sum += nearest_[item];
                   sums_[begin / sweep_chunk] = sum;
                 });
    return std::accumulate(sums_.begin(), sums_.end(), 0.0);
  }

  const Gradients& gradients_;
  const Run& run_;
  std::vector<double> nearest_;
  std::vector<double> sums_;
};

/// The open item of the longest gradient, ties to the lower index.
std::optional<Item> longest(const Gradients& gradients, const PickList& list, const Run& run) {
  const auto found =
      find_best(list, gradients.size(), run, [&](Item item) { return gradients.squared_norm_of(item); });
  return found ? std::optional(found->item) : std::nullopt;
}

}  // namespace

/// BADGE (Ash, Zhang, Krishnamurthy, Langford, Agarwal 2020): k-means++ on the gradients of the loss by the
/// last layer, had the best class been the label. The first pick has the longest gradient; each next is drawn
/// with a chance proportional to its squared distance from the nearest pick. Labelled items are picks
/// already. O(n k (D + L)) at worst, O(n (D + L)) memory.
std::vector<Pick> choose_badge(const StrategyInput& input) {
  const Gradients gradients(input);
  PickList list(input);
  SquaredDraw distances(gradients, input.run);
  for (const Item item : input.pool.labelled) distances.add(item, list);
  bool started = !input.pool.labelled.empty();
  for (std::uint64_t round = 0; !list.full(); ++round) {
    const std::optional<Item> next =
        started ? distances.draw(random_unit(input.seed, round), list) : longest(gradients, list, input.run);
    if (!next) break;
    list.take(*next, started ? distances.nearest(*next) : gradients.squared_norm_of(*next));
    distances.add(*next, list);
    started = true;
    input.run.report("badge", static_cast<double>(list.picks().size()), static_cast<double>(input.budget));
  }
  // Where nothing was drawn yet, every distance is infinite and the lengths are as good a score.
  std::vector<double> scores = std::move(distances).take();
  for (Item item = 0; item < scores.size(); ++item)
    if (std::isinf(scores[item])) scores[item] = gradients.squared_norm_of(item);
  return std::move(list).complete(std::move(scores));
}

}  // namespace pith
