#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiment/cell.h"

namespace pith::train {

/// The finished cells of an experiment, kept in a folder: results.jsonl has a line for each, appended and on
/// disk before add() returns. A line that a crash cut short is dropped when the folder is opened again. The
/// folder is locked while it is open.
class ResultsStore {
 public:
  /// Opens or makes the folder. `setting` is all that must be the same for every cell; a folder with another
  /// one is refused with the names of what differs.
  ResultsStore(std::string folder, const nlohmann::ordered_json& setting);
  ~ResultsStore();
  ResultsStore(const ResultsStore&) = delete;
  ResultsStore& operator=(const ResultsStore&) = delete;

  [[nodiscard]] const std::vector<CellResult>& results() const noexcept { return results_; }
  /// Whether the cell is finished. A finished one of that name with other options is refused.
  [[nodiscard]] bool has(const CellKey& key, const std::string& options) const;
  void add(const CellResult& result);

 private:
  void compare_setting(const nlohmann::ordered_json& setting) const;
  void load();

  std::string folder_;
  int fd_ = -1;
  std::vector<CellResult> results_;
};

/// The finished cells of a folder that another process may be writing to.
[[nodiscard]] std::vector<CellResult> read_results(const std::string& folder);

/// One line without its end, and back. `place` is what errors call it.
[[nodiscard]] std::string to_json_line(const CellResult& result);
[[nodiscard]] CellResult parse_json_line(std::string_view line, const std::string& place);

/// All finished cells as CSV with a header line.
[[nodiscard]] std::string results_csv(const std::vector<CellResult>& results);

}  // namespace pith::train
