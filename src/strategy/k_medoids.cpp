#include <algorithm>
#include <limits>
#include <optional>

#include "constraint/cap_tracker.h"
#include "strategy/medoid_loss.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// Medoids that can be exchanged, and the room the caps leave.
class Swapper {
 public:
  Swapper(MedoidLoss& loss, const std::vector<Pick>& picks, const StrategyInput& input)
      : loss_(loss), input_(input), caps_(input.balance), chosen_(input.pool.state.size(), 0) {
    for (const Pick& pick : picks) {
      caps_.take(pick.item);
      chosen_[pick.item] = 1;
    }
  }

  /// Candidates in turn, each in the place of the medoid for which that lowers the loss most, until nobody
  /// in a whole round lowers it. The loss is a whole number that falls with every exchange: it ends.
  void run() {
    const auto n = static_cast<Item>(input_.pool.state.size());
    std::size_t idle = 0;
    for (Item item = 0; idle < n; item = item + 1 < n ? item + 1 : 0, ++idle) {
      if (item % 64 == 0) input_.run.check_cancelled();
      if (input_.pool.state[item] != Pool::State::candidate || chosen_[item] != 0) continue;
      const std::optional<Item> gone = find_best(item);
      if (!gone) continue;
      exchange(*gone, item);
      idle = 0;
      if (++swaps_ % 256 == 0) input_.run.report("k-medoids", static_cast<double>(swaps_), 0);
    }
  }

 private:
  [[nodiscard]] bool allowed(Item gone, Item added) {
    if (chosen_[gone] == 0) return false;  // labelled: a medoid for good
    caps_.release(gone);
    const bool admitted = caps_.admits(added);
    caps_.take(gone);
    return admitted;
  }

  /// The medoid whose place `added` should take: the lowest change of the loss, if below 0, ties to the lower
  /// index.
  std::optional<Item> find_best(Item added) {
    loss_.weigh(added, exchange_);
    std::pair<std::int64_t, Item> best{0, 0};
    for (const auto& [medoid, correction] : exchange_.corrections) {
      const std::pair<std::int64_t, Item> here{exchange_.addition + loss_.removal_loss(medoid) + correction,
                                               medoid};
      if (here < best && here.first < 0 && allowed(medoid, added)) best = here;
    }
    for (const auto& [removal, medoid] : loss_.medoids()) {
      const std::pair<std::int64_t, Item> here{exchange_.addition + removal, medoid};
      if (here.first >= 0 || here > best) break;  // from here on, removals cost too much
      if (is_corrected(medoid) || !allowed(medoid, added)) continue;
      best = here;
      break;
    }
    return best.first < 0 ? std::optional(best.second) : std::nullopt;
  }

  [[nodiscard]] bool is_corrected(Item medoid) const {
    const auto& list = exchange_.corrections;
    const auto found = std::lower_bound(list.begin(), list.end(),
                                        std::pair(medoid, std::numeric_limits<std::int64_t>::min()));
    return found != list.end() && found->first == medoid;
  }

  void exchange(Item gone, Item added) {
    loss_.remove(gone);
    caps_.release(gone);
    chosen_[gone] = 0;
    loss_.add(added);
    caps_.take(added);
    chosen_[added] = 1;
  }

  MedoidLoss& loss_;
  const StrategyInput& input_;
  CapTracker caps_;
  std::vector<std::uint8_t> chosen_;
  MedoidLoss::Exchange exchange_;
  std::size_t swaps_ = 0;
};

}  // namespace

/// k-medoids on the graph: a greedy start (BUILD of PAM), then exchanges as FasterPAM makes them (Schubert,
/// Rousseeuw 2021), with sums over graph neighbours only. Labelled items are medoids for good. The medoids
/// whose loss would hurt most come first; exchanges leave no pick that augmentation alone brought in.
std::vector<Pick> choose_k_medoids(const StrategyInput& input) {
  MedoidLoss loss(*input.graph, input.pool);
  std::vector<Pick> picks = choose_greedily(loss, input);
  Swapper(loss, picks, input).run();
  picks.clear();
  for (const auto& [removal, medoid] : loss.medoids())
    if (input.pool.state[medoid] == Pool::State::candidate)
      picks.push_back(
          {.item = medoid, .score = static_cast<double>(removal) / static_cast<double>(MedoidLoss::longest)});
  std::sort(picks.begin(), picks.end(), [](const Pick& a, const Pick& b) {
    return a.score != b.score ? a.score > b.score : a.item < b.item;
  });
  return picks;
}

}  // namespace pith
