#include "ranks/rank_input_reader.h"

#include "data/checks.h"
#include "data/probabilities.h"
#include "graph/fingerprint_pieces.h"
#include "ranks/row_blocks.h"
#include "ranks/together.h"

namespace pith {
namespace {

RowRange own_rows(const Communicator& ranks, std::size_t rows) {
  const RowBlocks blocks(rows, ranks.size());
  return {blocks.begin(ranks.rank()), blocks.end(ranks.rank())};
}

/// Of every item some values, of which each rank knows those of its rows.
template <class T>
void share(Communicator& ranks, const RowRange& own, std::size_t items, std::vector<T>& values) {
  if (values.empty()) return;
  const std::size_t each = values.size() / items;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(own.first * each);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(own.last * each);
  values = gather_all(ranks, std::vector<T>(begin, end));
}

}  // namespace

EmbeddingStats RankInputReader::check(const Matrix& embeddings) {
  // The lowest rank's complaint is that of the lowest row.
  EmbeddingStats stats = together(
      ranks_, [&] { return check_embeddings(embeddings, own_rows(ranks_, embeddings.rows()), run_); });
  stats.zero_vectors = sum_of(ranks_, stats.zero_vectors);
  std::vector<std::size_t> first;
  if (stats.first_zero_vector) first.push_back(*stats.first_zero_vector);
  first = gather_all(ranks_, first);
  if (!first.empty()) stats.first_zero_vector = first.front();
  return stats;
}

Predictions RankInputReader::predictions(const ClassProbabilities& probabilities, UncertaintyKind kind,
                                         std::uint32_t boundaries_per_item) {
  const std::size_t items = probabilities.items();
  const RowRange own = own_rows(ranks_, items);
  Predictions found = together(
      ranks_, [&] { return read_prediction_rows(probabilities, kind, boundaries_per_item, own, run_); });
  share(ranks_, own, items, found.best);
  share(ranks_, own, items, found.second);
  share(ranks_, own, items, found.margin);
  share(ranks_, own, items, found.other_uncertainty);
  share(ranks_, own, items, found.further_class);
  share(ranks_, own, items, found.further_margin);
  return found;
}

std::string RankInputReader::fingerprint(const MatrixView& view) {
  return fingerprint_across(ranks_, view, run_);
}

void RankInputReader::require(const std::function<void()>& check) {
  static_cast<void>(together(ranks_, [&] {
    check();
    return 0;
  }));
}

std::string fingerprint_across(Communicator& ranks, const MatrixView& view, const Run& run) {
  const RowBlocks parts(fingerprint_pieces(view), ranks.size());
  const std::vector<PieceHash> mine =
      hash_pieces(view, parts.begin(ranks.rank()), parts.end(ranks.rank()), run);
  return fingerprint_from(view, gather_all(ranks, mine));
}

}  // namespace pith
