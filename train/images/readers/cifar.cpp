#include "data/mapped_file.h"
#include "data/refuse.h"
#include "images/packed_images.h"
#include "images/readers/formats.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t side = 32;
constexpr std::size_t plane = side * side;
constexpr std::size_t image_bytes = 3 * plane;

/// A file is records of labels and then three planes of 32 x 32: red, green, blue.
struct Layout {
  std::size_t label_bytes;  ///< the last of them is the class
  std::uint32_t classes;
  std::vector<std::string> training_files;
  std::string test_file;
  std::string where_to_get;
};

Layout cifar10_layout() {
  return {.label_bytes = 1,
          .classes = 10,
          .training_files = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                             "data_batch_5.bin"},
          .test_file = "test_batch.bin",
          .where_to_get =
              "get cifar-10-binary.tar.gz from the CIFAR page of the University of Toronto "
              "(www.cs.toronto.edu/~kriz/cifar.html) and unpack it"};
}

Layout cifar100_layout() {
  return {.label_bytes = 2,
          .classes = 100,
          .training_files = {"train.bin"},
          .test_file = "test.bin",
          .where_to_get =
              "get cifar-100-binary.tar.gz from the CIFAR page of the University of Toronto "
              "(www.cs.toronto.edu/~kriz/cifar.html) and unpack it"};
}

void append_records(const fs::path& file, const Layout& layout, std::vector<std::uint8_t>& pixels,
                    std::vector<std::uint32_t>& labels) {
  const std::string path = file.string();
  std::error_code ignored;
  if (!fs::exists(file, ignored)) refuse(ErrorKind::io, path, "no such file; {}", layout.where_to_get);
  const MappedFile mapped(path);
  const auto bytes = mapped.bytes();
  const std::size_t record_bytes = layout.label_bytes + image_bytes;
  if (bytes.empty() || bytes.size() % record_bytes != 0)
    refuse_input(path, "{} bytes, which is no whole number of records of {}: the file is damaged; {}",
                 bytes.size(), record_bytes, layout.where_to_get);
  const std::size_t count = bytes.size() / record_bytes;
  pixels.reserve(pixels.size() + count * image_bytes);
  for (std::size_t record = 0; record < count; ++record) {
    const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data()) + record * record_bytes;
    const std::uint32_t label = at[layout.label_bytes - 1];
    if (label >= layout.classes)
      refuse_input(path, "record {} has class {}, but there are {}: the file is damaged; {}", record, label,
                   layout.classes, layout.where_to_get);
    labels.push_back(label);
    const std::uint8_t* planes = at + layout.label_bytes;
    for (std::size_t pixel = 0; pixel < plane; ++pixel)
      for (std::size_t c = 0; c < 3; ++c) pixels.push_back(planes[c * plane + pixel]);
  }
}

Part read_part(const fs::path& folder, const std::vector<std::string>& files, const Layout& layout) {
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint32_t> labels;
  for (const std::string& name : files) append_records(folder / name, layout, pixels, labels);
  const InputShape shape{.height = side, .width = side, .channels = 3};
  return whole(std::make_shared<PackedImages>(shape, std::move(pixels)), std::move(labels));
}

Dataset read(const fs::path& folder, const Layout& layout, const char* format) {
  Dataset data{
      .name = folder.string(), .format = format, .classes = layout.classes, .training = {}, .test = {}};
  data.training = read_part(folder, layout.training_files, layout);
  data.test = read_part(folder, {layout.test_file}, layout);
  return data;
}

bool has(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  return fs::exists(folder / name, ignored);
}

}  // namespace

DatasetFormat cifar10_format() {
  return {.name = "cifar10",
          .files = "data_batch_1.bin to data_batch_5.bin, test_batch.bin",
          .where_to_get = cifar10_layout().where_to_get,
          .recognises =
              [](const fs::path& folder) {
                return has(folder, "data_batch_1.bin") || has(folder, "test_batch.bin");
              },
          .read = [](const fs::path& folder,
                     const OpenOptions&) { return read(folder, cifar10_layout(), "cifar10"); }};
}

DatasetFormat cifar100_format() {
  return {.name = "cifar100",
          .files = "train.bin, test.bin",
          .where_to_get = cifar100_layout().where_to_get,
          .recognises =
              [](const fs::path& folder) { return has(folder, "train.bin") || has(folder, "test.bin"); },
          .read = [](const fs::path& folder,
                     const OpenOptions&) { return read(folder, cifar100_layout(), "cifar100"); }};
}

}  // namespace pith::train
