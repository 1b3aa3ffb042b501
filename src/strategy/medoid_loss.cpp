#include "strategy/medoid_loss.h"

#include <algorithm>
#include <cmath>

namespace pith {

MedoidLoss::MedoidLoss(const Graph& graph, const Pool& pool)
    : graph_(graph),
      pool_(pool),
      lengths_(graph.all_dissimilarities().size()),
      is_medoid_(graph.size(), 0),
      nearest_(graph.size()),
      removal_loss_(graph.size(), 0) {
  double most = 0;
  for (const float d : graph.all_dissimilarities()) most = std::max(most, graph.length(d));
  for (std::size_t at = 0; at < lengths_.size(); ++at)
    lengths_[at] =
        most > 0 ? static_cast<std::int32_t>(std::llround(graph.length(graph.all_dissimilarities()[at]) /
                                                          most * static_cast<double>(longest)))
                 : 0;
}

/// Calls body(item, length) for the item itself and its neighbours.
template <class Body>
void MedoidLoss::for_ball(Item item, Body body) const {
  body(item, std::int64_t{0});
  const auto neighbors = graph_.neighbors(item);
  const std::int32_t* const lengths = lengths_.data() + graph_.offsets()[item];
  for (std::size_t at = 0; at < neighbors.size(); ++at) body(neighbors[at], std::int64_t{lengths[at]});
}

/// Ties between medoids go to the lower index.
MedoidLoss::Nearest MedoidLoss::look_around(Item item) const {
  Nearest found;
  if (pool_.state[item] == Pool::State::excluded) return {.medoid = nobody, .first = 0, .second = 0};
  for_ball(item, [&](Item other, std::int64_t length) {
    if (is_medoid_[other] == 0) return;
    if (found.medoid == nobody || length < found.first || (length == found.first && other < found.medoid)) {
      found.second = found.medoid == nobody ? longest : found.first;
      found.first = length;
      found.medoid = other;
    } else {
      found.second = std::min(found.second, length);
    }
  });
  return found;
}

std::int64_t MedoidLoss::addition_change(Item item) const {
  std::int64_t sum = 0;
  for_ball(item, [&](Item other, std::int64_t length) {
    if (pool_.state[other] != Pool::State::excluded)
      sum += std::min<std::int64_t>(0, length - nearest_[other].first);
  });
  return sum;
}

void MedoidLoss::weigh(Item added, Exchange& out) const {
  out.addition = 0;
  out.corrections.clear();
  for_ball(added, [&](Item other, std::int64_t length) {
    const Nearest& near = nearest_[other];
    const std::int64_t gain = std::min<std::int64_t>(0, length - near.first);
    if (pool_.state[other] == Pool::State::excluded) return;
    out.addition += gain;
    if (near.medoid != nobody)
      out.corrections.emplace_back(near.medoid, std::min(near.second, length) - near.second - gain);
  });
  std::sort(out.corrections.begin(), out.corrections.end());
  std::size_t kept = 0;
  for (std::size_t at = 0; at < out.corrections.size(); ++at) {
    if (kept > 0 && out.corrections[kept - 1].first == out.corrections[at].first)
      out.corrections[kept - 1].second += out.corrections[at].second;
    else
      out.corrections[kept++] = out.corrections[at];
  }
  out.corrections.resize(kept);
}

void MedoidLoss::shift(Item medoid, std::int64_t by) {
  if (by == 0 || medoid == nobody) return;
  medoids_.erase({removal_loss_[medoid], medoid});
  removal_loss_[medoid] += by;
  if (is_medoid_[medoid] != 0) medoids_.insert({removal_loss_[medoid], medoid});
}

void MedoidLoss::change(Item item, bool into_set) {
  is_medoid_[item] = into_set ? 1 : 0;
  if (into_set)
    medoids_.insert({removal_loss_[item], item});
  else
    medoids_.erase({removal_loss_[item], item});
  for_ball(item, [&](Item other, std::int64_t /*length*/) {
    Nearest& near = nearest_[other];
    const Nearest now = look_around(other);
    shift(near.medoid, near.first - near.second);
    near = now;
    shift(now.medoid, now.second - now.first);
  });
}

void MedoidLoss::influenced(Item item, std::vector<Item>& out) const {
  for_ball(item, [&](Item other, std::int64_t /*length*/) {
    for_ball(other, [&](Item third, std::int64_t /*length*/) { out.push_back(third); });
  });
}

}  // namespace pith
