#include "experiment/results.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/output_file.h"
#include "data/json.h"
#include "data/mapped_file.h"
#include "data/refuse.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::string results_path(const std::string& folder) {
  return (fs::path(folder) / "results.jsonl").string();
}

std::string setting_path(const std::string& folder) {
  return (fs::path(folder) / "experiment.json").string();
}

[[noreturn]] void fail(const std::string& path, const char* action) {
  refuse(ErrorKind::io, path, "cannot {}: {}; check the folder, its permissions and free space", action,
         std::generic_category().message(errno));
}

/// Whole lines of the file; what follows the last line end was cut short and is no line.
std::string_view whole_lines(std::string_view text) {
  const std::size_t end = text.rfind('\n');
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end + 1);
}

std::vector<CellResult> parse_lines(std::string_view text, const std::string& path) {
  std::vector<CellResult> results;
  text = whole_lines(text);
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    results.push_back(parse_json_line(text.substr(0, end), fmt::format("{}: line {}", path, line)));
    text.remove_prefix(end + 1);
  }
  return results;
}

/// JSON as it is kept: what is no UTF-8 in it, of a path say, with a mark in its place.
std::string kept(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

bool same_kept(const CellKey& a, const CellKey& b) {
  return a.trial == b.trial && a.budget == b.budget && kept(a.variant) == kept(b.variant);
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::string to_json_line(const CellResult& result) {
  const Json json = {{"trial", result.key.trial},
                     {"budget", result.key.budget},
                     {"variant", result.key.variant},
                     {"options", result.options},
                     {"items", result.items},
                     {"accuracy", result.accuracy},
                     {"loss", result.loss},
                     {"training_loss", result.training_loss},
                     {"steps", result.steps},
                     {"select_seconds", result.select_seconds},
                     {"train_seconds", result.train_seconds},
                     {"classes_covered", result.classes_covered},
                     {"boundaries_covered", result.boundaries_covered},
                     {"mean_uncertainty", result.mean_uncertainty}};
  return kept(json);
}

CellResult parse_json_line(std::string_view line, const std::string& place) {
  const nlohmann::json json = parse_json(line, 2, place, "the line");
  try {
    CellResult result;
    result.key = {.trial = whole_number_of<std::uint64_t>(json.at("trial")),
                  .budget = json.at("budget"),
                  .variant = json.at("variant")};
    json.at("options").get_to(result.options);
    result.items = whole_number_of<std::uint64_t>(json.at("items"));
    json.at("accuracy").get_to(result.accuracy);
    // A training that went astray has no loss; JSON has no word for that but null.
    result.loss =
        json.at("loss").is_null() ? std::numeric_limits<double>::quiet_NaN() : json.at("loss").get<double>();
    result.training_loss = json.at("training_loss").is_null() ? std::numeric_limits<double>::quiet_NaN()
                                                              : json.at("training_loss").get<double>();
    result.steps = whole_number_of<std::uint64_t>(json.at("steps"));
    json.at("select_seconds").get_to(result.select_seconds);
    json.at("train_seconds").get_to(result.train_seconds);
    result.classes_covered = whole_number_of<std::uint64_t>(json.at("classes_covered"));
    result.boundaries_covered = whole_number_of<std::uint64_t>(json.at("boundaries_covered"));
    json.at("mean_uncertainty").get_to(result.mean_uncertainty);
    return result;
  } catch (const nlohmann::json::exception&) {
    refuse_input(place,
                 "not a finished cell of an experiment; take the line out, and the cell is done again");
  }
}

ResultsStore::ResultsStore(std::string folder, const Json& setting) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) refuse(ErrorKind::io, folder_, "cannot create: {}", error.message());
  const std::string path = results_path(folder_);
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd_ < 0) fail(path, "open");
  try {
    const bool locked = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno != EWOULDBLOCK) fail(path, "lock");
    if (!locked)
      refuse(ErrorKind::io, folder_,
             "another experiment is writing here; wait for it, or choose another --out");
    if (fs::exists(setting_path(folder_), error)) {
      compare_setting(setting);
    } else {
      OutputFile file(setting_path(folder_));
      file.write(kept(setting, 2) + "\n");
      file.put_in_place();
    }
    load();
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

ResultsStore::~ResultsStore() {
  ::close(fd_);
}

void ResultsStore::compare_setting(const Json& setting) const {
  const std::string path = setting_path(folder_);
  const Json before = parse_json(map_file(path).text(), 8, path, "the file");
  std::vector<std::string> differences;
  for (const auto& [name, value] : setting.items()) {
    const std::string old = before.contains(name) ? kept(before.at(name)) : "not given";
    const std::string now = kept(value);
    if (old != now) differences.push_back(fmt::format("{} was {}, now {}", name, old, now));
  }
  for (const auto& [name, value] : before.items())
    if (!setting.contains(name))
      differences.push_back(fmt::format("{} was {}, now not given", name, kept(value)));
  if (!differences.empty())
    refuse(ErrorKind::bad_option, folder_,
           "its finished cells were made in another setting ({}); choose another --out, or the old setting",
           fmt::join(differences, "; "));
}

void ResultsStore::load() {
  const std::string path = results_path(folder_);
  const Bytes file = map_file(path);
  const std::string_view text = file.text();
  results_ = parse_lines(text, path);
  const std::size_t whole = whole_lines(text).size();
  if (whole < text.size() && ::ftruncate(fd_, static_cast<off_t>(whole)) != 0) fail(path, "repair");
}

bool ResultsStore::has(const CellKey& key, const std::string& options) const {
  const auto found = std::find_if(results_.begin(), results_.end(),
                                  [&](const CellResult& result) { return same_kept(result.key, key); });
  if (found == results_.end()) return false;
  if (kept(found->options) != kept(options))
    refuse(ErrorKind::bad_option, folder_,
           "variant '{}' was run with '{}' before, and now means '{}'; give the new one another name",
           key.variant, found->options, options);
  return true;
}

void ResultsStore::add(const CellResult& result) {
  const std::string path = results_path(folder_);
  const std::string line = to_json_line(result) + "\n";
  // One write, so that a crash leaves at most a part of one line behind.
  ssize_t written = 0;
  do written = ::write(fd_, line.data(), line.size());
  while (written < 0 && errno == EINTR);
  if (written >= 0 && written < static_cast<ssize_t>(line.size())) errno = ENOSPC;  // a part of it did fit
  if (written != static_cast<ssize_t>(line.size())) fail(path, "append to");
  if (::fsync(fd_) != 0) fail(path, "write");
  results_.push_back(result);
}

std::vector<CellResult> read_results(const std::string& folder) {
  const std::string path = results_path(folder);
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    refuse(ErrorKind::io, path, "no such file; run pith experiment --out {} first", folder);
  return parse_lines(map_file(path).text(), path);
}

std::string results_csv(const std::vector<CellResult>& results) {
  std::string out =
      "trial,budget,variant,options,items,accuracy,loss,training_loss,steps,select_seconds,train_seconds,"
      "classes_covered,boundaries_covered,mean_uncertainty\n";
  for (const CellResult& r : results)
    out += fmt::format("{},{},{},{},{},{:.6f},{:.6f},{:.6f},{},{:.3f},{:.3f},{},{},{:.6f}\n", r.key.trial,
                       quoted(r.key.budget), quoted(r.key.variant), quoted(r.options), r.items, r.accuracy,
                       r.loss, r.training_loss, r.steps, r.select_seconds, r.train_seconds, r.classes_covered,
                       r.boundaries_covered, r.mean_uncertainty);
  return out;
}

}  // namespace pith::train
