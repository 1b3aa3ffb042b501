#pragma once

#include "graph/approximate_neighbors.h"
#include "ranks/checkpoint.h"
#include "ranks/communicator.h"
#include "ranks/row_blocks.h"

namespace pith {

/// approximate_neighbors() of this rank's rows, bit for bit: the first rank plans, all find the truth for its
/// sample, assign rows to cells, and meet each their share of the cells; what they found goes to the ranks
/// that own the rows. What is said of recall is said by the first rank alone. Where all pairs would be
/// cheaper, `exact` is set and the lists are left to ring_neighbors(). Collective.
///
/// Every rank reads the rows of its cells wherever they lie, and has room for the neighbours of these and of
/// its own rows, besides some 85 bytes for each row there is. The plan is saved, and now and then what a rank
/// has found: any number of ranks goes on from there.
[[nodiscard]] ApproximateNeighbors approximate_across(Communicator& ranks, const RowBlocks& blocks,
                                                      const MatrixView& view, Metric metric, std::uint32_t k,
                                                      const ApproximateOptions& options,
                                                      Checkpoints& checkpoints, const Run& run);

}  // namespace pith
