#include "strategy/greedy.h"

#include <algorithm>
#include <queue>

#include "constraint/cap_tracker.h"

namespace pith {
namespace {

struct Entry {
  double score;
  Item item;
};

/// Taken before: the larger score, then the lower index.
bool before(const Entry& a, const Entry& b) noexcept {
  return a.score > b.score || (a.score == b.score && a.item < b.item);
}

/// All candidates by their first scores, handed out best first. Sorted a block at a time, because most runs
/// never look below the top.
class SortedRun {
 public:
  SortedRun(std::vector<Entry> entries, std::size_t first_block)
      : entries_(std::move(entries)), block_(std::max<std::size_t>(first_block, 1024)) {}

  [[nodiscard]] bool empty() {
    if (next_ == sorted_) sort_next_block();
    return next_ == entries_.size();
  }
  [[nodiscard]] const Entry& top() const { return entries_[next_]; }
  /// The entry some places behind the top, as far as it is known.
  [[nodiscard]] const Entry& ahead(std::size_t places) const {
    return entries_[std::min(next_ + places, entries_.size() - 1)];
  }
  void pop() { ++next_; }

 private:
  void sort_next_block() {
    const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    sorted_ = std::min(entries_.size(), sorted_ + block_);
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    if (end != entries_.end()) std::nth_element(begin, end, entries_.end(), before);
    std::sort(begin, end, before);
    block_ *= 2;
  }

  std::vector<Entry> entries_;
  std::size_t block_;
  std::size_t next_ = 0;
  std::size_t sorted_ = 0;
};

struct TakenLater {
  bool operator()(const Entry& a, const Entry& b) const noexcept { return before(b, a); }
};
using Heap = std::priority_queue<Entry, std::vector<Entry>, TakenLater>;

/// The candidates with upper bounds of their scores: first scores in a sorted run, fallen ones in a heap.
class LazyQueue {
 public:
  LazyQueue(std::vector<Entry> entries, std::size_t first_block) : run_(std::move(entries), first_block) {}

  bool pop(Entry& out) {
    const bool run_empty = run_.empty();
    if (run_empty && fallen_.empty()) return false;
    if (fallen_.empty() || (!run_empty && before(run_.top(), fallen_.top()))) {
      out = run_.top();
      run_.pop();
    } else {
      out = fallen_.top();
      fallen_.pop();
    }
    return true;
  }
  void push(const Entry& entry) { fallen_.push(entry); }
  [[nodiscard]] Item expected(std::size_t places) const { return run_.ahead(places).item; }

 private:
  SortedRun run_;
  Heap fallen_;
};

std::vector<Entry> first_scores(Oracle& oracle, const Pool& pool, const std::vector<Pick>& start,
                                const Run& run) {
  std::vector<Item> items;
  items.reserve(pool.candidates());
  std::vector<std::uint8_t> taken(pool.state.size(), 0);
  for (const Pick& pick : start) taken[pick.item] = 1;
  for (std::size_t item = 0; item < pool.state.size(); ++item)
    if (pool.state[item] == Pool::State::candidate && taken[item] == 0)
      items.push_back(static_cast<Item>(item));

  std::vector<Entry> entries(items.size());
  constexpr std::size_t block = 1 << 20;
  std::vector<double> scores(std::min(block, items.size()));
  for (std::size_t begin = 0; begin < items.size(); begin += block) {
    run.check_cancelled();
    const std::size_t count = std::min(block, items.size() - begin);
    oracle.score_all({items.data() + begin, count}, {scores.data(), count});
    for (std::size_t at = 0; at < count; ++at) entries[begin + at] = {scores[at], items[begin + at]};
  }
  return entries;
}

}  // namespace

std::vector<Pick> run_greedy(Oracle& oracle, const Balance& balance, const Pool& pool, std::int64_t budget,
                             const Run& run, std::vector<Pick> start) {
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(0, budget));
  std::vector<Pick> picks = std::move(start);
  picks.reserve(std::min(wanted, pool.candidates()));
  CapTracker caps(balance);
  for (const Item item : pool.labelled) oracle.add(item);
  for (const Pick& pick : picks) {
    oracle.add(pick.item);
    caps.take(pick.item);
  }
  LazyQueue queue(first_scores(oracle, pool, picks, run), 2 * wanted);

  std::vector<Entry> stale;
  std::vector<Item> items;
  std::vector<double> scores;
  std::size_t steps = 0;
  Entry top{};
  while (picks.size() < wanted && queue.pop(top)) {
    // Every time: a step can take milliseconds where scores are dear.
    run.check_cancelled();
    if (++steps % 4096 == 0)
      run.report("greedy", static_cast<double>(picks.size()), static_cast<double>(wanted));
    const Item soon = queue.expected(8);
    caps.expect(soon);
    oracle.expect(soon);
    if (!caps.admits(top.item)) continue;  // refused once, refused for good: caps only fill
    const std::size_t batch = oracle.batch(top.item);
    const double now = oracle.score(top.item);
    if (now == top.score) {
      oracle.add(top.item);
      caps.take(top.item);
      picks.push_back({.item = top.item, .score = now});
      continue;
    }
    queue.push({now, top.item});
    // The next in line are probably stale too: an oracle that works in batches refreshes them along.
    stale.clear();
    while (stale.size() + 1 < batch && queue.pop(top))
      if (caps.admits(top.item)) stale.push_back(top);
    if (stale.empty()) continue;
    items.resize(stale.size());
    scores.resize(stale.size());
    std::transform(stale.begin(), stale.end(), items.begin(), [](const Entry& entry) { return entry.item; });
    oracle.score_all(items, scores);
    for (std::size_t at = 0; at < stale.size(); ++at) queue.push({scores[at], items[at]});
  }
  run.report("greedy", static_cast<double>(wanted), static_cast<double>(wanted));
  return picks;
}

}  // namespace pith
