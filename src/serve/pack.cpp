#include "serve/pack.h"

#include <bit>

namespace pith::serve {

static_assert(std::endian::native == std::endian::little);

std::string Pack::bytes() const {
  const Json header = {{"data", data}, {"arrays", arrays_}};
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((8 - (text.size() + sizeof(std::uint32_t)) % 8) % 8, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string out(reinterpret_cast<const char*>(&length), sizeof length);
  out += text;
  out += body_;
  return out;
}

}  // namespace pith::serve
