#pragma once

#include "pipeline/prepare_input.h"
#include "ranks/communicator.h"

namespace pith {

/// The input of several ranks: each looks at the rows it owns, and all get to know the predictions of all.
/// Every member is collective.
class RankInputReader final : public InputReader {
 public:
  RankInputReader(Communicator& ranks, const Run& run) : InputReader(run), ranks_(ranks) {}

  [[nodiscard]] EmbeddingStats check(const Matrix& embeddings) override;
  [[nodiscard]] Predictions predictions(const ClassProbabilities& probabilities, UncertaintyKind kind,
                                        std::uint32_t boundaries_per_item) override;
  [[nodiscard]] std::string fingerprint(const MatrixView& view) override;
  void require(const std::function<void()>& check) override;

 private:
  Communicator& ranks_;
};

/// fingerprint_of(), each rank reading its part. Collective.
[[nodiscard]] std::string fingerprint_across(Communicator& ranks, const MatrixView& view, const Run& run);

}  // namespace pith
