#include "label_settings.h"

#include "data/manifest.h"
#include "pipeline/option_values.h"

namespace pith::cli {

std::vector<Setting> label_settings(const std::string& group) {
  return {
      {"class-names", "FILE", "a name for each class, one a line, in the order of the probabilities' columns",
       group},
      {"prefix", "TEXT", "what stands before each id in the labelling tool: a folder or an address", group},
      {"data-key", "NAME", "Label Studio: what the task's data calls the item (image)", group},
      {"from-name", "NAME", "Label Studio: name of the Choices control (choice)", group},
      {"conflict", "error|skip",
       "an item with two different labels: refuse the file (default), or leave it out", group}};
}

ImportOptions read_label_options(const Settings& settings) {
  ImportOptions options;
  options.prefix = settings.text("prefix");
  options.data_key = settings.text("data-key", options.data_key);
  options.from_name = settings.text("from-name", options.from_name);
  options.conflict = Choices<Conflict>{{{"error", Conflict::error}, {"skip", Conflict::skip}}}.parse(
      "conflict", settings.text("conflict", "error"));
  return options;
}

std::vector<std::string> read_class_names(const Settings& settings, std::optional<std::size_t> classes) {
  if (!settings.has("class-names")) return {};
  return pith::read_class_names(settings.text("class-names"), classes);
}

}  // namespace pith::cli
