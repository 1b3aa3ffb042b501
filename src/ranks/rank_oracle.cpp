#include "ranks/rank_oracle.h"

#include <algorithm>
#include <stdexcept>

namespace pith {

RankOracle::RankOracle(Communicator& ranks, const RankScene& scene)
    : ranks_(ranks), graph_(scene.graph()), state_(scene.objective()) {
  gather_scores();
}

void RankOracle::add_all(std::span<const Item> items) {
  for (const Item item : items)
    if (const auto local = graph_.local_of(item)) state_.add(*local);
  gather_scores();
}

void RankOracle::gather_scores() {
  std::vector<double> mine;
  for (Item local = graph_.own_begin(); local < graph_.own_end(); ++local) mine.push_back(state_.gain(local));
  scores_ = gather_all(ranks_, mine);
}

void RankOracle::shift(Item item, bool into_set) {
  std::vector<Changed> mine;
  if (const auto local = graph_.local_of(item)) {
    into_set ? state_.add(*local) : state_.remove(*local);
    touched_.assign(1, *local);
    graph_.influenced(*local, touched_);
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const Item other : touched_)
      if (graph_.owns(other)) mine.push_back({graph_.item_of(other), state_.gain(other)});
  }
  last_shifted_ = item;
  last_influenced_.clear();
  for (const Changed& changed : gather_all(ranks_, mine)) {
    scores_[changed.item] = changed.score;
    last_influenced_.push_back(changed.item);
  }
}

void RankOracle::influenced(Item item, std::vector<Item>& out) const {
  if (item != last_shifted_) throw std::logic_error("asked for the influence of another item than the last");
  out.insert(out.end(), last_influenced_.begin(), last_influenced_.end());
}

}  // namespace pith
