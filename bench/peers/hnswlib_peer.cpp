#include <fmt/format.h>
#include <hnswlib/hnswlib.h>

#include <memory>

#include "base/parallel.h"
#include "peers.h"

// hnswlib picks its instructions when it is compiled: this file alone is built for the machine it is built
// on.

namespace peers {

void try_hnswlib(const Data& data, Trial& trial) {
  using Index = hnswlib::HierarchicalNSW<float>;
  for (const std::size_t construction : {40U, 100U, 200U}) {
    hnswlib::InnerProductSpace space(data.dimension);
    std::unique_ptr<Index> index;
    const double build = best_seconds([&] {
      index = std::make_unique<Index>(&space, data.n, 16, construction);
      index->addPoint(data.row(0), 0);
      pith::parallel_for({}, data.n - 1, 64, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin + 1; i < end + 1; ++i) index->addPoint(data.row(i), i);
      });
    });
    for (const std::size_t effort : {11U, 16U, 24U, 32U, 48U, 64U, 96U, 128U, 256U, 512U}) {
      if (trial.too_slow(build)) break;
      index->setEf(effort);
      Lists lists(data.n * neighbors);
      const double search = best_seconds([&] {
        pith::parallel_for({}, data.n, 64, [&](std::size_t begin, std::size_t end, unsigned) {
          std::vector<std::int64_t> labels;
          for (std::size_t row = begin; row < end; ++row) {
            auto found = index->searchKnn(data.row(row), neighbors + 1);
            labels.resize(found.size());
            for (std::size_t at = labels.size(); at-- > 0; found.pop())
              labels[at] = static_cast<std::int64_t>(found.top().second);
            keep_others(row, labels.data(), labels.size(), lists);
          }
        });
      });
      if (!trial.report(fmt::format("M 16 ef_construction {} ef {}", construction, effort), build + search,
                        lists))
        break;
      if (trial.too_slow(build + search) || (construction < 200 && search > 2 * build)) break;
    }
    if (trial.out_of_time()) return;
  }
}

}  // namespace peers
