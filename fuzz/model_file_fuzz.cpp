#include <fmt/format.h>
#include <xxhash.h>

#include "fuzz_target.h"
#include "memory_file.h"
#include "network/model_file.h"

namespace {

/// The same with the checksum of what follows the header in its place, so that what lies behind it is
/// reached.
std::string with_checksum(std::string text) {
  constexpr std::string_view before = "\"checksum\":\"";
  constexpr std::size_t digits = 16;
  if (text.size() < 8) return text;
  std::uint64_t header = 0;
  for (std::size_t at = 0; at < 8; ++at)
    header |= std::uint64_t{static_cast<unsigned char>(text[at])} << (8 * at);
  if (header > text.size() - 8) return text;
  const std::string_view data = std::string_view(text).substr(8 + header);
  const std::string sum = fmt::format("{:016x}", XXH3_64bits(data.data(), data.size()));
  const std::size_t at = text.find(before);
  if (at != std::string::npos && at + before.size() + digits <= 8 + header)
    text.replace(at + before.size(), digits, sum);
  return text;
}

}  // namespace

PITH_FUZZ_TARGET(model_file) {
  const std::string text = with_checksum({reinterpret_cast<const char*>(input.data()), input.size()});
  const pith::fuzz::MemoryFile file(std::as_bytes(std::span(text)));
  const pith::train::ModelFile model = pith::train::load_model_file(file.path());
  for (const pith::train::NamedArray& array : model.arrays) {
    std::uint64_t values = 1;
    for (const std::int64_t side : array.shape) values *= static_cast<std::uint64_t>(side);
    if (array.bytes.size() != values * (array.whole_numbers ? 8 : 4)) std::abort();
  }
}
