#include <algorithm>

#include "data/refuse.h"
#include "images/gzip.h"
#include "images/packed_images.h"
#include "images/readers/formats.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

constexpr const char* where_to_get =
    "install Debian's dataset-fashion-mnist (scripts/setup train does) and pass --data fashion-mnist, or put "
    "the four "
    "files of an MNIST-like set there, gzipped or not";

/// The file, or the same gzipped.
fs::path find_file(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  for (const char* ending : {"", ".gz"})
    if (fs::exists(folder / (name + ending), ignored)) return folder / (name + ending);
  refuse(ErrorKind::io, (folder / name).string(), "no such file, nor one with .gz; {}", where_to_get);
}

struct IdxArray {
  std::vector<std::uint32_t> shape;
  std::vector<std::uint8_t> values;
};

/// Two zero bytes, 8 for unsigned bytes, the number of dimensions, their sizes (big-endian), the values.
IdxArray read_idx(const fs::path& file, std::size_t dimensions) {
  const std::string path = file.string();
  IdxArray array;
  array.values = read_unpacked(path, where_to_get);
  const std::vector<std::uint8_t>& bytes = array.values;
  const std::size_t header_bytes = 4 + 4 * dimensions;
  if (bytes.size() < header_bytes || bytes[0] != 0 || bytes[1] != 0 || bytes[2] != 8 ||
      bytes[3] != dimensions)
    refuse_input(path, "not an idx file of {} dimensions of bytes; {}", dimensions, where_to_get);
  const std::uint64_t there = bytes.size() - header_bytes;
  // Dimensions of damaged files must not overflow: more than any file has.
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t values = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::uint8_t* at = bytes.data() + 4 + 4 * d;
    array.shape.push_back(std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 |
                          std::uint32_t{at[2]} << 8 | at[3]);
    const std::uint64_t side = array.shape.back();
    values = side != 0 && values > most / side ? most : values * side;
  }
  if (values == 0 || values != there)
    refuse_input(path, "the header promises {} bytes of data but {} are there: the file is damaged; {}",
                 values, there, where_to_get);
  array.values.erase(array.values.begin(), array.values.begin() + static_cast<std::ptrdiff_t>(header_bytes));
  return array;
}

Part read_part(const fs::path& folder, const std::string& prefix) {
  const fs::path images_file = find_file(folder, prefix + "-images-idx3-ubyte");
  const fs::path labels_file = find_file(folder, prefix + "-labels-idx1-ubyte");
  IdxArray images = read_idx(images_file, 3);
  const IdxArray labels = read_idx(labels_file, 1);
  if (images.shape[0] != labels.shape[0])
    refuse_input(images_file.string(), "{} images, but {} has {} labels: they do not belong together; {}",
                 images.shape[0], labels_file.string(), labels.shape[0], where_to_get);
  const InputShape shape{.height = images.shape[1], .width = images.shape[2], .channels = 1};
  return whole(std::make_shared<PackedImages>(shape, std::move(images.values)),
               {labels.values.begin(), labels.values.end()});
}

Dataset read(const fs::path& folder, const OpenOptions& /*options*/) {
  Dataset data{.name = folder.string(), .format = "idx", .classes = 0, .training = {}, .test = {}};
  data.training = read_part(folder, "train");
  data.test = read_part(folder, "t10k");
  data.classes = 1 + *std::max_element(data.training.labels.begin(), data.training.labels.end());
  if (data.classes < 2)
    refuse_input(folder.string(), "all its labels are 0, but a network needs two classes to tell apart; {}",
                 where_to_get);
  if (!(data.test->source->shape() == data.training.source->shape()))
    refuse_input(folder.string(), "training and test images differ in size; {}", where_to_get);
  const std::uint32_t last = *std::max_element(data.test->labels.begin(), data.test->labels.end());
  if (last >= data.classes)
    refuse_input(folder.string(), "the test set has class {}, which the training set lacks; {}", last,
                 where_to_get);
  return data;
}

bool recognises(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "train-images-idx3-ubyte", ignored) ||
         fs::exists(folder / "train-images-idx3-ubyte.gz", ignored);
}

}  // namespace

DatasetFormat idx_format() {
  return {.name = "idx",
          .files = "train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-..., or the same with .gz",
          .where_to_get = where_to_get,
          .recognises = recognises,
          .read = read};
}

}  // namespace pith::train
