#pragma once

#include <string>
#include <vector>

#include "serve/workbench.h"

namespace pith::serve {

/// A file to hand out.
struct Handout {
  std::string name;
  std::string type;
  std::string bytes;
};

/// Names of all formats: the files of a run folder, then those of pith export.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> handout_formats();

/// The choice as a file. Throws Error{bad_option} for an unknown format.
[[nodiscard]] Handout hand_out(const Session& session, const Choice& choice, const std::string& format,
                               const Run& run);

/// The command that makes the same choice.
struct Reproduction {
  std::vector<std::string> words;  ///< as a shell would hand them to the program, its name first
  std::string line;                ///< the same, quoted for a shell
  /// Lists the command reads that are not the run's own: path and contents.
  std::vector<std::pair<std::string, std::string>> files;
};

/// Lists that differ from the run's own go into the run folder, below explorer/, by a name that follows from
/// what is in them; writing them is left to the caller.
[[nodiscard]] Reproduction reproduce(const Session& session, const Choice& choice);

/// Writes them, each whole or not at all.
void write_lists(const Reproduction& reproduction);

}  // namespace pith::serve
