#include "data/join_rows.h"

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "data/refuse.h"

namespace pith {
namespace {

struct Joined {
  MatrixPieces pieces;
  std::vector<std::shared_ptr<const void>> owners;

  void add(const MatrixView& view, const std::string& source) {
    pieces.views.push_back(view);
    pieces.sources.push_back(source);
    pieces.starts.push_back(pieces.starts.back() + view.rows);
  }
};

void require_alike(const Matrix& first, const Matrix& other) {
  if (first.cols() != other.cols())
    refuse_input(other.source, "{} columns, but {} has {}; both must come from the same model", other.cols(),
                 first.source, first.cols());
  if (first.view.scalar != other.view.scalar)
    refuse_input(other.source, "{} numbers, but {} has {}; save both in the same type",
                 name_of(other.view.scalar), first.source, name_of(first.view.scalar));
}

}  // namespace

Matrix join_rows(std::span<const Matrix> parts, std::string source) {
  const auto joined = std::make_shared<Joined>();
  joined->pieces.starts.push_back(0);
  for (const Matrix& part : parts) {
    require_alike(parts.front(), part);
    joined->owners.push_back(part.owner);
    if (part.view.pieces == nullptr) {
      joined->add(part.view, part.source);
      continue;
    }
    for (std::size_t at = 0; at < part.view.pieces->views.size(); ++at)
      joined->add(part.view.pieces->views[at], part.view.pieces->sources[at]);
  }
  const std::size_t rows = joined->pieces.starts.back();
  if (rows >= std::numeric_limits<Item>::max())
    refuse_unsupported(source, "{} rows in all; fewer than {} are supported", rows,
                       std::numeric_limits<Item>::max());
  MatrixView view = joined->pieces.views.front();
  view.data = nullptr;
  view.rows = rows;
  view.pieces = &joined->pieces;
  return {.view = view, .owner = joined, .source = std::move(source)};
}

}  // namespace pith
