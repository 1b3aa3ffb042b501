#include <algorithm>

#include "data/checks.h"
#include "data/mapped_file.h"
#include "data/readers/npy.h"
#include "data/refuse.h"
#include "images/packed_images.h"
#include "images/readers/formats.h"
#include "images/vectors.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

constexpr const char* where_to_get =
    "save x.npy (floats, one row an item; or bytes, items x height x width or items x height x width x "
    "channels) and "
    "y.npy (classes from 0), and x_test.npy and y_test.npy with numpy.save";

Bytes map_existing(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) refuse(ErrorKind::io, file.string(), "no such file; {}", where_to_get);
  return map_file(file.string());
}

std::shared_ptr<const ItemSource> read_items(const Bytes& file) {
  const NpyHeader header =
      parse_npy_header(file.data.first(std::min(file.data.size(), npy_header_limit)), file.name);
  if (is_float_matrix(header)) {
    Matrix matrix = read_npy(file);
    static_cast<void>(check_embeddings(matrix, {}));
    return std::make_shared<Vectors>(std::move(matrix));
  }
  const std::size_t dimensions = header.shape.size();
  if (header.kind != 'u' || header.item_bytes != 1 || header.fortran_order || dimensions < 3 ||
      dimensions > 4)
    refuse_unsupported(file.name, "an array of {} with {} dimensions; {}", header.descr, dimensions,
                       where_to_get);
  check_npy_size(header, file.data.size(), file.name);
  const std::uint64_t channels = dimensions == 4 ? header.shape[3] : 1;
  if (header.shape[0] == 0 || header.shape[1] == 0 || header.shape[2] == 0 || header.shape[1] > 65535 ||
      header.shape[2] > 65535 || channels < 1 || channels > 4)
    refuse_unsupported(
        file.name,
        "images of {} x {} with {} channels; use 1 to 4 channels, innermost, as in numpy's (n, 32, "
        "32, 3)",
        header.shape[1], header.shape[2], channels);
  const auto* begin = reinterpret_cast<const std::uint8_t*>(file.data.data()) + header.data_offset;
  const auto* end = reinterpret_cast<const std::uint8_t*>(file.data.data()) + file.data.size();
  const InputShape shape{.height = static_cast<std::uint32_t>(header.shape[1]),
                         .width = static_cast<std::uint32_t>(header.shape[2]),
                         .channels = static_cast<std::uint32_t>(channels)};
  return std::make_shared<PackedImages>(shape, std::vector<std::uint8_t>(begin, end));
}

std::vector<std::uint32_t> read_labels(const Bytes& file, std::size_t items, const std::string& items_file) {
  constexpr std::int64_t most_classes = 1 << 20;
  const std::vector<std::int64_t> numbers = read_npy_integers(file);
  if (numbers.size() != items)
    refuse_input(file.name,
                 "{} labels, but {} has {} items; both must describe the same items in the same order",
                 numbers.size(), items_file, items);
  std::vector<std::uint32_t> labels;
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    if (numbers[at] < 0 || numbers[at] >= most_classes)
      refuse_input(file.name, "entry {} is {}; classes are numbered from 0", at, numbers[at]);
    labels.push_back(static_cast<std::uint32_t>(numbers[at]));
  }
  return labels;
}

Part read_part(const fs::path& folder, const std::string& ending) {
  const fs::path items_file = folder / ("x" + ending + ".npy");
  auto source = read_items(map_existing(items_file));
  auto labels =
      read_labels(map_existing(folder / ("y" + ending + ".npy")), source->size(), items_file.string());
  return whole(std::move(source), std::move(labels));
}

Dataset read(const fs::path& folder, const OpenOptions& /*options*/) {
  Dataset data{.name = folder.string(), .format = "arrays", .classes = 0, .training = {}, .test = {}};
  data.training = read_part(folder, "");
  data.classes = 1 + *std::max_element(data.training.labels.begin(), data.training.labels.end());
  if (data.classes < 2) refuse_input(folder.string(), "y.npy has one class only; training needs at least 2");
  std::error_code ignored;
  if (!fs::exists(folder / "x_test.npy", ignored)) return data;
  data.test = read_part(folder, "_test");
  if (!(data.test->source->shape() == data.shape()))
    refuse_input((folder / "x_test.npy").string(), "its items differ in shape from those of x.npy");
  const std::uint32_t last = *std::max_element(data.test->labels.begin(), data.test->labels.end());
  if (last >= data.classes)
    refuse_input((folder / "y_test.npy").string(), "it has class {}, which y.npy lacks", last);
  return data;
}

bool recognises(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "x.npy", ignored);
}

}  // namespace

DatasetFormat arrays_format() {
  return {.name = "arrays",
          .files = "x.npy, y.npy, and if there is a test set x_test.npy, y_test.npy",
          .where_to_get = where_to_get,
          .recognises = recognises,
          .read = read};
}

}  // namespace pith::train
