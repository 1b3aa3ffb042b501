#include <cmath>
#include <limits>

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

/// Draws items in proportion to their squared distance from the nearest centre, as a race: every item takes
/// an exponentially distributed time of rate w, its squared distance, and the first to arrive is drawn.
///
/// Distances only fall, so an old one gives a time that is too early, never too late: only who seems to
/// arrive first has to be brought up to date. Most items are compared with few of the centres.
class SquaredRace {
 public:
  SquaredRace(const Gradients& gradients, const Run& run)
      : gradients_(gradients),
        run_(run),
        nearest_(gradients.size(), std::numeric_limits<double>::infinity()),
        seen_(gradients.size(), 0),
        first_((gradients.size() + sweep_chunk - 1) / sweep_chunk) {}

  void add(Item center) { centers_.push_back(center); }

  /// The open item that arrives first in the race of this seed, ties to the lower index; the lowest open one
  /// where nothing is away from the centres. Nothing where none is open. Needs a centre.
  [[nodiscard]] std::optional<Item> draw(std::uint64_t seed, const PickList& list) {
    const bool look_at_all = is_time_to_look();
    parallel_for(run_, nearest_.size(), sweep_chunk,
                 [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
                   for (auto item = static_cast<Item>(begin); look_at_all && item < end; ++item)
                     if (list.is_open(item)) update(item);
                   first_[begin / sweep_chunk] = find_first(begin / sweep_chunk, seed, list);
                 });
    for (;;) {
      const Runner* first = nullptr;
      for (const Runner& one : first_)
        if (one.running && (first == nullptr || one.time < first->time)) first = &one;
      if (first == nullptr) return std::nullopt;
      if (seen_[first->item] == centers_.size()) return first->item;
      const std::size_t chunk = first->item / sweep_chunk;
      update(first->item);
      first_[chunk] = find_first(chunk, seed, list);
    }
  }

  [[nodiscard]] double nearest(Item item) const noexcept { return nearest_[item]; }
  [[nodiscard]] std::vector<double> take() && { return std::move(nearest_); }

 private:
  struct Runner {
    double time = std::numeric_limits<double>::infinity();
    Item item = 0;
    bool running = false;
  };

  /// While centres are few, all distances fall quickly and it pays to bring all up to date; also once, so
  /// that none is infinite.
  [[nodiscard]] bool is_time_to_look() {
    constexpr std::size_t few = 64;
    const std::size_t count = centers_.size();
    if (looked_ != 0 && (count > few || count < 2 * looked_)) return false;
    looked_ = count;
    return true;
  }

  void update(Item item) {
    double nearest = nearest_[item];
    for (std::size_t at = seen_[item]; at < centers_.size(); ++at)
      nearest = std::min(nearest, gradients_.squared_distance(item, centers_[at], nearest));
    nearest_[item] = nearest;
    seen_[item] = static_cast<std::uint32_t>(centers_.size());
  }

  [[nodiscard]] Runner find_first(std::size_t chunk, std::uint64_t seed, const PickList& list) const {
    Runner first;
    const std::size_t end = std::min(nearest_.size(), (chunk + 1) * sweep_chunk);
    for (auto item = static_cast<Item>(chunk * sweep_chunk); item < end; ++item) {
      // -log(1 - u) >= u: a bound that is cheap to compare.
      const double u = random_unit(seed, item);
      if ((first.running && u > first.time * nearest_[item]) || !list.is_open(item)) continue;
      const double time =
          nearest_[item] > 0 ? -std::log1p(-u) / nearest_[item] : std::numeric_limits<double>::infinity();
      if (!first.running || time < first.time) first = {.time = time, .item = item, .running = true};
    }
    return first;
  }

  const Gradients& gradients_;
  const Run& run_;
  std::vector<Item> centers_;
  std::vector<double> nearest_;
  std::vector<std::uint32_t> seen_;  ///< how many centres nearest_ accounts for
  std::vector<Runner> first_;        ///< of each chunk
  std::size_t looked_ = 0;           ///< centres when all were brought up to date
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
  SquaredRace race(gradients, input.run);
  for (const Item item : input.pool.labelled) race.add(item);
  bool started = !input.pool.labelled.empty();
  for (std::uint64_t round = 0; !list.full(); ++round) {
    const std::optional<Item> next =
        started ? race.draw(random_bits(input.seed, round), list) : longest(gradients, list, input.run);
    if (!next) break;
    list.take(*next, started ? race.nearest(*next) : gradients.squared_norm_of(*next));
    race.add(*next);
    started = true;
    input.run.report("badge", static_cast<double>(list.picks().size()), static_cast<double>(input.budget));
  }
  // Where nothing was drawn yet, every distance is infinite and the lengths are as good a score.
  std::vector<double> scores = std::move(race).take();
  for (Item item = 0; item < scores.size(); ++item)
    if (std::isinf(scores[item])) scores[item] = gradients.squared_norm_of(item);
  return std::move(list).complete(std::move(scores));
}

}  // namespace pith
