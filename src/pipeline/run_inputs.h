#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/run_folder.h"
#include "pith/graph.h"
#include "pith/predictions.h"

namespace pith {

/// Where the files of a run are now. Empty: where the run found them, or beside the run folder.
struct InputPaths {
  std::string embeddings = {};
  std::vector<std::string> probs = {};
  std::string graph = {};
};

/// Which of them are wanted.
struct WantedInputs {
  bool embeddings = true;
  bool probabilities = true;
  bool graph = true;
};

/// What a run was made from, as far as it is still there and still the same.
struct RunInputs {
  std::optional<Matrix> embeddings;
  ClassProbabilities probabilities;
  std::optional<Graph> graph;  ///< one saved by pith graph; none is built here
  std::vector<Item> labelled;
  std::vector<std::string> notes;  ///< what is missing, and what to do about it
};

/// Files that moved or changed are noted and left out. A file that `paths` names must be the one of the run:
/// else Error{bad_input}.
[[nodiscard]] RunInputs find_run_inputs(const RunFolder& folder, const InputPaths& paths,
                                        const WantedInputs& wanted, const Run& run);

/// A file of this role ("ids", "labelled", "exclude", ...) where it is now, if it is still the same. Else
/// nothing, and a note that ends in what is missing `without` it.
[[nodiscard]] std::optional<std::string> find_run_file(const RunFolder& folder, const std::string& role,
                                                       const std::string& without,
                                                       std::vector<std::string>& notes);

/// Where the graph of a run that built its own may be kept, in the run folder.
inline constexpr const char* kept_graph_name = "graph.pith";

/// Options of the run, back from its summary; those that do not concern predictions or the graph are left at
/// their defaults.
[[nodiscard]] SelectOptions options_of(const RunFolder& folder);

}  // namespace pith
