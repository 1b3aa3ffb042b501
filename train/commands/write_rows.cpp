#include "commands/write_rows.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "data/npy_writer.h"

namespace pith::train {
namespace {

std::string_view bytes_of(const std::vector<float>& rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(float)};
}

/// Writes a matrix row by row; its header once the first rows tell how many columns there are.
class MatrixWriter {
 public:
  MatrixWriter(OutputFile& file, std::size_t rows) : file_(file), rows_(rows) {}
  void add(std::size_t rows, const std::vector<float>& values) {
    if (cols_ == 0) {
      cols_ = values.size() / rows;
      file_.write(npy_header_of_matrix(Scalar::f32, rows_, cols_));
    }
    file_.write(bytes_of(values));
  }
  [[nodiscard]] std::size_t cols() const noexcept { return cols_; }

 private:
  OutputFile& file_;
  std::size_t rows_;
  std::size_t cols_ = 0;
};

/// That every row is of numbers; `first` is the item of the first.
void require_numbers(const std::vector<float>& rows, std::size_t items, std::size_t first,
                     const NoNumber& refuse) {
  const auto bad = std::find_if(rows.begin(), rows.end(), [](float value) { return !std::isfinite(value); });
  if (bad == rows.end()) return;
  refuse(first + static_cast<std::size_t>(bad - rows.begin()) / (rows.size() / items), *bad);
}

}  // namespace

WrittenRows write_rows(OutputFolder& folder, Predictor& predictor, const Part& part,
                       const Normalisation& normalisation, const NoNumber& refuse, const Run& run) {
  WrittenRows written;
  folder.write_in_pieces("embeddings.npy", [&](OutputFile& embeddings_file) {
    folder.write_in_pieces("probs.npy", [&](OutputFile& probs_file) {
      MatrixWriter embeddings(embeddings_file, part.size());
      MatrixWriter probs(probs_file, part.size());
      std::size_t done = 0;
      const auto sink = [&](std::size_t items, const std::vector<float>& e, const std::vector<float>& p) {
        for (const auto* rows : {&e, &p}) require_numbers(*rows, items, done, refuse);
        done += items;
        embeddings.add(items, e);
        probs.add(items, p);
      };
      written.waited_seconds = predict_all(predictor, part, normalisation, sink, run);
      written.embedding = embeddings.cols();
      written.classes = probs.cols();
    });
  });
  return written;
}

}  // namespace pith::train
