#include "ranks/share_predictions.h"

namespace pith {
namespace {

template <class T>
void share(Communicator& ranks, std::vector<T>& values) {
  const auto view = bytes_of(values);
  const Packet bytes = ranks.broadcast(ranks.is_first() ? Packet(view.begin(), view.end()) : Packet(), 0);
  if (!ranks.is_first()) values = values_of<T>(bytes);
}

}  // namespace

void share_predictions(Communicator& ranks, Predictions& predictions) {
  std::vector<std::uint32_t> numbers = {predictions.classes, predictions.further};
  share(ranks, numbers);
  predictions.classes = numbers[0];
  predictions.further = numbers[1];
  share(ranks, predictions.best);
  share(ranks, predictions.second);
  share(ranks, predictions.margin);
  share(ranks, predictions.other_uncertainty);
  share(ranks, predictions.further_class);
  share(ranks, predictions.further_margin);
}

}  // namespace pith
