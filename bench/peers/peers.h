#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace peers {

/// Unit rows, row-major, in memory of our own: no contender pays for reading the file.
struct Data {
  std::size_t n = 0;
  std::size_t dimension = 0;
  std::vector<float> rows;

  [[nodiscard]] const float* row(std::size_t i) const { return rows.data() + i * dimension; }
};

inline constexpr std::uint32_t neighbors = 10;
inline constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

/// n * neighbors items; the unused places of a short list hold `nothing`.
using Lists = std::vector<std::uint32_t>;

/// One sampled row and the similarity of its k-th nearest other.
struct TrueRow {
  double row = 0;
  double kth = 0;
};

/// Two similarities this near are a tie: single precision cannot tell them apart.
inline constexpr double tie = 1e-6;

[[nodiscard]] Data load_data(const std::string& path);
[[nodiscard]] Lists load_lists(const std::string& path, const Data& data);
[[nodiscard]] std::vector<TrueRow> load_truth(const std::string& path);
void save_bytes(const std::string& path, const void* bytes, std::size_t count);

/// The cluster of a row of the mixture.
[[nodiscard]] std::size_t cluster_of(std::size_t row, std::size_t n);

/// Verbs of the program; see graph_peers_bench.cpp.
void make_data(const std::string& kind, std::size_t n, std::size_t dimension, const std::string& scalar,
               double spread, const std::string& out);
void convert_data(const std::string& from, const std::string& to);
void find_truth(const Data& data, const std::string& out, bool mixture);

/// The share of the true k nearest that the lists hold, over the sampled rows, told by similarity.
[[nodiscard]] double recall_of(const Data& data, const Lists& lists, const std::vector<TrueRow>& truth);

/// How two results that ought to be exact differ.
struct Difference {
  std::size_t tied_rows = 0;   ///< other items, all within `tie` of the k-th place
  std::size_t wrong_rows = 0;  ///< repeated, missing, own or farther items
};
[[nodiscard]] Difference compare_lists(const Data& data, const Lists& ours, const Lists& theirs);

/// The row's k first of `labels` that are neither itself nor negative.
template <class Label>
void keep_others(std::size_t row, const Label* labels, std::size_t count, Lists& lists) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < count && at < neighbors; ++i)
    if (labels[i] >= 0 && static_cast<std::size_t>(labels[i]) != row)
      lists[row * neighbors + at++] = static_cast<std::uint32_t>(labels[i]);
  while (at < neighbors) lists[row * neighbors + at++] = nothing;
}

/// Seconds of `work`: one run if it is long, the best of up to five when it takes less than 5 s.
inline double best_seconds(const std::function<void()>& work) {
  double best = std::numeric_limits<double>::infinity();
  double spent = 0;
  for (int round = 0; round < 5 && spent < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::min(best, took);
    spent += took;
  }
  return best;
}

inline double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// What an approximate contender is asked for, and how it tells what a setting gave. Settings are tried from
/// cheap to dear; report() is false once the rest of them is not worth trying.
class Trial {
 public:
  Trial(const Data& data, std::vector<TrueRow> truth, double wanted, double cap_seconds);
  [[nodiscard]] bool report(const std::string& setting, double seconds, const Lists& lists);
  [[nodiscard]] bool out_of_time() const;
  /// No setting that takes this long can be the peer's best.
  [[nodiscard]] bool too_slow(double seconds) const { return seconds >= fastest_good_; }

 private:
  const Data& data_;
  std::vector<TrueRow> truth_;
  double wanted_;
  double cap_seconds_;
  double fastest_good_ = std::numeric_limits<double>::infinity();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Contenders.
[[nodiscard]] Lists search_faiss_flat(const Data& data);
[[nodiscard]] Lists search_ours(const Data& data);
void try_faiss_ivf(const Data& data, Trial& trial);
void try_faiss_hnsw(const Data& data, Trial& trial);
void try_faiss_nn_descent(const Data& data, Trial& trial);
void try_hnswlib(const Data& data, Trial& trial);
void try_ours(const Data& data, double asked, Trial& trial);

}  // namespace peers
