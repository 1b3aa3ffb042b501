#pragma once

#include <vector>

#include "data/checks.h"
#include "pith/error.h"
#include "pith/matrix.h"
#include "pith/predictions.h"

namespace pith::fuzz {

/// Reads everything a matrix promises, so that a view that reaches outside its file is caught by the
/// sanitizers.
inline void use_matrix(const Matrix& matrix) {
  const Run one_thread{.threads = 1, .progress = {}, .cancelled = nullptr};
  std::vector<double> row(matrix.cols());
  for (std::size_t i = 0; i < matrix.rows(); ++i) matrix.view.read_rows(i, 1, row.data());
  const auto attempt = [](const auto& action) {
    try {
      action();
    } catch (const Error&) {
    }
  };
  attempt([&] { (void)check_embeddings(matrix, one_thread, CountDuplicates::yes); });
  attempt([&] { (void)read_predictions(matrix, false, UncertaintyKind::entropy, one_thread); });
  attempt([&] { (void)read_predictions(matrix, true, UncertaintyKind::least_confidence, one_thread); });
}

}  // namespace pith::fuzz
