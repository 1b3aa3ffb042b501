#include <nlohmann/json.hpp>

#include "handover/export.h"
#include "pipeline/outputs.h"

namespace pith {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json score_of(const ExportRow& row) {
  return row.score ? Json(*row.score) : Json();
}

}  // namespace

std::string write_label_studio(std::span<const ExportRow> rows, const ExportNames& names,
                               std::uint32_t /*classes*/) {
  Json tasks = Json::array();
  for (const ExportRow& row : rows) {
    Json choice = {{"from_name", names.from_name},
                   {"to_name", names.to_name},
                   {"type", "choices"},
                   {"value", {{"choices", {row.class_name}}}}};
    Json prediction = {{"model_version", "pith " + version()}, {"result", Json::array({std::move(choice)})}};
    if (row.score) prediction["score"] = *row.score;
    // Index, id and rank travel in the data: Label Studio gives them back as they are.
    tasks.push_back({{"data",
                      {{names.data_key, row.path},
                       {"pith_index", row.item},
                       {"pith_id", row.id},
                       {"pith_rank", row.rank},
                       {"pith_uncertainty", row.uncertainty}}},
                     {"predictions", Json::array({std::move(prediction)})}});
  }
  return text_of(tasks, 1);
}

std::string write_fiftyone(std::span<const ExportRow> rows, const ExportNames& names, std::uint32_t classes) {
  Json json = {{"classes", Json::array()}};
  for (std::uint32_t label = 0; label < classes; ++label)
    json["classes"].push_back(class_name_of(names, label));
  Json::object_t labels;  // paths differ, so none is looked for: that would take a walk through all of them
  for (const ExportRow& row : rows) {
    Json label = {
        {"label", row.class_name},
        {"attributes",
         {{"pith_rank", row.rank}, {"pith_index", row.item}, {"pith_uncertainty", row.uncertainty}}}};
    if (row.score) label["confidence"] = *row.score;
    labels.push_back({row.path, std::move(label)});
  }
  json["labels"] = std::move(labels);
  return text_of(json, 1);
}

std::string write_coco(std::span<const ExportRow> rows, const ExportNames& names, std::uint32_t classes) {
  Json json = {{"info", {{"description", "picks of pith " + version() + ", in pick order"}}},
               {"images", Json::array()},
               {"annotations", Json::array()},
               {"categories", Json::array()}};
  for (const ExportRow& row : rows)
    json["images"].push_back({{"id", row.item},
                              {"file_name", row.path},
                              {"pith_rank", row.rank},
                              {"pith_category_id", row.class_label},
                              {"pith_score", score_of(row)}});
  for (std::uint32_t label = 0; label < classes; ++label)
    json["categories"].push_back({{"id", label}, {"name", class_name_of(names, label)}});
  return text_of(json, 1);
}

std::string write_jsonl(std::span<const ExportRow> rows, const ExportNames& /*names*/,
                        std::uint32_t /*classes*/) {
  std::string out;
  for (const ExportRow& row : rows)
    out += text_of({{"rank", row.rank},
                    {"index", row.item},
                    {"id", row.id},
                    {"path", row.path},
                    {"class", row.class_label},
                    {"class_name", row.class_name},
                    {"score", score_of(row)},
                    {"uncertainty", row.uncertainty},
                    {"boundary", row.boundary},
                    {"represents", row.represents}},
                   -1);
  return out;
}

}  // namespace pith
