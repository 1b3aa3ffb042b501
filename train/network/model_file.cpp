#include "network/model_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

#include "base/output_file.h"
#include "data/json.h"
#include "data/little_endian.h"
#include "data/mapped_file.h"
#include "data/refuse.h"

namespace pith::train {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "pith-model-1";
constexpr std::uint64_t most_header_bytes = 64U << 20;

std::string checksum_of(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

Json spec_json(const ModelSpec& spec) {
  return {{"name", spec.name},
          {"height", spec.input.height},
          {"width", spec.input.width},
          {"channels", spec.input.channels},
          {"classes", spec.classes},
          {"mean", spec.normalisation.mean},
          {"deviation", spec.normalisation.deviation}};
}

ModelSpec spec_of(const nlohmann::json& json) {
  ModelSpec spec;
  json.at("name").get_to(spec.name);
  spec.input.height = whole_number_of<std::uint32_t>(json.at("height"));
  spec.input.width = whole_number_of<std::uint32_t>(json.at("width"));
  spec.input.channels = whole_number_of<std::uint32_t>(json.at("channels"));
  spec.classes = whole_number_of<std::uint32_t>(json.at("classes"));
  json.at("mean").get_to(spec.normalisation.mean);
  json.at("deviation").get_to(spec.normalisation.deviation);
  const auto fits = [&](const std::vector<float>& values) {
    return values.size() == 1 || values.size() == spec.input.channels;
  };
  if (!fits(spec.normalisation.mean) || !fits(spec.normalisation.deviation))
    throw nlohmann::json::other_error::create(501, "normalisation of another shape", nullptr);
  return spec;
}

NamedArray array_of(const std::string& name, const nlohmann::json& json, std::string_view data) {
  NamedArray array{.name = name, .shape = {}, .whole_numbers = json.at("dtype") == "I64", .bytes = {}};
  const auto begin = whole_number_of<std::uint64_t>(json.at("data_offsets").at(0));
  const auto end = whole_number_of<std::uint64_t>(json.at("data_offsets").at(1));
  std::uint64_t bytes = array.whole_numbers ? 8 : 4;
  for (const nlohmann::json& side : json.at("shape")) {
    const auto size = whole_number_of<std::uint64_t>(side);
    if (size > data.size() + 1) throw nlohmann::json::other_error::create(501, "shape out of range", nullptr);
    array.shape.push_back(static_cast<std::int64_t>(size));
    bytes = std::min<std::uint64_t>(bytes * size, data.size() + 1);
  }
  if ((json.at("dtype") != "F32" && !array.whole_numbers) || begin > end || end > data.size() ||
      end - begin != bytes)
    throw nlohmann::json::other_error::create(501, "array out of range", nullptr);
  array.bytes = data.substr(begin, bytes);
  return array;
}

}  // namespace

const NamedArray* ModelFile::find(const std::string& name) const {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const NamedArray& a) { return a.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

void write_model_file(const ModelFile& model, OutputFile& file) {
  std::string data;
  Json header;
  header["__metadata__"] = Json::object();
  for (const NamedArray& array : model.arrays) {
    header[array.name] = {{"dtype", array.whole_numbers ? "I64" : "F32"},
                          {"shape", array.shape},
                          {"data_offsets", {data.size(), data.size() + array.bytes.size()}}};
    data += array.bytes;
  }
  // The format's metadata are texts, so what has structure is JSON within JSON.
  header["__metadata__"] = {{"format", format_name},
                            {"model", spec_json(model.spec).dump()},
                            {"training", model.training.dump()},
                            {"checksum", checksum_of(data)}};
  std::string text = header.dump();
  while (text.size() % 8 != 0) text += ' ';
  std::string length;
  for (int at = 0; at < 8; ++at) length += static_cast<char>(text.size() >> 8 * at & 0xffU);
  file.write(length);
  file.write(text);
  file.write(data);
}

void save_model_file(const ModelFile& model, const std::string& path) {
  OutputFile file(path);
  write_model_file(model, file);
  file.put_in_place();
}

ModelFile load_model_file(const std::string& path) {
  constexpr const char* remedy = "make it again with pith train";
  const Bytes file = map_file(path);
  if (file.data.size() < 8)
    refuse_input(path, "not a model file of Pith: {} bytes; {}", file.data.size(), remedy);
  const auto header_bytes = load_little<std::uint64_t>(file.data, 0);
  if (header_bytes > most_header_bytes || header_bytes > file.data.size() - 8)
    refuse_input(path, "not a model file of Pith, or cut short; {}", remedy);
  const nlohmann::json header = parse_json(file.text().substr(8, header_bytes), 8, path, "the header");
  const std::string_view data = file.text().substr(8 + header_bytes);
  try {
    const nlohmann::json& metadata = header.at("__metadata__");
    if (metadata.at("format") != format_name)
      refuse_input(path, "written by another version of Pith; {}", remedy);
    if (metadata.at("checksum") != checksum_of(data))
      refuse_input(path, "damaged: the checksum differs; {}", remedy);
    ModelFile model;
    model.spec = spec_of(parse_json(metadata.at("model").get<std::string>(), 4, path, "the model"));
    model.training = parse_json(metadata.at("training").get<std::string>(), 8, path, "the training");
    for (const auto& [name, json] : header.items())
      if (name != "__metadata__") model.arrays.push_back(array_of(name, json, data));
    return model;
  } catch (const nlohmann::json::exception& error) {
    refuse_input(path, "not a model file of Pith ({}); {}", printable(error.what()), remedy);
  }
}

}  // namespace pith::train
