#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/parallel.h"
#include "base/rng.h"
#include "data/npy_writer.h"
#include "peers.h"
#include "pith/error.h"
#include "pith/read.h"

namespace peers {
namespace {

__extension__ using Half = _Float16;

constexpr std::uint64_t seed = 20;

/// Lower quantile of a chi-squared variable over its mean, by Wilson and Hilferty; z in standard deviations.
double chi_squared_share(double freedom, double z) {
  const double step = 2 / (9 * freedom);
  return std::pow(std::max(0.0, 1 - step - z * std::sqrt(step)), 3);
}

/// Standard deviations below the mean that a share `p` of a normal variable lies under (p < 0.5).
double normal_tail(double p) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > p ? low : high) = middle;
  }
  return low;
}

/// Items around N(0, I) centres are s^2-spread. Squared distances are 2 s^2 chi^2 inside a cluster and
/// 2 (1 + s^2) chi^2 between clusters: at the s where the k-th nearest of the 1,000 inside is as far as the
/// k-th nearest of the n outside, half of the neighbours come from elsewhere. Somewhat below that, clusters
/// overlap mildly; `truth` measures how much.
double mild_spread(std::size_t n, std::size_t dimension) {
  const auto freedom = static_cast<double>(dimension);
  const double inside = chi_squared_share(freedom, normal_tail(neighbors / 1000.0));
  const double outside =
      chi_squared_share(freedom, normal_tail(std::min(0.4, neighbors / static_cast<double>(n))));
  const double equal = outside / std::max(1e-3, inside - outside);
  return std::sqrt(0.6 * equal);
}

void fill_row(std::uint64_t number, double scale, float* row, std::size_t dimension) {
  pith::Rng rng(pith::random_bits(seed, number));
  for (std::size_t d = 0; d < dimension; ++d) row[d] += static_cast<float>(scale * rng.normal());
}

void normalise(float* row, std::size_t dimension) {
  double squared = 0;
  for (std::size_t d = 0; d < dimension; ++d) squared += static_cast<double>(row[d]) * row[d];
  const double scale = squared > 0 ? 1 / std::sqrt(squared) : 0;
  for (std::size_t d = 0; d < dimension; ++d) row[d] = static_cast<float>(row[d] * scale);
}

/// Writes rows made by `make` (zeroed memory in, finished row out), a block at a time, all cores at each.
void write_rows(const std::string& path, pith::Scalar scalar, std::size_t n, std::size_t dimension,
                const std::function<void(std::size_t, float*)>& make) {
  const std::string header = pith::npy_header_of_matrix(scalar, n, dimension);
  std::ofstream out(path + ".part", std::ios::binary);
  out.write(header.data(), static_cast<std::streamsize>(header.size()));
  const std::size_t block = std::max<std::size_t>(1, (std::size_t{1} << 24) / dimension);
  std::vector<float> rows;
  std::vector<Half> halves;
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t count = std::min(block, n - first);
    rows.assign(count * dimension, 0.0F);
    halves.resize(scalar == pith::Scalar::f16 ? rows.size() : 0);
    pith::parallel_for({}, count, 64, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) make(first + i, rows.data() + i * dimension);
      if (!halves.empty())
        for (std::size_t at = begin * dimension; at < end * dimension; ++at)
          halves[at] = static_cast<Half>(rows[at]);
    });
    const void* bytes = halves.empty() ? static_cast<const void*>(rows.data()) : halves.data();
    out.write(static_cast<const char*>(bytes),
              static_cast<std::streamsize>(rows.size() * pith::bytes_of(scalar)));
  }
  out.close();
  if (!out) throw pith::Error(pith::ErrorKind::io, path + ": cannot be written");
  std::filesystem::rename(path + ".part", path);
}

}  // namespace

void make_data(const std::string& kind, std::size_t n, std::size_t dimension, const std::string& scalar,
               double spread, const std::string& out) {
  const auto type = scalar == "f16" ? pith::Scalar::f16 : pith::Scalar::f32;
  const std::size_t centers = std::max<std::size_t>(2, n / 1000);
  std::vector<float> center_rows;
  if (kind == "mixture") {
    if (spread <= 0) spread = mild_spread(n, dimension);
    center_rows.resize(centers * dimension);
    for (std::size_t c = 0; c < centers; ++c)
      fill_row(~std::uint64_t{c}, 1, center_rows.data() + c * dimension, dimension);
    std::printf("%zu centres, spread %.3f of theirs\n", centers, spread);
  } else if (kind != "gaussian") {
    throw pith::Error(pith::ErrorKind::bad_option, kind + ": unknown data; write mixture or gaussian");
  }
  write_rows(out, type, n, dimension, [&](std::size_t i, float* row) {
    if (!center_rows.empty()) std::copy_n(center_rows.data() + cluster_of(i, n) * dimension, dimension, row);
    fill_row(i, center_rows.empty() ? 1 : spread, row, dimension);
    normalise(row, dimension);
  });
}

std::size_t cluster_of(std::size_t row, std::size_t n) {
  return pith::random_bits(seed + 1, row) % std::max<std::size_t>(2, n / 1000);
}

void convert_data(const std::string& from, const std::string& to) {
  const pith::Matrix matrix = pith::read_matrix(from);
  write_rows(to, pith::Scalar::f32, matrix.rows(), matrix.cols(), [&](std::size_t i, float* row) {
    matrix.view.read_rows(i, 1, row);
    normalise(row, matrix.cols());
  });
}

Data load_data(const std::string& path) {
  const pith::Matrix matrix = pith::read_matrix(path);
  Data data{.n = matrix.rows(), .dimension = matrix.cols(), .rows = {}};
  data.rows.resize(data.n * data.dimension);
  matrix.view.read_rows(0, data.n, data.rows.data());
  return data;
}

void save_bytes(const std::string& path, const void* bytes, std::size_t count) {
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
  out.close();
  if (!out) throw pith::Error(pith::ErrorKind::io, path + ": cannot be written");
}

namespace {

template <class Value>
std::vector<Value> load_values(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) throw pith::Error(pith::ErrorKind::io, path + ": cannot be read");
  std::vector<Value> values(static_cast<std::size_t>(in.tellg()) / sizeof(Value));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(values.data()),
          static_cast<std::streamsize>(values.size() * sizeof(Value)));
  return values;
}

}  // namespace

Lists load_lists(const std::string& path, const Data& data) {
  Lists lists = load_values<std::uint32_t>(path);
  if (lists.size() != data.n * neighbors)
    throw pith::Error(pith::ErrorKind::bad_input, path + ": not 10 items for every row");
  return lists;
}

std::vector<TrueRow> load_truth(const std::string& path) {
  return load_values<TrueRow>(path);
}

}  // namespace peers
