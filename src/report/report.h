#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/map.h"

namespace pith {

struct ReportOptions {
  InputPaths inputs = {};
  std::string class_names = {};  ///< a file, one name a class
  std::string images = {};       ///< folder that ids are paths in; empty: as they stand
  std::string experiment = {};   ///< a results folder of pith experiment
  MapOptions map = {};
};

/// A page and what its reader should know about how it came about.
struct Report {
  std::string html;
  std::vector<std::string> notes;
  std::size_t points = 0;  ///< on the map
};

/// One self-contained page on a run folder, a folder of rounds or the results of an experiment, told apart by
/// what is in it. The same folder gives the same bytes, for any run.threads.
[[nodiscard]] Report make_report(const std::string& folder, const ReportOptions& options, const Run& run);

/// A run that need not be in a folder, and what it was made from.
struct ReportedRun {
  std::string name;  ///< that the page goes by
  RunFolder folder;
  RunInputs inputs;
  std::vector<std::string> class_names;  ///< empty, or one a class
};

/// The same of such a run: of the options, `inputs` and `class_names` do not apply.
[[nodiscard]] Report make_report(ReportedRun reported, const ReportOptions& options, const Run& run);

/// The page with this JSON in it.
[[nodiscard]] std::string fill_page(std::string_view json);

}  // namespace pith
