#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "network/model.h"

namespace pith {
class OutputFile;
}

namespace pith::train {

/// An array of a network: f32 or i64, row-major.
struct NamedArray {
  std::string name;
  std::vector<std::int64_t> shape;
  bool whole_numbers = false;  ///< i64 instead of f32
  std::string bytes;
};

/// A trained network, or the state of a training, as a safetensors file: any Python with safetensors reads
/// it. What is not an array stands in the file's metadata, a checksum of the arrays with it.
struct ModelFile {
  ModelSpec spec;
  nlohmann::ordered_json training;  ///< options and progress of the training
  std::vector<NamedArray> arrays;

  [[nodiscard]] const NamedArray* find(const std::string& name) const;
};

/// Into a file that the caller puts in place.
void write_model_file(const ModelFile& model, OutputFile& file);
/// Written beside and renamed into place.
void save_model_file(const ModelFile& model, const std::string& path);
/// Refuses damaged files and those that are not of Pith.
[[nodiscard]] ModelFile load_model_file(const std::string& path);

}  // namespace pith::train
