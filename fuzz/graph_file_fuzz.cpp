#include <xxhash.h>

#include <cstring>
#include <vector>

#include "fuzz_target.h"
#include "graph/graph_file.h"
#include "memory_file.h"
#include "pith/graph.h"

/// Loads the input as it is, and again with its checksums put right, so that what lies behind them is
/// reached.
PITH_FUZZ_TARGET(graph_file) {
  std::vector<std::byte> repaired(input.begin(), input.end());
  if (repaired.size() >= sizeof(pith::GraphFileHeader)) {
    pith::GraphFileHeader header;
    std::memcpy(&header, repaired.data(), sizeof header);
    header.payload_checksum = XXH3_64bits(repaired.data() + sizeof header, repaired.size() - sizeof header);
    header.header_checksum = XXH3_64bits(&header, offsetof(pith::GraphFileHeader, header_checksum));
    std::memcpy(repaired.data(), &header, sizeof header);
  }
  try {
    const pith::fuzz::MemoryFile file(input);
    static_cast<void>(pith::load_graph(file.path()));
  } catch (const pith::Error&) {
  }
  const pith::fuzz::MemoryFile file(repaired);
  const pith::Graph graph = pith::load_graph(file.path());
  for (pith::Item item = 0; item < graph.size(); ++item)
    for (const pith::Item other : graph.neighbors(item))
      if (other >= graph.size()) std::abort();
  if (!graph.lists().empty() && graph.lists().size() != graph.size() * graph.info().neighbors) std::abort();
  for (const pith::Item listed : graph.lists())
    if (listed >= graph.size()) std::abort();
}
