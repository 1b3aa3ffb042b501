#include "fuzz_target.h"
#include "handover/rounds.h"
#include "scratch_folder.h"

/// What is read must be written and read again as the same.
PITH_FUZZ_TARGET(rounds) {
  static const pith::fuzz::ScratchFolder folder;
  folder.write(pith::rounds_name, {reinterpret_cast<const char*>(input.data()), input.size()});
  const std::string once = pith::rounds_json(pith::read_rounds(folder.path()));
  folder.write(pith::rounds_name, once);
  if (pith::rounds_json(pith::read_rounds(folder.path())) != once) std::abort();
}
