#include "experiment/results.h"
#include "experiment/verdict.h"
#include "fuzz_target.h"
#include "scratch_folder.h"

/// results.jsonl of an experiment, and the verdict on it.
PITH_FUZZ_TARGET(results) {
  static const pith::fuzz::ScratchFolder folder;
  folder.write("results.jsonl", {reinterpret_cast<const char*>(input.data()), input.size()});
  const std::vector<pith::train::CellResult> results = pith::train::read_results(folder.path());
  (void)pith::train::results_csv(results);
  const pith::train::Verdict verdict = pith::train::judge(results);
  (void)pith::train::table_text(verdict);
  (void)pith::train::verdict_text(verdict);
}
