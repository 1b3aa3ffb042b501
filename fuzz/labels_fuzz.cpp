#include "fuzz_target.h"
#include "handover/import.h"

PITH_FUZZ_TARGET(labels) {
  pith::ImportOptions known;
  known.classes = {"cat", "dog"};
  known.items = 5;
  known.ids = {{"a.png", 0}, {"b.png", 1}};
  for (const char* name : {"labels.json", "labels.csv", "labels.tsv"}) {
    for (const pith::ImportOptions& options : {pith::ImportOptions{}, known}) {
      try {
        const pith::Imported imported = pith::parse_labels(pith::fuzz::bytes_of_input(input, name), options);
        (void)pith::labelled_csv(imported.labelled);
      } catch (const pith::Error&) {
      }
    }
  }
}
