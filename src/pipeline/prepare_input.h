#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/checks.h"
#include "pipeline/outputs.h"
#include "pith/select.h"

namespace pith {

/// That embeddings and class probabilities have the same number of rows.
void require_same_items(const Matrix& embeddings, const ClassProbabilities& probabilities);

/// How the numbers of an input are looked at, each once. Others may share that work (ranks/).
class InputReader {
 public:
  explicit InputReader(const Run& run) : run_(run) {}
  virtual ~InputReader() = default;
  InputReader(const InputReader&) = delete;
  InputReader& operator=(const InputReader&) = delete;

  [[nodiscard]] virtual EmbeddingStats check(const Matrix& embeddings);
  [[nodiscard]] virtual Predictions predictions(const ClassProbabilities& probabilities, UncertaintyKind kind,
                                                std::uint32_t boundaries_per_item);
  [[nodiscard]] virtual std::string fingerprint(const MatrixView& view);
  /// Runs a check that throws where something is wrong.
  virtual void require(const std::function<void()>& check) { check(); }

 protected:
  const Run& run_;
};

/// Reads every number once, so that select() can trust them: checks the embeddings, fills input.predictions
/// from input.probabilities, and checks that a given graph is of these items; `graph_name` is what errors
/// call it. Adds to `notes` which embeddings and probabilities these were, by fingerprint.
void prepare_input(SelectInput& input, const SelectOptions& options, const std::string& graph_name,
                   std::vector<InputNote>& notes, const Run& run);
void prepare_input(SelectInput& input, const SelectOptions& options, const std::string& graph_name,
                   std::vector<InputNote>& notes, InputReader& reader);

}  // namespace pith
