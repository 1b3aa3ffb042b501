#include "report/pca.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "base/rng.h"

namespace pith {
namespace {

/// Directions followed at once: more than are wanted, so that close variances do not slow the first two.
constexpr std::size_t width = 8;
constexpr std::size_t block_rows = 1024;
constexpr int most_steps = 60;

using Lanes = std::array<float, width>;
using Square = std::array<std::array<double, width>, width>;

/// One block of rows as floats, centred.
class RowBlock {
 public:
  RowBlock(const MatrixView& matrix, std::span<const Item> rows, bool unit_rows)
      : matrix_(matrix), rows_(rows), unit_rows_(unit_rows), values_(matrix.cols) {}

  const float* read(std::size_t at, const float* mean) {
    matrix_.read_rows(rows_[at], 1, values_.data());
    if (unit_rows_) {
      double square = 0;
      for (const float value : values_) square += static_cast<double>(value) * static_cast<double>(value);
      const auto scale = static_cast<float>(square > 0 ? 1 / std::sqrt(square) : 0.0);
      for (float& value : values_) value *= scale;
    }
    if (mean != nullptr)
      for (std::size_t col = 0; col < values_.size(); ++col) values_[col] -= mean[col];
    return values_.data();
  }

 private:
  const MatrixView& matrix_;
  std::span<const Item> rows_;
  bool unit_rows_;
  std::vector<float> values_;
};

class SubspaceIteration {
 public:
  SubspaceIteration(const MatrixView& matrix, std::span<const Item> rows, bool unit_rows, const Run& run)
      : matrix_(matrix), rows_(rows), unit_rows_(unit_rows), run_(run), mean_(matrix.cols) {}

  Pca find() {
    Pca out;
    find_mean();
    basis_.resize(matrix_.cols);
    for (std::size_t col = 0; col < matrix_.cols; ++col)
      for (std::size_t lane = 0; lane < width; ++lane)
        basis_[col][lane] = static_cast<float>(random_unit(0x70636131, col * width + lane) - 0.5);
    orthonormalise();
    double before = -1;
    for (int step = 0; step < most_steps; ++step) {
      run_.report("pca", step, most_steps);
      multiply();
      const double first_two = norm(0) + norm(1);
      out.total_variance = squares_ / count();
      orthonormalise();
      if (std::abs(first_two - before) <= 1e-5 * first_two) break;
      before = first_two;
    }
    rotate(out);
    project(out);
    run_.report("pca", 1, 1);
    return out;
  }

 private:
  [[nodiscard]] double count() const { return static_cast<double>(std::max<std::size_t>(rows_.size(), 1)); }

  /// Runs body(block, row, sums) over all rows, `lanes` sums a block, and adds the blocks' sums in order.
  template <class Body>
  std::vector<double> sum_blocks(std::size_t lanes, const float* mean, Body body) {
    const std::size_t blocks = (rows_.size() + block_rows - 1) / block_rows;
    std::vector<double> total(lanes, 0.0);
    // A few blocks at a time: with thousands of columns, all blocks' sums at once would be large.
    constexpr std::size_t at_once = 64;
    std::vector<std::vector<float>> parts(std::min(blocks, at_once), std::vector<float>(lanes));
    for (std::size_t first = 0; first < blocks; first += at_once) {
      const std::size_t now = std::min(at_once, blocks - first);
      parallel_for(run_, now, 1, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
        RowBlock reader(matrix_, rows_, unit_rows_);
        for (std::size_t part = begin; part < end; ++part) {
          std::fill(parts[part].begin(), parts[part].end(), 0.0F);
          const std::size_t from = (first + part) * block_rows;
          for (std::size_t at = from; at < std::min(from + block_rows, rows_.size()); ++at)
            body(reader.read(at, mean), parts[part].data());
        }
      });
      for (std::size_t part = 0; part < now; ++part)
        for (std::size_t lane = 0; lane < lanes; ++lane)
          total[lane] += static_cast<double>(parts[part][lane]);
    }
    return total;
  }

  void find_mean() {
    const std::size_t cols = matrix_.cols;
    const std::vector<double> sums = sum_blocks(cols, nullptr, [cols](const float* row, float* sum) {
      for (std::size_t col = 0; col < cols; ++col) sum[col] += row[col];
    });
    for (std::size_t col = 0; col < cols; ++col) mean_[col] = static_cast<float>(sums[col] / count());
  }

  static Lanes product(const float* row, const std::vector<Lanes>& basis) {
    Lanes y{};
    for (std::size_t col = 0; col < basis.size(); ++col)
      for (std::size_t lane = 0; lane < width; ++lane) y[lane] += row[col] * basis[col][lane];
    return y;
  }

  /// basis <- covariance * basis, unscaled, and the sum of all squares.
  void multiply() {
    const std::size_t cols = matrix_.cols;
    const std::vector<double> sums =
        sum_blocks(cols * width + 1, mean_.data(), [this, cols](const float* row, float* sum) {
          const Lanes y = product(row, basis_);
          float square = 0;
          for (std::size_t col = 0; col < cols; ++col) {
            square += row[col] * row[col];
            for (std::size_t lane = 0; lane < width; ++lane) sum[col * width + lane] += row[col] * y[lane];
          }
          sum[cols * width] += square;
        });
    for (std::size_t col = 0; col < cols; ++col)
      for (std::size_t lane = 0; lane < width; ++lane)
        basis_[col][lane] = static_cast<float>(sums[col * width + lane] / count());
    squares_ = sums.back();
  }

  [[nodiscard]] double dot(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (const Lanes& row : basis_) sum += static_cast<double>(row[a]) * static_cast<double>(row[b]);
    return sum;
  }
  [[nodiscard]] double norm(std::size_t lane) const { return std::sqrt(dot(lane, lane)); }

  /// Gram and Schmidt, twice. A direction that vanishes becomes zero: the data has fewer.
  void orthonormalise() {
    double largest = 0;
    for (std::size_t lane = 0; lane < width; ++lane) largest = std::max(largest, norm(lane));
    for (std::size_t lane = 0; lane < width; ++lane) {
      for (int again = 0; again < 2; ++again)
        for (std::size_t other = 0; other < lane; ++other) {
          const auto share = static_cast<float>(dot(lane, other));
          for (Lanes& row : basis_) row[lane] -= share * row[other];
        }
      const double length = norm(lane);
      const auto scale = static_cast<float>(length > 1e-6 * largest ? 1 / length : 0.0);
      for (Lanes& row : basis_) row[lane] *= scale;
    }
  }

  /// Within the subspace: the eigenvectors of the small covariance, by Jacobi's rotations.
  void rotate(Pca& out) {
    const std::vector<Lanes> span = basis_;
    multiply();
    Square small{};
    for (std::size_t a = 0; a < width; ++a)
      for (std::size_t b = 0; b < width; ++b)
        for (std::size_t col = 0; col < span.size(); ++col)
          small[a][b] += static_cast<double>(span[col][a]) * static_cast<double>(basis_[col][b]);
    for (std::size_t a = 0; a < width; ++a)
      for (std::size_t b = 0; b < a; ++b) small[a][b] = small[b][a] = (small[a][b] + small[b][a]) / 2;
    Square vectors{};
    for (std::size_t a = 0; a < width; ++a) vectors[a][a] = 1;
    for (int sweep = 0; sweep < 30; ++sweep)
      for (std::size_t p = 0; p < width; ++p)
        for (std::size_t q = p + 1; q < width; ++q) turn(small, vectors, p, q);
    std::array<std::size_t, width> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return small[a][a] > small[b][b]; });
    for (std::size_t axis = 0; axis < 2; ++axis) {
      out.variance[axis] = std::max(0.0, small[order[axis]][order[axis]]);
      std::vector<float>& direction = out.axes[axis];
      direction.assign(span.size(), 0.0F);
      std::size_t largest = 0;
      for (std::size_t col = 0; col < span.size(); ++col) {
        double sum = 0;
        for (std::size_t a = 0; a < width; ++a)
          sum += static_cast<double>(span[col][a]) * vectors[a][order[axis]];
        direction[col] = static_cast<float>(sum);
        if (std::abs(direction[col]) > std::abs(direction[largest])) largest = col;
      }
      if (!direction.empty() && direction[largest] < 0)
        for (float& entry : direction) entry = -entry;
    }
  }

  static void turn(Square& m, Square& vectors, std::size_t p, std::size_t q) {
    if (m[p][q] == 0) return;
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1);
    const double s = t * c;
    for (std::size_t k = 0; k < width; ++k) {
      const double a = m[k][p];
      const double b = m[k][q];
      m[k][p] = c * a - s * b;
      m[k][q] = s * a + c * b;
    }
    for (std::size_t k = 0; k < width; ++k) {
      const double a = m[p][k];
      const double b = m[q][k];
      m[p][k] = c * a - s * b;
      m[q][k] = s * a + c * b;
      const double v = vectors[k][p];
      const double w = vectors[k][q];
      vectors[k][p] = c * v - s * w;
      vectors[k][q] = s * v + c * w;
    }
  }

  void project(Pca& out) const {
    out.points.resize(rows_.size());
    parallel_for(run_, rows_.size(), block_rows,
                 [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
                   RowBlock reader(matrix_, rows_, unit_rows_);
                   for (std::size_t at = begin; at < end; ++at) {
                     const float* row = reader.read(at, mean_.data());
                     double x = 0;
                     double y = 0;
                     for (std::size_t col = 0; col < matrix_.cols; ++col) {
                       x += static_cast<double>(row[col]) * static_cast<double>(out.axes[0][col]);
                       y += static_cast<double>(row[col]) * static_cast<double>(out.axes[1][col]);
                     }
                     out.points[at] = {static_cast<float>(x), static_cast<float>(y)};
                   }
                 });
  }

  const MatrixView& matrix_;
  std::span<const Item> rows_;
  bool unit_rows_;
  const Run& run_;
  std::vector<float> mean_;
  std::vector<Lanes> basis_;  ///< a row a column of the matrix, a lane a direction
  double squares_ = 0;
};

}  // namespace

Pca find_pca(const MatrixView& matrix, std::span<const Item> rows, bool unit_rows, const Run& run) {
  return SubspaceIteration(matrix, rows, unit_rows, run).find();
}

}  // namespace pith
