#include <xxhash.h>

#include "fuzz_target.h"
#include "ranks/checkpoint.h"
#include "ranks/packet_reader.h"
#include "scratch_folder.h"

/// What ranks save, behind a magic, an identity and a checksum that are right. The first byte says which file
/// it is, the second for how many rows.
PITH_FUZZ_TARGET(checkpoint) {
  static const pith::fuzz::ScratchFolder folder;
  if (input.size() < 2) return;
  const std::size_t rows = 1 + static_cast<std::size_t>(input[1]) % 8;
  const std::string end = std::to_string(rows);
  const std::string names[] = {"met-0-" + end, "rows-0-" + end, "picks"};
  const std::string& name = names[static_cast<std::size_t>(input[0]) % 3];
  pith::Packet body;
  pith::append_text(body, "fuzz");
  pith::append_bytes(body, input.subspan(2));
  const XXH64_hash_t sum = XXH3_64bits(body.data(), body.size());
  pith::append_value(body, sum);
  folder.write(name.c_str(),
               "pith ranks 1\n" + std::string(reinterpret_cast<const char*>(body.data()), body.size()));
  pith::Checkpoints saved(folder.path() + "/.", "fuzz", 0);
  for (const pith::MetRows& met : saved.load_met(0, rows, 3))
    if (met.end > rows || met.counts.size() != met.end - met.begin) std::abort();
  if (const auto found = saved.load_rows(0, rows))
    if (found->rows.size() != rows || found->rows.offsets.back() != found->rows.neighbors.size())
      std::abort();
  (void)saved.load_picks();
  saved.clear();
  (void)pith::unpack_info(input.subspan(2));
}
