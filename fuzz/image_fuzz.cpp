#include "fuzz_target.h"
#include "images/decode.h"
#include "images/gzip.h"
#include "memory_file.h"

/// A JPEG, a PNG or something packed by gzip.
PITH_FUZZ_TARGET(image) {
  const auto attempt = [](const auto& action) {
    try {
      action();
    } catch (const pith::Error&) {
    }
  };
  attempt([&] {
    const pith::train::ImageSize size = pith::train::size_of_image(input, "image");
    if (std::uint64_t{size.width} * size.height > 1 << 20) return;  // right, but slow
    for (const unsigned reduction : {1U, 8U}) (void)pith::train::decode_image(input, reduction, "image");
  });
  const pith::fuzz::MemoryFile file(input);
  attempt([&] { (void)pith::train::read_unpacked(file.path(), "get another"); });
}
