#include "pipeline/prepare_input.h"

#include <fmt/format.h>

#include "pith/error.h"

namespace pith {
namespace {

std::vector<ShardNote> shards_of(const Matrix& matrix, InputReader& reader) {
  std::vector<ShardNote> shards;
  if (matrix.view.pieces == nullptr) return shards;
  const MatrixPieces& pieces = *matrix.view.pieces;
  for (std::size_t at = 0; at < pieces.views.size(); ++at)
    shards.push_back({.path = pieces.sources[at],
                      .rows = pieces.views[at].rows,
                      .checksum = reader.fingerprint(pieces.views[at])});
  return shards;
}

InputNote note_of(std::string role, const Matrix& matrix, InputReader& reader, bool logits = false) {
  return {.role = std::move(role),
          .path = matrix.source,
          .shape = fmt::format("{} x {} {}", matrix.rows(), matrix.cols(), name_of(matrix.view.scalar)),
          .checksum = reader.fingerprint(matrix.view),
          .logits = logits,
          .shards = shards_of(matrix, reader)};
}

}  // namespace

void require_same_items(const Matrix& embeddings, const ClassProbabilities& probabilities) {
  const Matrix& probs = probabilities.members.front();
  if (embeddings.rows() != probs.rows())
    throw Error(
        ErrorKind::bad_input,
        fmt::format("{} has {} rows but {} has {}; both must describe the same items in the same order{}",
                    embeddings.source, embeddings.rows(), probs.source, probs.rows(),
                    embeddings.cols() == probs.rows()   ? " (are the embeddings transposed? save array.T)"
                    : embeddings.rows() == probs.cols() ? " (are the probabilities transposed? save array.T)"
                                                        : ""));
}

EmbeddingStats InputReader::check(const Matrix& embeddings) {
  return check_embeddings(embeddings, run_);
}

Predictions InputReader::predictions(const ClassProbabilities& probabilities, UncertaintyKind kind,
                                     std::uint32_t boundaries_per_item) {
  return read_predictions(probabilities, kind, run_, boundaries_per_item);
}

std::string InputReader::fingerprint(const MatrixView& view) {
  return fingerprint_of(view, run_);
}

void prepare_input(SelectInput& input, const SelectOptions& options, const std::string& graph_name,
                   std::vector<InputNote>& notes, InputReader& reader) {
  std::string fingerprint;
  if (input.embeddings.rows() != 0) {
    const EmbeddingStats stats = reader.check(input.embeddings);
    notes.push_back(note_of("embeddings", input.embeddings, reader));
    notes.back().zero_rows = stats.zero_vectors;
    notes.back().first_zero_row = stats.first_zero_vector.value_or(0);
    fingerprint = notes.back().checksum;
  }
  input.predictions = reader.predictions(input.probabilities, options.objective.uncertainty,
                                         options.balance.boundaries_per_item);
  const std::vector<Matrix>& members = input.probabilities.members;
  for (std::size_t at = 0; at < members.size(); ++at)
    notes.push_back(note_of(at == 0 ? "probs" : fmt::format("probs-{}", at + 1), members[at], reader,
                            input.probabilities.logits));
  if (!input.graph) return;
  reader.require([&] {
    if (input.embeddings.rows() != 0)
      require_same_embeddings(*input.graph, input.embeddings, fingerprint, graph_name);
    if (input.graph->size() != members.front().rows())
      throw Error(
          ErrorKind::bad_input,
          fmt::format("{} has {} items but {} has {} rows; build the graph of the same items with "
                      "pith graph",
                      graph_name, input.graph->size(), members.front().source, members.front().rows()));
  });
}

void prepare_input(SelectInput& input, const SelectOptions& options, const std::string& graph_name,
                   std::vector<InputNote>& notes, const Run& run) {
  InputReader reader(run);
  prepare_input(input, options, graph_name, notes, reader);
}

}  // namespace pith
