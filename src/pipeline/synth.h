#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pith/run.h"

namespace pith {

/// A made-up dataset for trying things out: classes are clusters of a Gaussian mixture, some pairs of them
/// close together, and the probabilities are those of a classifier that knows the cluster centres only
/// roughly.
struct SynthOptions {
  std::uint64_t items = 10'000;
  std::uint32_t dimension = 64;
  std::uint32_t classes = 10;
  double long_tail = 1;  ///< size of the largest class over that of the smallest, sizes falling exponentially
  double spread = 1;     ///< noise around a centre, in units of the typical distance between centres
  /// Directions the noise of a class has, as in real embeddings, which vary in few ways; 0: all of them.
  std::uint32_t intrinsic = 0;
  std::uint64_t seed = 0;

  [[nodiscard]] std::vector<std::string> check() const;
};

struct SynthData {
  std::vector<float> embeddings;  ///< items x dimension
  std::vector<float> probs;       ///< items x classes
  std::vector<std::uint32_t> labels;
};

/// Items in each class: n_max * tail^(-c / (L-1)), scaled and rounded to sum to n, each at least one.
[[nodiscard]] std::vector<std::uint64_t> long_tail_sizes(std::uint64_t items, std::uint32_t classes,
                                                         double long_tail);

/// Makes the items a few at a time, any of them at any time. Holds a label for each, 4 bytes.
class Synthesizer {
 public:
  explicit Synthesizer(const SynthOptions& options);

  [[nodiscard]] const std::vector<std::uint32_t>& labels() const noexcept { return labels_; }
  /// Items begin .. end - 1: `embeddings` gets a row of the dimension each, `probs` one of the classes.
  void make(std::size_t begin, std::size_t end, float* embeddings, float* probs, const Run& run) const;

 private:
  SynthOptions options_;
  std::vector<float> centers_;
  std::vector<float> beliefs_;
  std::vector<float> directions_;  ///< of each class, a row of options_.intrinsic numbers for every dimension
  double noise_;
  double temperature_;
  std::vector<std::uint32_t> labels_;
};

/// All of them. The same for any run.threads.
[[nodiscard]] SynthData synthesize(const SynthOptions& options, const Run& run = {});

}  // namespace pith
