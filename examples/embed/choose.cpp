// Pith inside another program: choose 20 of 200 items that are already in memory.
#include <pith/pith.h>

#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t items = 200;
  constexpr std::size_t dimension = 2;
  constexpr std::size_t classes = 3;
  std::vector<float> embeddings(items * dimension);
  std::vector<float> probabilities(items * classes);
  for (std::size_t i = 0; i < items; ++i) {
    embeddings[i * dimension] = static_cast<float>(i % 20) + 0.1F;
    embeddings[i * dimension + 1] = static_cast<float>(i / 20) + 0.1F;
    const float doubt = 0.05F * static_cast<float>(i % 9);
    probabilities[i * classes + i % classes] = 1 - doubt;
    probabilities[i * classes + (i + 1) % classes] = doubt;
  }

  try {
    pith::SelectOptions options;
    options.budget.amount = std::int64_t{20};
    pith::SelectInput input;
    input.embeddings = pith::Matrix::of_floats(std::move(embeddings), items, dimension, "embeddings");
    input.predictions = pith::read_predictions(
        pith::Matrix::of_floats(std::move(probabilities), items, classes, "probabilities"),
        /*logits=*/false, pith::effective_options(options).objective.uncertainty);
    const pith::Selection chosen = pith::select(input, options);
    std::printf("chose %zu of %zu, at least %.1f%% of the best possible\n", chosen.picks.size(), items,
                100 * chosen.certificate.ratio);
    for (const pith::PickRow& pick : chosen.picks) std::printf("%u %.4f\n", pick.item, pick.gain);
    return chosen.picks.size() == 20 ? 0 : 1;
  } catch (const pith::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
