#include "run_folder_settings.h"

namespace pith::cli {

std::vector<Setting> run_folder_settings(const std::string& written_by, const std::string& shown) {
  return {{.name = "folder",
           .value_name = "DIR",
           .help = "what " + written_by + " wrote",
           .group = "Files",
           .positional = true},
          {"embeddings", "FILE", "where the embeddings are now, if not where the run found them", "Files"},
          {"probs", "FILE", "likewise the class probabilities, once a model", "Files", false, true},
          {"graph", "FILE", "a graph of the same embeddings, instead of building it again", "Files"},
          {"class-names", "FILE",
           "a name for each class, one a line, in the order of the probabilities' columns", "Files"},
          {"images", "DIR", "the folder that ids are image paths in, for small pictures of the " + shown,
           "Files"}};
}

InputPaths read_input_paths(const Settings& settings) {
  return {.embeddings = settings.text("embeddings"),
          .probs = settings.list("probs"),
          .graph = settings.text("graph")};
}

}  // namespace pith::cli
