#include "data/readers/safetensors.h"

#include <bit>
#include <optional>
#include <vector>

#include "data/json.h"
#include "data/little_endian.h"
#include "data/readers/pick_array.h"
#include "data/readers/shape.h"
#include "data/refuse.h"

namespace pith {
namespace {

// The format: a little-endian u64, the bytes of the JSON header that follows, then the data. The header maps
// each tensor's name to its dtype, shape and [begin, end) in the data; "__metadata__" is free text.
constexpr std::size_t length_bytes = 8;
constexpr std::uint64_t longest_header = 100'000'000;
constexpr int deepest_header = 4;

struct Tensor {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

std::optional<Scalar> scalar_of(const std::string& dtype) {
  if (dtype == "F16") return Scalar::f16;
  if (dtype == "BF16") return Scalar::bf16;
  if (dtype == "F32") return Scalar::f32;
  if (dtype == "F64") return Scalar::f64;
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> whole_numbers(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return std::nullopt;
  std::vector<std::uint64_t> out;
  for (const nlohmann::json& value : *found) {
    if (!value.is_number_unsigned()) return std::nullopt;
    out.push_back(value.get<std::uint64_t>());
  }
  return out;
}

Tensor parse_tensor(const std::string& source, const std::string& name, const nlohmann::json& described) {
  const auto fail = [&](const char* why) {
    refuse_input(source, "tensor {}: {}; the header is damaged, save the file again", in_quotes(name), why);
  };
  if (!described.is_object()) fail("its description is not a JSON object");
  const auto dtype = described.find("dtype");
  if (dtype == described.end() || !dtype->is_string()) fail("dtype is missing or no string");
  const auto shape = whole_numbers(described, "shape");
  if (!shape) fail("shape is missing or no list of whole numbers");
  const auto offsets = whole_numbers(described, "data_offsets");
  if (!offsets || offsets->size() != 2) fail("data_offsets is missing or no pair of whole numbers");
  return {.name = name,
          .dtype = dtype->get<std::string>(),
          .shape = *shape,
          .begin = (*offsets)[0],
          .end = (*offsets)[1]};
}

std::vector<Tensor> parse_tensors(const Bytes& file, std::uint64_t header_bytes) {
  const std::uint64_t data_bytes = file.data.size() - length_bytes - header_bytes;
  const nlohmann::json header =
      parse_json(file.text().substr(length_bytes, header_bytes), deepest_header, file.name, "its header");
  if (!header.is_object()) refuse_input(file.name, "its header is not a JSON object; save the file again");
  std::vector<Tensor> tensors;
  for (const auto& [name, described] : header.items()) {
    if (name == "__metadata__") continue;
    tensors.push_back(parse_tensor(file.name, name, described));
    const Tensor& tensor = tensors.back();
    if (tensor.begin > tensor.end || tensor.end > data_bytes)
      refuse_input(file.name,
                   "tensor {} lies at bytes {} to {} of {}: the file is truncated, or its header damaged; "
                   "copy or save it again",
                   in_quotes(name), tensor.begin, tensor.end, data_bytes);
  }
  return tensors;
}

}  // namespace

bool looks_like_safetensors(std::span<const std::byte> start) noexcept {
  return start.size() > length_bytes && load_little<std::uint64_t>(start, 0) <= longest_header &&
         start[length_bytes] == std::byte{'{'};
}

Matrix read_safetensors(const Bytes& file, const std::string& array) {
  if (file.data.size() < length_bytes)
    refuse_input(file.name, "truncated: {} bytes hold no .safetensors header; copy the file again",
                 file.data.size());
  const auto header_bytes = load_little<std::uint64_t>(file.data, 0);
  if (header_bytes > longest_header)
    refuse_input(file.name,
                 "claims a header of {} bytes, more than the format allows; is this a .safetensors file?",
                 header_bytes);
  if (header_bytes > file.data.size() - length_bytes)
    refuse_input(file.name, "truncated: its header claims {} bytes but {} are there; copy the file again",
                 header_bytes, file.data.size() - length_bytes);
  const std::vector<Tensor> tensors = parse_tensors(file, header_bytes);
  std::vector<std::string> names;
  names.reserve(tensors.size());
  for (const Tensor& tensor : tensors) names.push_back(tensor.name);
  const Tensor& tensor = tensors[pick_array(file.name, names, array, [&](std::size_t i) {
    return tensors[i].shape.size() == 2 && scalar_of(tensors[i].dtype).has_value();
  })];

  const std::string source = file.name + ":" + tensor.name;
  const std::optional<Scalar> scalar = scalar_of(tensor.dtype);
  if (!scalar)
    refuse_unsupported(source,
                       "dtype {} is not supported (supported: F16, BF16, F32, F64); save tensor.float()",
                       in_quotes(tensor.dtype));
  check_matrix_shape(source, tensor.shape);
  const std::size_t item = bytes_of(*scalar);
  if (const std::size_t needed = array_bytes(source, tensor.shape, item); needed != tensor.end - tensor.begin)
    refuse_input(source, "shape {} of {} needs {} bytes but data_offsets give it {}; save the file again",
                 shape_text(tensor.shape), tensor.dtype, needed, tensor.end - tensor.begin);
  return {.view = {.data = file.data.data() + length_bytes + header_bytes + tensor.begin,
                   .rows = tensor.shape[0],
                   .cols = tensor.shape[1],
                   .row_stride_bytes = static_cast<std::ptrdiff_t>(tensor.shape[1] * item),
                   .col_stride_bytes = static_cast<std::ptrdiff_t>(item),
                   .scalar = *scalar,
                   .byte_swapped = std::endian::native == std::endian::big},
          .owner = file.owner,
          .source = source};
}

}  // namespace pith
