#include "handover/export.h"

#include "data/probabilities.h"
#include "pipeline/option_values.h"

namespace pith {
namespace {

/// The probability of each pick's class.
std::vector<double> scores_of(const RunFolder& folder, const ClassProbabilities& probabilities) {
  if (probabilities.empty()) return {};
  std::vector<double> row(probabilities.classes());
  std::vector<double> scratch;
  std::vector<double> scores;
  for (const PickRecord& pick : folder.picks) {
    read_mean(probabilities, pick.item, 1, row.data(), scratch);
    scores.push_back(pick.class_label < row.size() ? row[pick.class_label] : 0);
  }
  return scores;
}

}  // namespace

std::span<const ExportFormat> export_formats() {
  static constexpr ExportFormat formats[] = {
      {"label-studio", ".json", "tasks with predictions, for Label Studio's import", write_label_studio},
      {"cvat", ".xml", "tags of images, CVAT for images 1.1", write_cvat},
      {"fiftyone", ".json", "image classification labels by path", write_fiftyone},
      {"csv", ".csv", "a row a pick, with an empty column for the label", write_csv},
      {"jsonl", ".jsonl", "an object a line", write_jsonl},
      {"txt", ".txt", "an id or path a line", write_txt},
      {"coco-image-list", ".json", "images and categories in COCO's layout, no annotations", write_coco}};
  return formats;
}

const ExportFormat& find_export_format(const std::string& name) {
  std::vector<std::string_view> names;
  for (const ExportFormat& format : export_formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  const std::string nearest = nearest_word(name, names);
  reject("to", name,
         fmt::format("{}choose one of {}", nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                     fmt::join(names, ", ")));
}

std::string class_name_of(const ExportNames& names, std::uint32_t label) {
  return label < names.classes.size() ? names.classes[label] : std::to_string(label);
}

std::vector<ExportRow> export_rows(const RunFolder& folder, std::span<const double> scores,
                                   const ExportNames& names) {
  std::vector<ExportRow> rows;
  rows.reserve(folder.picks.size());
  for (std::size_t at = 0; at < folder.picks.size(); ++at) {
    const PickRecord& pick = folder.picks[at];
    ExportRow row;
    row.rank = at + 1;
    row.item = pick.item;
    row.id = pick.id;
    row.path = names.prefix + pick.id;
    row.class_label = pick.class_label;
    row.class_name = class_name_of(names, pick.class_label);
    if (!scores.empty()) row.score = scores[at];
    row.uncertainty = pick.uncertainty;
    if (pick.boundary) row.boundary = fmt::format("{}-{}", pick.boundary->first, pick.boundary->second);
    row.represents = pick.represents;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string export_run(const RunFolder& folder, const ClassProbabilities& probabilities,
                       const ExportFormat& format, const ExportNames& names) {
  const std::vector<double> scores = scores_of(folder, probabilities);
  return format.write(export_rows(folder, scores, names), names, folder.classes());
}

}  // namespace pith
