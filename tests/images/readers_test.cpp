#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <cstdio>
#include <cstring>
// jpeglib.h does not include what it needs.
#include <jpeglib.h>

#include <filesystem>

#include "images/decode.h"
#include "images/readers/formats.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith::train {
namespace {

namespace fs = std::filesystem;
using testing::expect_bad_input;
using testing::expect_error;
using testing::npy_file;
using testing::TempDir;

Dataset open(const TempDir& place, const std::string& name, const std::string& format = "auto") {
  return open_dataset({.path = place.path(name), .format = format, .image_side = 8});
}

std::vector<float> item_of(const Part& part, std::size_t place) {
  const Normaliser plain({}, part.source->shape().channels);
  std::vector<float> out(part.source->shape().values());
  part.source->read(part.indices.at(place), Augmentation::none, 0, plain, out.data());
  return out;
}

/// Labels, then three planes of one colour each.
std::string cifar_record(std::string labels, int red, int green, int blue) {
  for (const int value : {red, green, blue}) labels += std::string(1024, static_cast<char>(value));
  return labels;
}

void write_cifar10(const TempDir& place) {
  fs::create_directories(place.path("c10"));
  for (int batch = 1; batch <= 5; ++batch)
    static_cast<void>(place.write("c10/data_batch_" + std::to_string(batch) + ".bin",
                                  cifar_record(std::string(1, static_cast<char>(batch)), 10 * batch, 20, 30) +
                                      cifar_record(std::string(1, '\0'), 0, 255, 51)));
  static_cast<void>(place.write("c10/test_batch.bin", cifar_record("\x09", 1, 2, 3)));
}

TEST(Cifar, ten_classes) {
  const TempDir place;
  write_cifar10(place);
  const Dataset data = open(place, "c10");
  EXPECT_EQ(data.format, "cifar10");
  EXPECT_EQ(data.classes, 10U);
  EXPECT_EQ(data.training.labels, (std::vector<std::uint32_t>{1, 0, 2, 0, 3, 0, 4, 0, 5, 0}));
  EXPECT_EQ(data.test->labels, std::vector<std::uint32_t>{9});
  const std::vector<float> green = item_of(data.training, 1);
  ASSERT_EQ(green.size(), 3072U);
  // Channels are innermost: red, green, blue of the first pixel, then of the second.
  EXPECT_EQ(std::vector<float>(green.begin(), green.begin() + 6),
            (std::vector<float>{0, 1, 0.2F, 0, 1, 0.2F}));
  EXPECT_EQ(item_of(data.training, 4)[0], 30 / 255.0F);
}

TEST(Cifar, a_hundred_classes_by_the_second_label) {
  const TempDir place;
  fs::create_directories(place.path("c100"));
  static_cast<void>(place.write("c100/train.bin", cifar_record("\x05\x63", 1, 2, 3)));
  static_cast<void>(place.write("c100/test.bin", cifar_record("\x05\x02", 1, 2, 3)));
  const Dataset data = open(place, "c100");
  EXPECT_EQ(data.classes, 100U);
  EXPECT_EQ(data.training.labels, std::vector<std::uint32_t>{99});
  EXPECT_EQ(data.test->labels, std::vector<std::uint32_t>{2});
}

TEST(Cifar, missing_and_damaged_files_say_where_to_get_them) {
  const TempDir place;
  expect_error(ErrorKind::io, {"cifar-100-binary", "no such folder", "cifar-100-binary.tar.gz", "Toronto"},
               [&] { static_cast<void>(open(place, "cifar-100-binary")); });
  write_cifar10(place);
  fs::remove(place.path("c10/data_batch_3.bin"));
  expect_error(ErrorKind::io, {"data_batch_3.bin", "no such file", "cifar-10-binary.tar.gz"},
               [&] { static_cast<void>(open(place, "c10")); });
  write_cifar10(place);
  static_cast<void>(place.write("c10/data_batch_2.bin", std::string(3000, 'x')));
  expect_bad_input({"data_batch_2.bin", "3000 bytes", "3073", "damaged", "Toronto"},
                   [&] { static_cast<void>(open(place, "c10")); });
  static_cast<void>(
      place.write("c10/data_batch_2.bin", cifar_record("\x01", 1, 1, 1) + cifar_record("\x0b", 1, 1, 1)));
  expect_bad_input({"data_batch_2.bin", "record 1 has class 11"},
                   [&] { static_cast<void>(open(place, "c10")); });
}

std::string big_endian(std::uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xffU);
  return out;
}

std::string idx_images(std::uint32_t count, std::uint32_t height, std::uint32_t width) {
  std::string out =
      std::string("\0\0\x08\x03", 4) + big_endian(count) + big_endian(height) + big_endian(width);
  for (std::uint32_t at = 0; at < count * height * width; ++at) out += static_cast<char>(at);
  return out;
}

std::string idx_labels(const std::string& labels) {
  return std::string("\0\0\x08\x01", 4) + big_endian(static_cast<std::uint32_t>(labels.size())) + labels;
}

std::string gzipped(const std::string& bytes, const TempDir& place) {
  const std::string path = place.path("packed");
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return testing::file_contents(path);
}

void write_idx(const TempDir& place, bool packed) {
  fs::remove_all(place.path("m"));
  fs::create_directories(place.path("m"));
  const auto put = [&](const std::string& name, const std::string& bytes) {
    static_cast<void>(
        place.write("m/" + name + (packed ? ".gz" : ""), packed ? gzipped(bytes, place) : bytes));
  };
  put("train-images-idx3-ubyte", idx_images(3, 2, 4));
  put("train-labels-idx1-ubyte", idx_labels(std::string("\x00\x02\x01", 3)));
  put("t10k-images-idx3-ubyte", idx_images(1, 2, 4));
  put("t10k-labels-idx1-ubyte", idx_labels("\x01"));
}

TEST(Idx, packed_or_not) {
  const TempDir place;
  for (const bool packed : {false, true}) {
    write_idx(place, packed);
    const Dataset data = open(place, "m");
    EXPECT_EQ(data.classes, 3U);
    EXPECT_EQ(data.shape(), (InputShape{.height = 2, .width = 4, .channels = 1}));
    EXPECT_EQ(data.training.labels, (std::vector<std::uint32_t>{0, 2, 1}));
    EXPECT_EQ(item_of(data.training, 1)[3], 11 / 255.0F);
  }
}

TEST(Idx, damaged) {
  const TempDir place;
  const auto refuses = [&](std::initializer_list<std::string_view> parts) {
    expect_bad_input(parts, [&] { static_cast<void>(open(place, "m")); });
  };
  write_idx(place, false);
  const std::string images = idx_images(3, 2, 4);
  static_cast<void>(place.write("m/train-images-idx3-ubyte", images.substr(0, images.size() - 1)));
  refuses({"train-images-idx3-ubyte", "promises 24 bytes", "23", "dataset-fashion-mnist"});
  static_cast<void>(place.write("m/train-images-idx3-ubyte", idx_images(2, 2, 4)));
  refuses({"2 images", "3 labels"});
  static_cast<void>(place.write("m/train-images-idx3-ubyte", "no idx at all, this"));
  refuses({"not an idx file"});
  static_cast<void>(place.write("m/train-images-idx3-ubyte", ""));
  refuses({"not an idx file"});
  static_cast<void>(
      place.write("m/train-images-idx3-ubyte", std::string("\0\0\x08\x03", 4) + std::string(12, '\xff')));
  refuses({"promises", "damaged"});
  // 2 x 2147549185 x 4294836226 is 2^64 + 4.
  static_cast<void>(
      place.write("m/train-images-idx3-ubyte",
                  std::string("\0\0\x08\x03\0\0\0\x02\x80\x01\0\x01\xff\xfe\0\x02\x01\x02\x03\x04", 20)));
  refuses({"promises", "4 are there", "damaged"});
  write_idx(place, true);
  const std::string packed = testing::file_contents(place.path("m/train-images-idx3-ubyte.gz"));
  static_cast<void>(place.write("m/train-images-idx3-ubyte.gz", packed.substr(0, packed.size() - 12)));
  refuses({"train-images-idx3-ubyte.gz", "gzip file is damaged", "dataset-fashion-mnist"});
  fs::remove(place.path("m/t10k-labels-idx1-ubyte.gz"));
  write_idx(place, true);
  fs::remove(place.path("m/t10k-labels-idx1-ubyte.gz"));
  expect_error(ErrorKind::io, {"t10k-labels-idx1-ubyte", "no such file"},
               [&] { static_cast<void>(open(place, "m")); });
}

TEST(Idx, fashion_mnist_as_debian_packs_it) {
  if (!fs::exists("/usr/share/datasets/fashion-mnist"))
    GTEST_SKIP() << "needs Debian's dataset-fashion-mnist (scripts/setup train)";
  const Dataset data = open_dataset({.path = "fashion-mnist"});
  EXPECT_EQ(data.training.size(), 60000U);
  EXPECT_EQ(data.test->size(), 10000U);
  EXPECT_EQ(data.classes, 10U);
  const Normalisation normalisation = data.training.source->measure(data.training.indices);
  // The figures everybody uses for this dataset.
  EXPECT_NEAR(normalisation.mean[0], 0.2860, 1e-4);
  EXPECT_NEAR(normalisation.deviation[0], 0.3530, 1e-4);
}

std::string npy_labels(const std::vector<std::int64_t>& labels) {
  std::string data;
  for (const std::int64_t label : labels)
    data += testing::little_endian(static_cast<std::uint64_t>(label), 8);
  return npy_file("<i8", fmt::format("({},)", labels.size()), data);
}

TEST(Arrays, vectors) {
  const TempDir place;
  fs::create_directories(place.path("a"));
  static_cast<void>(
      place.write("a/x.npy", npy_file("<f4", "(3, 2)", testing::raw(std::vector<float>{1, 2, 3, 4, 5, 6}))));
  static_cast<void>(place.write("a/y.npy", npy_labels({0, 1, 1})));
  const Dataset data = open(place, "a");
  EXPECT_TRUE(data.shape().is_vector());
  EXPECT_FALSE(data.test.has_value());
  EXPECT_EQ(item_of(data.training, 2), (std::vector<float>{5, 6}));
  const Normalisation normalisation = data.training.source->measure(data.training.indices);
  EXPECT_NEAR(normalisation.mean[0], 3.5, 1e-6);
  EXPECT_NEAR(normalisation.deviation[0], std::sqrt(35.0 / 12), 1e-6);
}

TEST(Arrays, images) {
  const TempDir place;
  fs::create_directories(place.path("a"));
  static_cast<void>(place.write(
      "a/x.npy", npy_file("|u1", "(2, 1, 2, 3)", std::string("\0\1\2\3\4\5\6\7\x08\x09\x0a\xff", 12))));
  static_cast<void>(place.write("a/y.npy", npy_labels({0, 1})));
  const Dataset data = open(place, "a");
  EXPECT_EQ(data.shape(), (InputShape{.height = 1, .width = 2, .channels = 3}));
  EXPECT_EQ(item_of(data.training, 1)[5], 1);
}

TEST(Arrays, damaged) {
  const TempDir place;
  fs::create_directories(place.path("a"));
  static_cast<void>(
      place.write("a/x.npy", npy_file("<f4", "(2, 1)", testing::raw(std::vector<float>{1, 2}))));
  expect_error(ErrorKind::io, {"y.npy", "no such file", "numpy.save"},
               [&] { static_cast<void>(open(place, "a")); });
  static_cast<void>(place.write("a/y.npy", npy_labels({0, 1, 0})));
  expect_bad_input({"y.npy", "3 labels", "2 items"}, [&] { static_cast<void>(open(place, "a")); });
  static_cast<void>(place.write("a/y.npy", npy_labels({0, -1})));
  expect_bad_input({"y.npy", "entry 1 is -1"}, [&] { static_cast<void>(open(place, "a")); });
  static_cast<void>(place.write("a/y.npy", npy_labels({0, 1})));
  static_cast<void>(
      place.write("a/x.npy", npy_file("<f4", "(2, 1)", testing::raw(std::vector<float>{1, std::nanf("")}))));
  expect_bad_input({"x.npy", "row 1"}, [&] { static_cast<void>(open(place, "a")); });
  static_cast<void>(place.write("a/x.npy", npy_file("<i4", "(2, 1)", std::string(8, '\0'))));
  expect_error(ErrorKind::unsupported, {"x.npy", "numpy.save"}, [&] { static_cast<void>(open(place, "a")); });
  static_cast<void>(place.write("a/x.npy", npy_file("|u1", "(2, 2, 2)", std::string(7, '\0'))));
  expect_bad_input({"x.npy"}, [&] { static_cast<void>(open(place, "a")); });
}

/// One colour on the left, another on the right.
std::vector<std::uint8_t> two_colours(std::uint32_t width, std::uint32_t height) {
  std::vector<std::uint8_t> pixels;
  for (std::uint32_t at = 0; at < width * height; ++at)
    for (const int value : {at % width < width / 2 ? 200 : 40, 100, 30})
      pixels.push_back(static_cast<std::uint8_t>(value));
  return pixels;
}

std::string png_of(std::uint32_t width, std::uint32_t height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGB;
  const std::vector<std::uint8_t> pixels = two_colours(width, height);
  png_alloc_size_t bytes = 0;
  png_image_write_to_memory(&image, nullptr, &bytes, 0, pixels.data(), 0, nullptr);
  std::string out(bytes, '\0');
  png_image_write_to_memory(&image, out.data(), &bytes, 0, pixels.data(), 0, nullptr);
  out.resize(bytes);
  return out;
}

std::string jpeg_of(std::uint32_t width, std::uint32_t height) {
  jpeg_compress_struct info;
  jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = width;
  info.image_height = height;
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  jpeg_start_compress(&info, TRUE);
  std::vector<std::uint8_t> pixels = two_colours(width, height);
  for (std::uint32_t y = 0; y < height; ++y) {
    JSAMPROW row = pixels.data() + std::size_t{y} * width * 3;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  std::string out(reinterpret_cast<const char*>(bytes), size);
  std::free(bytes);
  jpeg_destroy_compress(&info);
  return out;
}

class Folder : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* part : {"train", "val"})
      for (const char* name : {"cat", "dog"})
        fs::create_directories(place_.path(std::string("f/") + part + "/" + name));
    put("train/cat/b.png", png_of(64, 40));
    put("train/cat/a.JPEG", jpeg_of(400, 300));
    put("train/dog/x.jpg", jpeg_of(9, 7));
    put("train/dog/notes.txt", "not an image");
    put("val/cat/1.png", png_of(8, 8));
    put("val/dog/1.png", png_of(8, 8));
  }
  void put(const std::string& name, const std::string& bytes) const {
    static_cast<void>(place_.write("f/" + name, bytes));
  }
  TempDir place_;
};

TEST_F(Folder, classes_and_files_by_name) {
  const Dataset data = open(place_, "f");
  EXPECT_EQ(data.format, "folder");
  EXPECT_EQ(data.classes, 2U);
  EXPECT_EQ(data.training.labels, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(data.test->labels, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(data.shape(), (InputShape{.height = 8, .width = 8, .channels = 3}));
  for (std::size_t item = 0; item < 3; ++item) {
    const std::vector<float> pixels = item_of(data.training, item);
    const double tolerance = 0.03;
    EXPECT_NEAR(pixels[0], 200 / 255.0, tolerance) << item;
    EXPECT_NEAR(pixels[1], 100 / 255.0, tolerance) << item;
    EXPECT_NEAR(pixels[2], 30 / 255.0, tolerance) << item;
    EXPECT_NEAR(pixels[7 * 3], 40 / 255.0, tolerance) << item;
  }
}

TEST_F(Folder, augmented_images_depend_on_the_key_alone) {
  const Dataset data = open(place_, "f");
  const Normaliser plain({}, 3);
  std::vector<float> first(8 * 8 * 3);
  std::vector<float> again(first.size());
  bool mirrored = false;
  bool upright = false;
  for (std::uint64_t key = 0; key < 40; ++key) {
    data.training.source->read(1, Augmentation::crop_and_flip, key, plain, first.data());
    data.training.source->read(1, Augmentation::crop_and_flip, key, plain, again.data());
    EXPECT_EQ(first, again);
    // The bright half is on the left of the file.
    upright = upright || first[0] > first[7 * 3] + 0.3;
    mirrored = mirrored || first[0] < first[7 * 3] - 0.3;
  }
  EXPECT_TRUE(upright);
  EXPECT_TRUE(mirrored);
}

TEST_F(Folder, damaged_images_are_named_when_they_are_read) {
  const auto refuses = [&](const std::string& bytes, std::initializer_list<std::string_view> parts) {
    put("train/dog/x.jpg", bytes);
    const Dataset data = open(place_, "f");
    expect_bad_input(parts, [&] { static_cast<void>(item_of(data.training, 2)); });
  };
  const std::string jpeg = jpeg_of(64, 64);
  const std::string png = png_of(64, 64);
  refuses(jpeg.substr(0, jpeg.size() / 2), {"x.jpg", "damaged JPEG"});
  refuses(jpeg.substr(0, 30), {"x.jpg", "damaged JPEG"});
  refuses(png.substr(0, png.size() / 2), {"x.jpg", "damaged PNG"});
  refuses("GIF89a", {"x.jpg", "neither a JPEG nor a PNG"});
  refuses("", {"x.jpg", "neither a JPEG nor a PNG"});
  // A header that claims 60,000 x 60,000 pixels.
  std::string huge = png;
  const std::uint32_t edge = 60000;
  for (int at = 0; at < 4; ++at)
    huge[16 + at] = huge[20 + at] = static_cast<char>(edge >> (24 - 8 * at) & 0xffU);
  const auto crc = static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(huge.data()) + 12, 17));
  huge.replace(29, 4, big_endian(crc));
  refuses(huge, {"x.jpg", "60000 x 60000"});
}

TEST_F(Folder, classes_must_have_images) {
  fs::create_directories(place_.path("f/train/empty"));
  fs::create_directories(place_.path("f/val/empty"));
  expect_bad_input({"train/empty", "no JPEG or PNG", "train/CLASS/"},
                   [&] { static_cast<void>(open(place_, "f")); });
  put("train/empty/1.png", png_of(8, 8));
  fs::remove_all(place_.path("f/val/empty"));
  expect_bad_input({"val/empty", "no such folder"}, [&] { static_cast<void>(open(place_, "f")); });
}

TEST_F(Folder, a_class_that_is_tested_and_never_trained_is_refused) {
  fs::create_directories(place_.path("f/val/bird"));
  EXPECT_EQ(open(place_, "f").test->size(), 2U) << "a folder without images is no class";
  put("val/bird/1.png", png_of(8, 8));
  expect_bad_input({"val/bird", "no such class"}, [&] { static_cast<void>(open(place_, "f")); });
}

TEST_F(Folder, pictures_right_in_a_folder_have_no_labels) {
  fs::create_directories(place_.path("flat"));
  static_cast<void>(place_.write("flat/b.png", png_of(64, 40)));
  static_cast<void>(place_.write("flat/a.jpg", jpeg_of(9, 7)));
  static_cast<void>(place_.write("flat/notes.txt", "not an image"));
  const Dataset data = open(place_, "flat");
  EXPECT_EQ(data.format, "pictures");
  EXPECT_EQ(data.classes, 0U);
  EXPECT_FALSE(data.test);
  ASSERT_EQ(data.training.size(), 2U);
  EXPECT_EQ(data.training.source->path_of(0), place_.path("flat/a.jpg"));
  EXPECT_EQ(open(place_, "f").format, "folder") << "class folders come first";
  expect_bad_input({"no JPEG or PNG"}, [&] { static_cast<void>(open(place_, "f/train", "pictures")); });
}

TEST(Registry, unknown_folders_and_formats) {
  const TempDir place;
  fs::create_directories(place.path("empty"));
  expect_bad_input({"empty", "cifar10", "x.npy", "train-images-idx3-ubyte"},
                   [&] { static_cast<void>(open(place, "empty")); });
  expect_error(ErrorKind::bad_option, {"--format", "'cifar'", "did you mean"},
               [&] { static_cast<void>(open(place, "empty", "cifar")); });
  expect_error(ErrorKind::io, {"no-mnist-here", "dataset-fashion-mnist"},
               [&] { static_cast<void>(open(place, "no-mnist-here")); });
}

}  // namespace
}  // namespace pith::train
