#pragma once

#include "pith/select.h"
#include "ranks/checkpoint.h"

namespace pith {

/// This rank's rows of the graph that select() would use: given, saved by an earlier run, or built. All
/// ranks build it: ring_neighbors(), approximate_across(). Collective.
[[nodiscard]] SavedRows find_rows_across(Communicator& ranks, const RowBlocks& blocks,
                                         const SelectInput& input, const GraphOptions& options,
                                         Checkpoints& checkpoints, const Run& run);

}  // namespace pith
