#include <csetjmp>
#include <cstdio>
// jpeglib.h does not include what it needs.
#include <jerror.h>
#include <jpeglib.h>

#include <memory>

#include "data/refuse.h"
#include "images/decode.h"

namespace pith::train {
namespace {

/// libjpeg reports errors by a call that must not return: it jumps back to where the decoding began, so
/// between the two there must be no object with a destructor.
struct Failure {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

void jump_back(j_common_ptr info) {
  auto* failure = reinterpret_cast<Failure*>(info->err);
  info->err->format_message(info, failure->message);
  std::longjmp(failure->back, 1);
}

/// Most warnings are harmless oddities of old cameras; a file that ends too early is not one of them.
void judge_warning(j_common_ptr info, int level) {
  if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) jump_back(info);
}

struct Decoder {
  jpeg_decompress_struct info;
  Failure failure;

  Decoder() {
    info.err = jpeg_std_error(&failure.base);
    failure.base.error_exit = jump_back;
    failure.base.emit_message = judge_warning;
    jpeg_create_decompress(&info);
  }
  ~Decoder() { jpeg_destroy_decompress(&info); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
};

bool read_header(Decoder& decoder, const unsigned char* bytes, std::size_t size) {
  if (setjmp(decoder.failure.back) != 0) return false;
  jpeg_mem_src(&decoder.info, bytes, size);
  jpeg_read_header(&decoder.info, TRUE);
  return true;
}

bool is_cmyk(const jpeg_decompress_struct& info) {
  return info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
}

bool start(Decoder& decoder, unsigned reduction) {
  if (setjmp(decoder.failure.back) != 0) return false;
  decoder.info.scale_num = 1;
  decoder.info.scale_denom = reduction;
  decoder.info.out_color_space = is_cmyk(decoder.info) ? JCS_CMYK : JCS_RGB;
  jpeg_start_decompress(&decoder.info);
  return true;
}

bool read_lines(Decoder& decoder, unsigned char* out) {
  if (setjmp(decoder.failure.back) != 0) return false;
  const std::size_t line_bytes =
      std::size_t{decoder.info.output_width} * static_cast<unsigned>(decoder.info.output_components);
  while (decoder.info.output_scanline < decoder.info.output_height) {
    JSAMPROW line = out + decoder.info.output_scanline * line_bytes;
    jpeg_read_scanlines(&decoder.info, &line, 1);
  }
  jpeg_finish_decompress(&decoder.info);
  return true;
}

/// Photo programs store the four inks inverted: 255 is no ink.
std::vector<std::uint8_t> rgb_of_cmyk(const std::vector<std::uint8_t>& inks) {
  std::vector<std::uint8_t> out;
  out.reserve(inks.size() / 4 * 3);
  for (std::size_t at = 0; at + 3 < inks.size(); at += 4)
    for (std::size_t c = 0; c < 3; ++c)
      out.push_back(static_cast<std::uint8_t>(inks[at + c] * inks[at + 3] / 255));
  return out;
}

[[noreturn]] void refuse_damaged(const std::string& path, const Decoder& decoder) {
  refuse_input(path, "damaged JPEG: {}; get the file again or take it out of the folder",
               std::string(decoder.failure.message));
}

void open(Decoder& decoder, std::span<const std::byte> bytes, const std::string& path) {
  if (!read_header(decoder, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()))
    refuse_damaged(path, decoder);
  require_sane_size({.width = decoder.info.image_width, .height = decoder.info.image_height}, path);
}

}  // namespace

ImageSize size_of_jpeg(std::span<const std::byte> bytes, const std::string& path) {
  const auto decoder = std::make_unique<Decoder>();
  open(*decoder, bytes, path);
  return {.width = decoder->info.image_width, .height = decoder->info.image_height};
}

Pixels decode_jpeg(std::span<const std::byte> bytes, unsigned reduction, const std::string& path) {
  const auto decoder = std::make_unique<Decoder>();
  open(*decoder, bytes, path);
  if (!start(*decoder, reduction)) refuse_damaged(path, *decoder);
  Pixels image{.height = decoder->info.output_height, .width = decoder->info.output_width, .values = {}};
  const bool inks = is_cmyk(decoder->info);
  image.values.resize(std::size_t{image.height} * image.width * (inks ? 4 : 3));
  if (!read_lines(*decoder, image.values.data())) refuse_damaged(path, *decoder);
  if (inks) image.values = rgb_of_cmyk(image.values);
  return image;
}

}  // namespace pith::train
