#pragma once

#include <string>

#include "pith/graph.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith::testing {

/// The bytes of a graph's file: two graphs are the same where these are.
inline std::string saved(const Graph& graph, const TempDir& place) {
  save_graph(graph, place.path("g.pith"));
  return file_contents(place.path("g.pith"));
}

}  // namespace pith::testing
