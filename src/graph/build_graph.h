#pragma once

#include "pith/graph.h"

namespace pith {

/// Neighbours each item will list; refuses more than there are others.
[[nodiscard]] std::uint32_t neighbors_asked(const Matrix& embeddings, const GraphOptions& options);

/// Throws where a graph cannot be built of these embeddings with these options.
void require_graph_input(const Matrix& embeddings, const GraphOptions& options);

/// build_graph() for options that are checked already, without the least that check() asks of memory_bytes.
[[nodiscard]] Graph build_checked_graph(const Matrix& embeddings, const GraphOptions& options,
                                        const Run& run);

}  // namespace pith
