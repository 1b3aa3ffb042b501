#include "ranks/rank_greedy.h"

#include <algorithm>
#include <queue>

#include "base/parallel.h"
#include "ranks/fill_keys.h"

namespace pith {
namespace {

bool ranks_before(const PickKey& a, const PickKey& b) noexcept {
  return a.before(b);
}

/// What a rank tells those that hold one of its items as a ghost.
struct News {
  Item item = 0;
  std::uint32_t picked = 0;
  double gain = 0;
};

/// One rank's side of the greedy. A batch is what has a key not after `floor_`, the same on all ranks; it is
/// settled for good, caps and all, before the next one begins.
class RankGreedy {
 public:
  RankGreedy(const RankGreedyTask& task, RankGreedyTrace& trace)
      : ranks_(task.ranks),
        graph_(task.scene.graph()),
        pool_(task.pool),
        run_(task.run),
        trace_(trace),
        state_(task.scene.objective()),
        groups_(task.balance, std::max<std::int64_t>(0, task.budget)),
        fill_(groups_),
        told_(graph_.size(), 0.0),
        is_dirty_(graph_.size(), 0),
        outgoing_(static_cast<std::size_t>(task.ranks.size())) {
    for (const Item item : pool_.labelled)
      if (const auto local = graph_.local_of(item)) state_.add(*local);
    for (const Pick& pick : task.start) {
      if (const auto local = graph_.local_of(pick.item)) state_.add(*local);
      groups_.take(pick.item);
    }
    find_subscribers();
    for (Item local = graph_.own_begin(); local < graph_.own_end(); ++local)
      if (is_candidate(local) && !state_.set().contains(local)) open_.push_back(local);
    for (const Item local : open_) tell(local, false);
    swap_news();
  }

  /// Settles another batch; nothing where nobody is left to take.
  std::vector<Pick> settle_batch(std::size_t wanted) {
    fill_ = FillKeys(groups_);
    if (!begin_batch(wanted)) return {};
    ++trace_.batches;
    std::vector<PickKey> taken;
    for (;;) {
      speculate();
      taken = gather_taken();
      const FillKeys filled = FillKeys::settle(groups_, taken);
      if (filled == fill_) break;
      // What comes no later than the first change is settled; the rest is taken back and made again.
      take_back(fill_.first_difference(filled));
      fill_ = filled;
      ++trace_.replays;
    }
    std::vector<Pick> picks;
    for (const PickKey& key : taken) {
      groups_.take(key.item);
      picks.push_back({.item = key.item, .score = key.gain});
    }
    taken_.clear();
    return picks;
  }

 private:
  struct Taken {
    PickKey key;
    Item local;
  };

  [[nodiscard]] bool is_candidate(Item local) const noexcept {
    return pool_.state[graph_.item_of(local)] == Pool::State::candidate;
  }
  /// Of an own item, as of now; of a ghost, as its owner last told: never too low.
  [[nodiscard]] PickKey key_of(Item local) const {
    return {graph_.owns(local) ? state_.gain(local) : told_[local], graph_.item_of(local)};
  }
  [[nodiscard]] bool in_batch(const PickKey& key) const noexcept { return !floor_.before(key); }

  void find_subscribers() {
    std::vector<int> found;
    subscriber_offsets_.assign(1, 0);
    for (Item local = graph_.own_begin(); local < graph_.own_end(); ++local) {
      graph_.subscribers(local, found);
      subscribers_.insert(subscribers_.end(), found.begin(), found.end());
      subscriber_offsets_.push_back(subscribers_.size());
    }
  }
  [[nodiscard]] std::span<const int> subscribers(Item local) const noexcept {
    const std::size_t own = local - graph_.own_begin();
    return std::span(subscribers_)
        .subspan(subscriber_offsets_[own], subscriber_offsets_[own + 1] - subscriber_offsets_[own]);
  }
  void tell(Item local, bool picked) {
    const double gain = state_.gain(local);
    if (!picked) told_[local] = gain;
    for (const int rank : subscribers(local))
      outgoing_[static_cast<std::size_t>(rank)].push_back({graph_.item_of(local), picked ? 1U : 0U, gain});
  }

  /// The gains of own items that depend on `local` may have changed.
  void mark_influenced(Item local) {
    touched_.clear();
    graph_.influenced(local, touched_);
    for (const Item other : touched_) mark(other);
  }
  void mark(Item local) {
    if (!graph_.owns(local) || is_dirty_[local] != 0 || subscribers(local).empty()) return;
    is_dirty_[local] = 1;
    dirty_.push_back(local);
  }

  /// Tells others of own gains that changed. While gains only fall, whoever was told a key outside the batch
  /// need not know how far outside; `all` is for gains that rose again.
  void tell_changes(bool all) {
    for (const Item local : dirty_) {
      is_dirty_[local] = 0;
      if (!is_candidate(local) || state_.set().contains(local)) continue;
      if (state_.gain(local) == told_[local]) continue;
      if (all || in_batch({told_[local], graph_.item_of(local)})) tell(local, false);
    }
    dirty_.clear();
  }

  void swap_news() {
    const std::vector<std::vector<News>> incoming = swap_between(ranks_, outgoing_);
    for (std::vector<News>& news : outgoing_) news.clear();
    ++trace_.rounds;
    for (const std::vector<News>& from_one : incoming)
      for (const News& news : from_one) {
        const Item local = *graph_.local_of(news.item);
        if (news.picked == 0) {
          told_[local] = news.gain;
          continue;
        }
        state_.add(local);
        taken_.push_back({{news.gain, news.item}, local});
        mark_influenced(local);
      }
  }

  /// Chooses the batch's last key, about the `wanted`-th of all open ones; false where nobody is open.
  bool begin_batch(std::size_t wanted) {
    std::erase_if(open_, [&](Item local) {
      return state_.set().contains(local) || !groups_.admits(graph_.item_of(local));
    });
    std::vector<PickKey> keys(open_.size());
    parallel_for(run_, open_.size(), 1 << 14, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
      for (std::size_t at = begin; at < end; ++at) keys[at] = key_of(open_[at]);
    });
    if (sum_of(ranks_, open_.size()) == 0) return false;
    floor_ = choose_floor(keys, wanted);
    active_.clear();
    for (std::size_t at = 0; at < open_.size(); ++at)
      if (in_batch(keys[at])) active_.push_back(open_[at]);
    for (const Item local : open_) mark(local);
    tell_changes(false);
    swap_news();
    return true;
  }

  /// Every rank offers some evenly spaced ones of its first keys, each standing for those up to the next.
  PickKey choose_floor(std::vector<PickKey> keys, std::size_t wanted) {
    constexpr std::size_t samples = 64;
    struct Sample {
      PickKey key;
      std::uint64_t stands_for = 0;
    };
    const std::size_t kept = std::min(wanted, keys.size());
    const auto end = keys.begin() + static_cast<std::ptrdiff_t>(kept);
    if (kept < keys.size()) std::nth_element(keys.begin(), end, keys.end(), ranks_before);
    std::sort(keys.begin(), end, ranks_before);
    const std::size_t stride = std::max<std::size_t>(1, kept / samples);
    std::vector<Sample> mine;
    for (std::size_t at = 0; at < kept; at += stride) {
      const std::size_t next = std::min(kept, at + stride);
      mine.push_back({keys[next - 1], next - at});
    }
    std::vector<Sample> all = gather_all(ranks_, mine);
    std::sort(all.begin(), all.end(), [](const Sample& a, const Sample& b) { return a.key.before(b.key); });
    std::uint64_t count = 0;
    for (const Sample& sample : all) {
      count += sample.stands_for;
      if (count >= wanted) return sample.key;
    }
    return PickKey::last();
  }

  /// Takes whoever in the batch comes before all that could still change its gain, until nobody in the batch
  /// is left on any rank; caps refuse by fill_ alone.
  void speculate() {
    waiting_ = active_;
    for (;;) {
      run_.check_cancelled();
      take_unrivalled();
      tell_changes(false);
      // Picks must reach the ranks that hold them as ghosts even if nobody waits for anything.
      std::uint64_t unfinished = waiting_.size();
      for (const std::vector<News>& to_one : outgoing_) unfinished += to_one.size();
      if (sum_of(ranks_, unfinished) == 0) return;
      swap_news();
    }
  }

  /// Goes through those who wait in order of keys, so that one pass takes all that can be taken without news.
  void take_unrivalled() {
    const auto later = [](const PickKey& a, const PickKey& b) { return b.before(a); };
    std::vector<PickKey> keys;
    keys.reserve(waiting_.size());
    for (const Item local : waiting_)
      if (!state_.set().contains(local)) keys.push_back(key_of(local));
    waiting_.clear();
    std::priority_queue<PickKey, std::vector<PickKey>, decltype(later)> queue(later, std::move(keys));
    const auto shift = static_cast<Item>(graph_.blocks().begin(ranks_.rank()) - graph_.own_begin());
    while (!queue.empty()) {
      const PickKey top = queue.top();
      queue.pop();
      const Item local = top.item - shift;
      const PickKey now = key_of(local);
      if (!in_batch(now) || fill_.refuses(groups_, now)) continue;
      if (now.gain != top.gain) {
        queue.push(now);
      } else if (has_rival(local, now)) {
        waiting_.push_back(local);
      } else {
        tell(local, true);
        state_.add(local);
        taken_.push_back({now, local});
        mark_influenced(local);
      }
    }
  }

  /// Whether somebody whose pick would change the gain may come first.
  [[nodiscard]] bool has_rival(Item local, const PickKey& key) {
    touched_.clear();
    graph_.influenced(local, touched_);
    return std::any_of(touched_.begin(), touched_.end(), [&](Item other) {
      if (other == local || state_.set().contains(other) || !is_candidate(other)) return false;
      const PickKey theirs = key_of(other);
      return theirs.before(key) && !fill_.refuses(groups_, theirs);
    });
  }

  /// Everything taken in this batch, by all ranks, in order.
  std::vector<PickKey> gather_taken() {
    std::vector<PickKey> mine;
    for (const Taken& one : taken_)
      if (graph_.owns(one.local)) mine.push_back(one.key);
    std::vector<PickKey> all = gather_all(ranks_, mine);
    std::sort(all.begin(), all.end(), ranks_before);
    return all;
  }

  void take_back(const PickKey& settled_to) {
    const auto stays = [&](const Taken& one) { return !settled_to.before(one.key); };
    const auto from = std::stable_partition(taken_.begin(), taken_.end(), stays);
    for (auto one = from; one != taken_.end(); ++one) state_.remove(one->local);
    for (auto one = from; one != taken_.end(); ++one) {
      mark(one->local);
      mark_influenced(one->local);
      trace_.taken_back += graph_.owns(one->local) ? 1 : 0;
    }
    taken_.erase(from, taken_.end());
    tell_changes(true);
    swap_news();
  }

  Communicator& ranks_;
  const RankGraph& graph_;
  const Pool& pool_;
  const Run& run_;
  RankGreedyTrace& trace_;
  ObjectiveState state_;  ///< of the picks that are items here
  CapGroups groups_;      ///< with the room that settled picks left
  FillKeys fill_;
  PickKey floor_;
  std::vector<Item> open_;     ///< own candidates, neither settled nor refused for good
  std::vector<Item> active_;   ///< those of them that were in the batch as it began
  std::vector<Item> waiting_;  ///< those of them of whom nothing is known yet
  std::vector<double> told_;   ///< of a ghost, by its owner; of an own item, to its subscribers
  std::vector<Taken> taken_;   ///< in this batch, own items and ghosts
  std::vector<std::uint8_t> is_dirty_;
  std::vector<Item> dirty_;  ///< own items with subscribers whose gain may differ from told_
  std::vector<std::uint64_t> subscriber_offsets_;
  std::vector<int> subscribers_;
  std::vector<std::vector<News>> outgoing_;
  std::vector<Item> touched_;
};

}  // namespace

std::vector<Pick> run_greedy_across(const RankGreedyTask& task, RankGreedyTrace* trace) {
  RankGreedyTrace ignored;
  RankGreedy greedy(task, trace != nullptr ? *trace : ignored);
  std::vector<Pick> picks = task.start;
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(0, task.budget));
  while (picks.size() < wanted) {
    task.run.check_cancelled();
    task.run.report("greedy", static_cast<double>(picks.size()), static_cast<double>(wanted));
    // The first of all open items is always taken: a batch without picks means that nobody is open.
    const std::vector<Pick> more = greedy.settle_batch(std::max(task.least_batch, wanted - picks.size()));
    if (more.empty()) break;
    picks.insert(picks.end(), more.begin(), more.end());
    if (task.settled) task.settled(picks);
  }
  task.run.report("greedy", static_cast<double>(wanted), static_cast<double>(wanted));
  return picks;
}

}  // namespace pith
