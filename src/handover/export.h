#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/run_folder.h"
#include "pith/predictions.h"

namespace pith {

/// How the exported items are called.
struct ExportNames {
  std::vector<std::string> classes = {};  ///< empty: classes go by their numbers
  std::string prefix = {};                ///< put before every id: a folder or an address
  // What the project in Label Studio calls things.
  std::string data_key = "image";
  std::string from_name = "choice";
  std::string to_name = "image";
};

/// One pick as a labelling tool gets it. Rank is its priority: 1 comes first.
struct ExportRow {
  std::size_t rank = 1;
  Item item = 0;
  std::string id;
  std::string path;  ///< prefix and id
  std::uint32_t class_label = 0;
  std::string class_name;
  std::optional<double> score;  ///< the model's probability of the class
  double uncertainty = 0;
  std::string boundary;  ///< "3-7", or empty
  std::uint32_t represents = 0;
};

/// `scores` is empty or one a pick.
[[nodiscard]] std::vector<ExportRow> export_rows(const RunFolder& folder, std::span<const double> scores,
                                                 const ExportNames& names);

/// A format of export: one entry of the registry.
struct ExportFormat {
  std::string_view name;
  std::string_view extension;
  std::string_view summary;
  std::string (*write)(std::span<const ExportRow> rows, const ExportNames& names, std::uint32_t classes);
};

[[nodiscard]] std::span<const ExportFormat> export_formats();
/// Throws Error{bad_option} that lists the names, for an unknown one.
[[nodiscard]] const ExportFormat& find_export_format(const std::string& name);

/// The picks of a run in that format. Without probabilities, without scores.
[[nodiscard]] std::string export_run(const RunFolder& folder, const ClassProbabilities& probabilities,
                                     const ExportFormat& format, const ExportNames& names);

/// The name a class goes by in exported files.
[[nodiscard]] std::string class_name_of(const ExportNames& names, std::uint32_t label);

// One each, of the same shape as ExportFormat::write.
[[nodiscard]] std::string write_label_studio(std::span<const ExportRow>, const ExportNames&, std::uint32_t);
[[nodiscard]] std::string write_cvat(std::span<const ExportRow>, const ExportNames&, std::uint32_t);
[[nodiscard]] std::string write_fiftyone(std::span<const ExportRow>, const ExportNames&, std::uint32_t);
[[nodiscard]] std::string write_coco(std::span<const ExportRow>, const ExportNames&, std::uint32_t);
[[nodiscard]] std::string write_jsonl(std::span<const ExportRow>, const ExportNames&, std::uint32_t);
[[nodiscard]] std::string write_csv(std::span<const ExportRow>, const ExportNames&, std::uint32_t);
[[nodiscard]] std::string write_txt(std::span<const ExportRow>, const ExportNames&, std::uint32_t);

}  // namespace pith
