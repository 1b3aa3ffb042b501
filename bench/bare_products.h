#pragma once

#include <cblas.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.h"

namespace bench {

/// The floor of an exact search: products of all tiles i <= j by BLAS, nothing done with them. Leaves the
/// BLAS single-threaded.
inline void bare_products(const std::vector<float>& rows, std::size_t n, std::size_t dimension,
                          const pith::Run& run) {
  constexpr std::size_t block = 512;
  openblas_set_num_threads(1);
  const std::size_t blocks = (n + block - 1) / block;
  pith::parallel_for(run, blocks, 1, [&](std::size_t i, std::size_t, unsigned) {
    thread_local std::vector<float> products(block * block);
    for (std::size_t j = i; j < blocks; ++j)
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(std::min(block, n - i * block)),
                  static_cast<int>(std::min(block, n - j * block)), static_cast<int>(dimension), 1.0F,
                  rows.data() + i * block * dimension, static_cast<int>(dimension),
                  rows.data() + j * block * dimension, static_cast<int>(dimension), 0.0F, products.data(),
                  static_cast<int>(block));
  });
}

}  // namespace bench
