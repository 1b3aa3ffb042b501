#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/given_options.h"
#include "pipeline/run_folder.h"
#include "pipeline/run_inputs.h"
#include "pith/select.h"
#include "report/map.h"
#include "report/thumbnails.h"

namespace pith::serve {

struct SessionOptions {
  InputPaths inputs = {};
  std::string class_names = {};     ///< a file, one name a class
  std::string images = {};          ///< folder that ids are paths in; empty: as they stand
  std::optional<bool> layout = {};  ///< a map of the neighbours beside PCA; unset: up to most_laid_out items
  std::size_t most_points = 2'000'000;
  std::uint64_t map_seed = 0;

  /// Beyond it a map of the neighbours takes minutes, and has to be asked for.
  static constexpr std::size_t most_laid_out = 200'000;
};

/// The files of a run where they are now, for a command line that reads them again. Empty: there is none.
struct RunFiles {
  std::string embeddings;
  std::vector<std::string> probs;
  std::string graph;
  std::string ids;
  std::string labelled;
  std::string exclude;
  std::string scores;
  std::string costs;
};

/// All that is known of a run when the explorer opens; never changed afterwards.
struct Session {
  std::string name;  ///< of the folder
  RunFolder folder;
  /// What the run chose from. Its predictions are left to be read by whoever knows the options.
  SelectInput input;
  RunFiles files;
  std::vector<std::string> ids;          ///< one an item, or empty
  std::vector<std::string> class_names;  ///< one a class, or empty
  std::string images;
  std::shared_ptr<const Thumbnails> thumbnails = std::make_shared<const Thumbnails>();
  GivenTexts given;  ///< the options of the run, those that are not the default
  ItemMap map;
  std::vector<std::string> notes;  ///< what is missing, and what follows from it
};

/// Opens a run folder or the last round of a folder of rounds. Builds what the run did not keep (graph, map)
/// and keeps it in the folder for the next time, where that can be written.
[[nodiscard]] Session open_session(const std::string& folder, const SessionOptions& options, const Run& run);

/// The options of a run in words, as a caller would give them again.
[[nodiscard]] GivenTexts given_options_of(const RunFolder& folder);

}  // namespace pith::serve
