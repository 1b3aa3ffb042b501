#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "report/map.h"

namespace pith {
namespace {

constexpr std::string_view magic = "PITHMAP1";
constexpr std::size_t checksum_bytes = 8;

template <class Value>
void append(std::string& out, const Value& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Value>
void append_all(std::string& out, const std::vector<Value>& values) {
  append(out, static_cast<std::uint64_t>(values.size()));
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}

/// Takes values off the front of some bytes, as long as there are enough.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : rest_(bytes) {}

  template <class Value>
  Value take() {
    Value value{};
    if (rest_.size() < sizeof value) return fail(value);
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  template <class Value>
  std::vector<Value> take_all() {
    const auto count = take<std::uint64_t>();
    if (count > rest_.size() / sizeof(Value)) return fail(std::vector<Value>{});
    std::vector<Value> values(count);
    if (count > 0) std::memcpy(values.data(), rest_.data(), count * sizeof(Value));
    rest_.remove_prefix(count * sizeof(Value));
    return values;
  }
  [[nodiscard]] bool whole() const { return good_ && rest_.empty(); }

 private:
  template <class Value>
  Value fail(Value value) {
    good_ = false;
    rest_ = {};
    return value;
  }

  std::string_view rest_;
  bool good_ = true;
};

/// Whoever wrote it, other code takes its items for items and its parts to be of one length.
bool is_sound(const ItemMap& map) {
  const auto fits = [&](std::size_t length) { return length == 0 || length == map.items.size(); };
  return fits(map.pca.size()) && fits(map.layout.size()) && fits(map.stands_for.size()) &&
         std::is_sorted(map.items.begin(), map.items.end());
}

}  // namespace

std::string map_bytes(const ItemMap& map, const std::string& key) {
  std::string out(magic);
  append_all(out, std::vector<char>(key.begin(), key.end()));
  append_all(out, map.items);
  append_all(out, map.pca);
  append(out, map.pca_share);
  append_all(out, map.layout);
  append_all(out, map.stands_for);
  append(out, static_cast<std::uint64_t>(XXH3_64bits(out.data(), out.size())));
  return out;
}

std::optional<ItemMap> parse_map(std::string_view bytes, const std::string& key) {
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + checksum_bytes) return std::nullopt;
  const std::string_view body = bytes.substr(0, bytes.size() - checksum_bytes);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + body.size(), checksum_bytes);
  if (checksum != XXH3_64bits(body.data(), body.size())) return std::nullopt;
  Taker taker(body.substr(magic.size()));
  const auto its_key = taker.take_all<char>();
  if (key != std::string_view(its_key.data(), its_key.size())) return std::nullopt;
  ItemMap map;
  map.items = taker.take_all<Item>();
  map.pca = taker.take_all<Point>();
  map.pca_share = taker.take<std::array<double, 2>>();
  map.layout = taker.take_all<Point>();
  map.stands_for = taker.take_all<std::uint32_t>();
  if (!taker.whole() || !is_sound(map)) return std::nullopt;
  return map;
}

}  // namespace pith
