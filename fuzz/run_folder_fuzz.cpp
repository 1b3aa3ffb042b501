#include "fuzz_target.h"
#include "pipeline/run_folder.h"
#include "scratch_folder.h"

/// summary.json, selection.csv and indices.npy of a run, cut apart by lines of "%%".
PITH_FUZZ_TARGET(run_folder) {
  static const pith::fuzz::ScratchFolder folder;
  std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  for (const char* name : {"summary.json", "selection.csv", "indices.npy"})
    folder.write(name, pith::fuzz::take_part(text));
  const pith::RunFolder run = pith::read_run_folder(folder.path());
  for (const pith::PickRecord& pick : run.picks)
    if (pick.item >= run.items() || pick.class_label >= run.classes()) std::abort();
  for (const char* role : {"embeddings", "probs", "ids"}) (void)run.input(role);
}
