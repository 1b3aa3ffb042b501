#include "ranks/found_rows.h"

namespace pith {
namespace {

using Candidate = CandidateTable::Candidate;

struct Head {
  Item row;
  std::uint32_t count;
  float bar;
};

}  // namespace

void append_found(NeighborSearch& search, Item row, ExactScorer& scorer, Packet& out) {
  CandidateTable& table = search.table();
  if (table.candidates(row).empty()) return;
  table.drop_the_hopeless(row, scorer);
  const auto held = table.candidates(row);
  append_value(out,
               Head{.row = row, .count = static_cast<std::uint32_t>(held.size()), .bar = table.bars()[row]});
  append_bytes(out, std::as_bytes(held));
}

void take_found(NeighborSearch& search, PacketReader in, ExactScorer& scorer) {
  while (!in.done()) {
    const auto head = in.value<Head>();
    for (const Candidate& other : in.values<Candidate>(head.count))
      search.table().offer_again(head.row, other.row, other.upper, scorer);
    // At least as many as are wanted of those given score no less than their bar: so it may be raised once
    // they are all offered.
    search.table().raise(head.row, head.bar);
  }
}

std::vector<Item> rows_found(PacketReader in) {
  std::vector<Item> rows;
  while (!in.done()) {
    const auto head = in.value<Head>();
    rows.push_back(head.row);
    in.skip(head.count * sizeof(Candidate));
  }
  return rows;
}

}  // namespace pith
