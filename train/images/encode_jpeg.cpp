#include "images/encode_jpeg.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
// jpeglib.h does not include what it needs.
#include <jpeglib.h>

#include <memory>

#include "pith/error.h"

namespace pith::train {
namespace {

/// libjpeg reports errors by a call that must not return. Nothing with a destructor may stand between the
/// setjmp() and the jump.
struct Encoder {
  jpeg_compress_struct info;
  jpeg_error_mgr errors;
  std::jmp_buf back;
  unsigned char* bytes = nullptr;
  unsigned long size = 0;

  Encoder() {
    info.err = jpeg_std_error(&errors);
    info.client_data = this;
    errors.error_exit = [](j_common_ptr common) {
      std::longjmp(static_cast<Encoder*>(common->client_data)->back, 1);
    };
    jpeg_create_compress(&info);
  }
  ~Encoder() {
    jpeg_destroy_compress(&info);
    std::free(bytes);
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
};

bool encode(Encoder& encoder, const std::uint8_t* pixels, std::uint32_t width, std::uint32_t height,
            int quality) {
  if (setjmp(encoder.back) != 0) return false;
  jpeg_mem_dest(&encoder.info, &encoder.bytes, &encoder.size);
  encoder.info.image_width = width;
  encoder.info.image_height = height;
  encoder.info.input_components = 3;
  encoder.info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&encoder.info);
  jpeg_set_quality(&encoder.info, quality, TRUE);
  jpeg_start_compress(&encoder.info, TRUE);
  while (encoder.info.next_scanline < height) {
    auto* row = const_cast<JSAMPROW>(pixels + std::size_t{encoder.info.next_scanline} * width * 3);
    jpeg_write_scanlines(&encoder.info, &row, 1);
  }
  jpeg_finish_compress(&encoder.info);
  return true;
}

}  // namespace

std::vector<std::uint8_t> encode_jpeg(const Pixels& image, int quality) {
  const auto encoder = std::make_unique<Encoder>();
  if (!encode(*encoder, image.values.data(), image.width, image.height, quality))
    throw Error(ErrorKind::unsupported, "libjpeg could not write an image");
  return {encoder->bytes, encoder->bytes + encoder->size};
}

}  // namespace pith::train
