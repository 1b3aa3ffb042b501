#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>
#include <faiss/IndexIVFFlat.h>
#include <faiss/IndexNNDescent.h>
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "peers.h"

// All three on unit rows: inner product or, where faiss is at home in it, the Euclidean distance of the same
// order. Seconds are those of everything a graph needs: training, adding, and searching every row.

namespace peers {
namespace {

using Index = faiss::Index;

Lists search_all(const Data& data, const Index& index) {
  constexpr std::size_t asked = neighbors + 1;
  std::vector<float> scores(data.n * asked);
  std::vector<Index::idx_t> labels(data.n * asked);
  index.search(static_cast<Index::idx_t>(data.n), data.rows.data(), asked, scores.data(), labels.data());
  Lists lists(data.n * neighbors);
  for (std::size_t row = 0; row < data.n; ++row) keep_others(row, labels.data() + row * asked, asked, lists);
  return lists;
}

}  // namespace

Lists search_faiss_flat(const Data& data) {
  faiss::IndexFlatIP index(static_cast<Index::idx_t>(data.dimension));
  index.add(static_cast<Index::idx_t>(data.n), data.rows.data());
  return search_all(data, index);
}

void try_faiss_ivf(const Data& data, Trial& trial) {
  for (const double factor : {1.0, 4.0}) {
    const auto lists_count = static_cast<std::size_t>(factor * std::sqrt(static_cast<double>(data.n)));
    const auto dimension = static_cast<Index::idx_t>(data.dimension);
    std::unique_ptr<faiss::IndexFlatIP> coarse;
    std::unique_ptr<faiss::IndexIVFFlat> index;
    const double build = best_seconds([&] {
      index.reset();
      coarse = std::make_unique<faiss::IndexFlatIP>(dimension);
      index = std::make_unique<faiss::IndexIVFFlat>(coarse.get(), data.dimension, lists_count,
                                                    faiss::METRIC_INNER_PRODUCT);
      index->cp.min_points_per_centroid = 1;
      index->train(static_cast<Index::idx_t>(data.n), data.rows.data());
      index->add(static_cast<Index::idx_t>(data.n), data.rows.data());
    });
    for (const std::size_t probes : {1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U, 24U, 32U, 48U, 64U, 96U, 128U, 256U}) {
      if (probes > lists_count || trial.too_slow(build)) break;
      index->nprobe = probes;
      Lists lists;
      const double search = best_seconds([&] { lists = search_all(data, *index); });
      if (!trial.report(fmt::format("nlist {} nprobe {}", lists_count, probes), build + search, lists)) break;
      if (trial.too_slow(build + search)) break;
    }
    if (trial.out_of_time()) return;
  }
}

/// Once searching takes twice as long as building, a better graph is the cheaper way to more recall.
void try_faiss_hnsw(const Data& data, Trial& trial) {
  for (const int construction : {40, 100, 200}) {
    std::unique_ptr<faiss::IndexHNSWFlat> index;
    const double build = best_seconds([&] {
      index = std::make_unique<faiss::IndexHNSWFlat>(static_cast<int>(data.dimension), 16);
      index->hnsw.efConstruction = construction;
      index->add(static_cast<Index::idx_t>(data.n), data.rows.data());
    });
    for (const int effort : {16, 24, 32, 48, 64, 96, 128, 256, 512}) {
      if (trial.too_slow(build)) break;
      index->hnsw.efSearch = effort;
      Lists lists;
      const double search = best_seconds([&] { lists = search_all(data, *index); });
      if (!trial.report(fmt::format("M 16 efConstruction {} efSearch {}", construction, effort),
                        build + search, lists))
        break;
      if (trial.too_slow(build + search) || (construction < 200 && search > 2 * build)) break;
    }
    if (trial.out_of_time()) return;
  }
}

/// The descent makes the graph itself: nothing is searched afterwards.
void try_faiss_nn_descent(const Data& data, Trial& trial) {
  struct Setting {
    int kept;
    int pool;
  };
  for (const auto& [kept, pool] :
       {Setting{12, 20}, {12, 32}, {12, 44}, {16, 66}, {20, 70}, {28, 100}, {40, 150}}) {
    std::optional<faiss::IndexNNDescentFlat> index;
    const double seconds = best_seconds([&] {
      index.emplace(static_cast<int>(data.dimension), kept);
      index->nndescent.L = pool;
      index->add(static_cast<Index::idx_t>(data.n), data.rows.data());
    });
    Lists lists(data.n * neighbors);
    for (std::size_t row = 0; row < data.n; ++row)
      keep_others(row, index->nndescent.final_graph.data() + row * static_cast<std::size_t>(kept),
                  static_cast<std::size_t>(kept), lists);
    if (!trial.report(fmt::format("K {} L {}", kept, pool), seconds, lists)) return;
  }
}

}  // namespace peers
