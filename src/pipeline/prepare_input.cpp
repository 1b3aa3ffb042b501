#include "pipeline/prepare_input.h"

#include <fmt/format.h>

#include "data/checks.h"
#include "pith/error.h"

namespace pith {
namespace {

std::vector<ShardNote> shards_of(const Matrix& matrix, const Run& run) {
  std::vector<ShardNote> shards;
  if (matrix.view.pieces == nullptr) return shards;
  const MatrixPieces& pieces = *matrix.view.pieces;
  for (std::size_t at = 0; at < pieces.views.size(); ++at)
    shards.push_back({.path = pieces.sources[at],
                      .rows = pieces.views[at].rows,
                      .checksum = fingerprint_of(pieces.views[at], run)});
  return shards;
}

InputNote note_of(std::string role, const Matrix& matrix, const Run& run, bool logits = false) {
  return {.role = std::move(role),
          .path = matrix.source,
          .shape = fmt::format("{} x {} {}", matrix.rows(), matrix.cols(), name_of(matrix.view.scalar)),
          .checksum = fingerprint_of(matrix.view, run),
          .logits = logits,
          .shards = shards_of(matrix, run)};
}

}  // namespace

void require_same_items(const Matrix& embeddings, const ClassProbabilities& probabilities) {
  const Matrix& probs = probabilities.members.front();
  if (embeddings.rows() != probs.rows())
    throw Error(
        ErrorKind::bad_input,
        fmt::format("{} has {} rows but {} has {}; both must describe the same items in the same order",
                    embeddings.source, embeddings.rows(), probs.source, probs.rows()));
}

void prepare_input(SelectInput& input, const SelectOptions& options, const std::string& graph_name,
                   std::vector<InputNote>& notes, const Run& run) {
  if (input.embeddings.rows() != 0) {
    static_cast<void>(check_embeddings(input.embeddings, run));
    notes.push_back(note_of("embeddings", input.embeddings, run));
  }
  input.predictions = read_predictions(input.probabilities, options.objective.uncertainty, run,
                                       options.balance.boundaries_per_item);
  const std::vector<Matrix>& members = input.probabilities.members;
  for (std::size_t at = 0; at < members.size(); ++at)
    notes.push_back(note_of(at == 0 ? "probs" : fmt::format("probs-{}", at + 1), members[at], run,
                            input.probabilities.logits));
  if (!input.graph) return;
  if (input.embeddings.rows() != 0) require_same_embeddings(*input.graph, input.embeddings, graph_name, run);
  if (input.graph->size() != members.front().rows())
    throw Error(ErrorKind::bad_input,
                fmt::format("{} has {} items but {} has {} rows; build the graph of the same items with "
                            "pith graph",
                            graph_name, input.graph->size(), members.front().source, members.front().rows()));
}

}  // namespace pith
