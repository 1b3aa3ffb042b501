#include "pipeline/outputs.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <future>

#include "base/output_folder.h"
#include "base/parallel.h"
#include "data/delimited.h"
#include "data/npy_writer.h"

namespace pith {
namespace {

void append_row(fmt::memory_buffer& out, const Selection& selection, std::size_t at,
                std::span<const std::string> ids) {
  const PickRow& row = selection.picks[at];
  auto end = fmt::appender(out);
  fmt::format_to(end, FMT_COMPILE("{},{},"), at, row.item);
  if (ids.empty()) {
    fmt::format_to(end, FMT_COMPILE("{}"), row.item);
  } else {
    out.append(csv_field(ids[row.item]));
  }
  if (selection.measured) {
    fmt::format_to(end, FMT_COMPILE(",{},{},{},{},"), row.gain, row.uncertainty, row.pair_penalty,
                   row.triple_gain);
  } else {
    fmt::format_to(end, FMT_COMPILE(",,{},,,"), row.uncertainty);
  }
  fmt::format_to(end, FMT_COMPILE("{},"), row.class_label);
  if (row.boundary) {
    const GroupRow& boundary = selection.boundaries[*row.boundary];
    fmt::format_to(end, FMT_COMPILE("{}-{}"), boundary.first, boundary.second);
  }
  out.push_back(',');
  if (selection.measured) fmt::format_to(end, FMT_COMPILE("{}"), row.represents);
  fmt::format_to(end, FMT_COMPILE(",{},{}"), row.score, row.augmented ? 1 : 0);
  for (const TermShare& other : selection.objective.others)
    fmt::format_to(end, FMT_COMPILE(",{}"), other.gains[at]);
  out.push_back('\n');
}

}  // namespace

std::string indices_npy(const Selection& selection) {
  std::vector<Item> items;
  items.reserve(selection.picks.size());
  for (const PickRow& row : selection.picks) items.push_back(row.item);
  return npy_of_int64(items);
}

std::string selection_csv(const Selection& selection, std::span<const std::string> ids, const Run& run) {
  constexpr std::size_t chunk = 4096;
  std::vector<fmt::memory_buffer> parts((selection.picks.size() + chunk - 1) / chunk);
  parallel_for(run, selection.picks.size(), chunk,
               [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
                 for (std::size_t at = begin; at < end; ++at)
                   append_row(parts[begin / chunk], selection, at, ids);
               });
  std::string csv =
      "rank,index,id,gain,uncertainty,pair_penalty,triple_gain,class,boundary,represents,score,augmented";
  for (const TermShare& other : selection.objective.others) csv += fmt::format(",{}", csv_field(other.name));
  csv += '\n';
  for (const auto& part : parts) csv.append(part.data(), part.size());
  return csv;
}

void write_selection(const std::string& folder, const Selection& selection, std::span<const std::string> ids,
                     const RunNotes& notes, const Run& run) {
  OutputFolder out(folder);
  // A summary can have a hundred thousand boundaries: made while the other files are written.
  auto summary =
      std::async(std::launch::async | std::launch::deferred, [&] { return summary_json(selection, notes); });
  out.write("indices.npy", indices_npy(selection));
  out.write("selection.csv", selection_csv(selection, ids, run));
  run.check_cancelled();
  out.write("summary.json", summary.get());
  out.commit();
}

std::string version() {
  return PITH_VERSION;
}

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace pith
