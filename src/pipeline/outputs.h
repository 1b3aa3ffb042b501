#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/unused_options.h"
#include "pith/select.h"

namespace pith {

/// One of several files that hold the rows of one input.
struct ShardNote {
  std::string path;
  std::size_t rows = 0;
  std::string checksum;
};

/// A file the selection was made from.
struct InputNote {
  std::string role;  ///< embeddings, probs, graph, ...
  std::string path;
  std::string shape;                   ///< e.g. "50000 x 64 f32"; may be empty
  std::string checksum;                ///< XXH3 of the contents, hex
  bool logits = false;                 ///< the numbers were taken for logits
  std::vector<ShardNote> shards = {};  ///< in order; empty: one file
  std::size_t zero_rows = 0;           ///< of embeddings: rows that are all zeros
  std::size_t first_zero_row = 0;      ///< the lowest of them
};

/// What the summary says besides the selection itself.
struct RunNotes {
  std::vector<InputNote> inputs;
  std::vector<std::pair<std::string, double>> seconds;  ///< stages before the selection
  std::uint64_t peak_rss_bytes = 0;
  std::vector<UnusedOption> unused = {};  ///< options that were given and make no difference
  unsigned threads = 1;
  int ranks = 0;  ///< that shared the work; 0: one process did it
  /// Where they did not find the picks of one process: the way they took, and numbers on it.
  std::optional<std::pair<std::string, std::vector<std::pair<std::string, double>>>> distributed = {};
};

/// Contents of the three files of a run folder. `ids` is empty or one an item.
[[nodiscard]] std::string indices_npy(const Selection& selection);
[[nodiscard]] std::string selection_csv(const Selection& selection, std::span<const std::string> ids,
                                        const Run& run);
[[nodiscard]] std::string summary_json(const Selection& selection, const RunNotes& notes);
/// The summary without its constraints, whose lists can be long.
[[nodiscard]] nlohmann::ordered_json summary_head(const Selection& selection, const RunNotes& notes);

/// The same in a dozen lines for a person.
[[nodiscard]] std::string summary_text(const Selection& selection, const RunNotes& notes);

/// All three, whole or not at all.
void write_selection(const std::string& folder, const Selection& selection, std::span<const std::string> ids,
                     const RunNotes& notes, const Run& run);

[[nodiscard]] std::string version();
[[nodiscard]] std::uint64_t peak_rss_bytes();

}  // namespace pith
