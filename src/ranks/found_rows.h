#pragma once

#include "graph/neighbor_search.h"
#include "ranks/packet_reader.h"

namespace pith {

// What the table of a search holds of some rows, on its way to another rank or kept for later.

/// Nothing where nothing is held.
void append_found(NeighborSearch& search, Item row, ExactScorer& scorer, Packet& out);

/// Offers all of it to a table that has room for its rows.
void take_found(NeighborSearch& search, PacketReader in, ExactScorer& scorer);

/// The rows it is about.
[[nodiscard]] std::vector<Item> rows_found(PacketReader in);

}  // namespace pith
