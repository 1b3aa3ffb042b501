#include <algorithm>
#include <cmath>

#include "network/trainer.h"

namespace pith::train {

double predict_all(Predictor& predictor, const Part& part, const Normalisation& normalisation,
                   const RowSink& sink, const Run& run) {
  constexpr std::size_t batch_size = 128;
  const SequentialOrder order(part.size(), batch_size);
  BatchLoader loader(part, order, {.normalisation = normalisation, .threads = run.thread_count()}, run);
  std::vector<float> embeddings;
  std::vector<float> probs;
  std::size_t done = 0;
  while (const Batch* batch = loader.next()) {
    run.check_cancelled();
    predictor.predict(*batch, embeddings, probs);
    sink(batch->items, embeddings, probs);
    done += batch->items;
    run.report("predict", static_cast<double>(done), static_cast<double>(part.size()));
  }
  return loader.waited_seconds();
}

Evaluation evaluate(Predictor& predictor, const Part& part, const Normalisation& normalisation,
                    const Run& run) {
  // One item adds at most 27.6 to the loss: a probability of 0 would make the mean infinite.
  constexpr float least_probability = 1e-12F;
  std::size_t correct = 0;
  std::size_t at = 0;
  double loss = 0;
  const auto count = [&](std::size_t items, const std::vector<float>& /*embeddings*/,
                         const std::vector<float>& probs) {
    const std::size_t classes = probs.size() / items;
    for (std::size_t item = 0; item < items; ++item, ++at) {
      const float* row = probs.data() + item * classes;
      const std::uint32_t label = part.labels[at];
      correct += std::max_element(row, row + classes) - row == label ? 1 : 0;
      loss -= std::log(std::max(row[label], least_probability));
    }
  };
  predict_all(predictor, part, normalisation, count, run);
  const auto items = static_cast<double>(part.size());
  return {.accuracy = static_cast<double>(correct) / items, .loss = loss / items};
}

}  // namespace pith::train
