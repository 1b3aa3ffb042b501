#include "images/gzip.h"

#include <zlib.h>

#include <memory>

#include "data/mapped_file.h"
#include "data/refuse.h"

namespace pith::train {
namespace {

std::vector<std::uint8_t> unpack(const std::string& path, const std::string& remedy) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) refuse(ErrorKind::io, path, "cannot open; {}", remedy);
  gzbuffer(file.get(), 1U << 18);
  std::vector<std::uint8_t> out;
  std::vector<std::uint8_t> piece(1U << 20);
  for (;;) {
    const int got = gzread(file.get(), piece.data(), static_cast<unsigned>(piece.size()));
    if (got < 0) break;
    if (got == 0) {
      // A file that is cut short ends without an error from gzread; only gzerror tells.
      int code = Z_OK;
      gzerror(file.get(), &code);
      if (code == Z_OK) return out;
      break;
    }
    out.insert(out.end(), piece.begin(), piece.begin() + got);
  }
  refuse_input(path, "the gzip file is damaged after {} unpacked bytes; {}", out.size(), remedy);
}

}  // namespace

std::vector<std::uint8_t> read_unpacked(const std::string& path, const std::string& remedy) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  const bool packed = bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
  if (packed) return unpack(path, remedy);
  const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return {begin, begin + bytes.size()};
}

}  // namespace pith::train
