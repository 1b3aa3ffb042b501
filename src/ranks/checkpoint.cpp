#include "ranks/checkpoint.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/output_file.h"
#include "pith/error.h"

namespace pith {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "pith ranks 1\n";

void put_text(Packet& out, std::string_view text) {
  append_value(out, static_cast<std::uint64_t>(text.size()));
  append_bytes(out, std::as_bytes(std::span(text)));
}

template <class T>
void put(Packet& out, const std::vector<T>& values) {
  append_value(out, static_cast<std::uint64_t>(values.size()));
  append_bytes(out, bytes_of(values));
}

/// Takes apart what the functions above put together. The checksum has been looked at: sizes fit.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_ = bytes_.subspan(sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> take_many() {
    const auto count = take<std::uint64_t>();
    std::vector<T> values = values_of<T>(bytes_.first(count * sizeof(T)));
    bytes_ = bytes_.subspan(count * sizeof(T));
    return values;
  }
  std::string take_text() {
    const std::vector<char> text = take_many<char>();
    return {text.begin(), text.end()};
  }

 private:
  std::span<const std::byte> bytes_;
};

/// Files "<kind>-<begin>-<end>" of a folder.
struct Range {
  std::string name;
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Range> ranges_in(const std::string& folder, std::string_view kind) {
  std::vector<Range> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    Range range{.name = entry.path().filename().string()};
    std::string_view rest = range.name;
    if (!rest.starts_with(kind) || rest.size() <= kind.size() || rest[kind.size()] != '-') continue;
    rest.remove_prefix(kind.size() + 1);
    const char* const last = rest.data() + rest.size();
    const auto begin = std::from_chars(rest.data(), last, range.begin);
    if (begin.ec != std::errc() || begin.ptr == last || *begin.ptr != '-') continue;
    const auto end = std::from_chars(begin.ptr + 1, last, range.end);
    if (end.ec != std::errc() || end.ptr != last || range.end <= range.begin) continue;
    found.push_back(std::move(range));
  }
  std::sort(found.begin(), found.end(), [](const Range& a, const Range& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  return found;
}

std::string name_of(std::string_view kind, std::size_t begin, std::size_t end) {
  return fmt::format("{}-{}-{}", kind, begin, end);
}

std::size_t columns_met(const MetRows& rows) {
  std::size_t count = 0;
  for (const auto& [first, last] : rows.met) count += last - first;
  return count;
}

void put_info(Packet& out, const GraphInfo& info) {
  append_value(out, info.neighbors);
  append_value(out, info.metric);
  append_value(out, info.symmetry);
  append_value(out, info.dimension);
  append_value(out, static_cast<std::uint8_t>(info.recall ? 1 : 0));
  append_value(out, info.recall.value_or(0));
  append_value(out, static_cast<std::uint8_t>(info.recall_interval ? 1 : 0));
  append_value(out, info.recall_interval ? info.recall_interval->first : 0.0);
  append_value(out, info.recall_interval ? info.recall_interval->second : 0.0);
  for (const std::string* text : {&info.method, &info.fingerprint, &info.reason}) put_text(out, *text);
}

GraphInfo take_info(Reader& in) {
  GraphInfo info;
  info.neighbors = in.take<std::uint32_t>();
  info.metric = in.take<Metric>();
  info.symmetry = in.take<Symmetry>();
  info.dimension = in.take<std::uint64_t>();
  const bool has_recall = in.take<std::uint8_t>() != 0;
  const auto recall = in.take<double>();
  if (has_recall) info.recall = recall;
  const bool has_interval = in.take<std::uint8_t>() != 0;
  const auto low = in.take<double>();
  const auto high = in.take<double>();
  if (has_interval) info.recall_interval = std::pair(low, high);
  for (std::string* text : {&info.method, &info.fingerprint, &info.reason}) *text = in.take_text();
  return info;
}

}  // namespace

Packet pack_info(const GraphInfo& info) {
  Packet bytes;
  put_info(bytes, info);
  return bytes;
}

GraphInfo unpack_info(std::span<const std::byte> bytes) {
  Reader in(bytes);
  return take_info(in);
}

Packet pack_picks(const SavedPicks& saved) {
  Packet bytes;
  append_value(bytes, saved.raises);
  append_value(bytes, static_cast<std::uint64_t>(saved.picks.size()));
  for (const Pick& pick : saved.picks) {
    append_value(bytes, pick.item);
    append_value(bytes, pick.score);
  }
  return bytes;
}

SavedPicks unpack_picks(std::span<const std::byte> bytes) {
  Reader in(bytes);
  SavedPicks saved{.raises = in.take<std::uint64_t>(), .picks = {}};
  for (auto left = in.take<std::uint64_t>(); left > 0; --left) {
    const auto item = in.take<Item>();
    saved.picks.push_back({.item = item, .score = in.take<double>()});
  }
  return saved;
}

Checkpoints::Checkpoints(std::string folder, std::string identity, double seconds)
    : folder_(std::move(folder)), identity_(std::move(identity)), seconds_(seconds) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    throw Error(ErrorKind::io,
                fmt::format("{}: cannot make the folder for unfinished work: {}", folder_, error.message()));
}

bool Checkpoints::due() const {
  return active() && std::chrono::duration<double>(Clock::now() - last_).count() >= seconds_;
}

void Checkpoints::write(const std::string& name, const Packet& body) {
  Packet bytes;
  put_text(bytes, identity_);
  append_bytes(bytes, body);
  const XXH64_hash_t sum = XXH3_64bits(bytes.data(), bytes.size());
  append_value(bytes, sum);
  OutputFile file((fs::path(folder_) / name).string());
  file.write(magic);
  file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  file.put_in_place();
  last_ = Clock::now();
}

std::optional<Packet> Checkpoints::read(const std::string& name) const {
  std::ifstream file(fs::path(folder_) / name, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!text.starts_with(magic)) return std::nullopt;
  const auto bytes = std::as_bytes(std::span(text)).subspan(magic.size());
  if (bytes.size() < sizeof(XXH64_hash_t) + sizeof(std::uint64_t)) return std::nullopt;
  const auto body = bytes.first(bytes.size() - sizeof(XXH64_hash_t));
  XXH64_hash_t sum = 0;
  std::memcpy(&sum, body.data() + body.size(), sizeof sum);
  if (sum != XXH3_64bits(body.data(), body.size())) return std::nullopt;
  Reader in(body);
  const std::string identity = in.take_text();
  if (identity != identity_) return std::nullopt;
  const auto rest = body.subspan(sizeof(std::uint64_t) + identity.size());
  return Packet(rest.begin(), rest.end());
}

void Checkpoints::save_met(const std::vector<MetRows>& known, std::uint32_t k) {
  if (!active() || known.empty()) return;
  Packet body;
  append_value(body, k);
  append_value(body, static_cast<std::uint64_t>(known.size()));
  for (const MetRows& rows : known) {
    append_value(body, static_cast<std::uint64_t>(rows.begin));
    append_value(body, static_cast<std::uint64_t>(rows.end));
    append_value(body, static_cast<std::uint64_t>(rows.met.size()));
    for (const auto& [first, last] : rows.met) {
      append_value(body, static_cast<std::uint64_t>(first));
      append_value(body, static_cast<std::uint64_t>(last));
    }
    put(body, rows.counts);
    put(body, rows.nearest);
  }
  write(name_of("met", known.front().begin, known.back().end), body);
}

std::vector<MetRows> Checkpoints::load_met(std::size_t begin, std::size_t end, std::uint32_t k) const {
  std::vector<MetRows> found;
  for (const Range& range : ranges_in(folder_, "met")) {
    if (range.end <= begin || range.begin >= end) continue;
    const std::optional<Packet> body = read(range.name);
    if (!body) continue;
    Reader in(*body);
    if (in.take<std::uint32_t>() != k) continue;
    for (auto left = in.take<std::uint64_t>(); left > 0; --left) {
      MetRows rows;
      rows.begin = in.take<std::uint64_t>();
      rows.end = in.take<std::uint64_t>();
      for (auto ranges = in.take<std::uint64_t>(); ranges > 0; --ranges) {
        const auto first = in.take<std::uint64_t>();
        const auto last = in.take<std::uint64_t>();
        rows.met.emplace_back(first, last);
      }
      rows.counts = in.take_many<std::uint32_t>();
      rows.nearest = in.take_many<Near>();
      if (rows.end > begin && rows.begin < end)
        found.push_back(rows.part(std::max(begin, rows.begin), std::min(end, rows.end), k));
    }
  }
  if (found.empty()) return {};
  // Files of several numbers of ranks may say something of the same rows: at each place, whoever met most.
  std::vector<std::size_t> cuts = {begin, end};
  for (const MetRows& rows : found) cuts.insert(cuts.end(), {rows.begin, rows.end});
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<MetRows> best;
  for (std::size_t at = 0; at + 1 < cuts.size(); ++at) {
    const MetRows* most = nullptr;
    for (const MetRows& rows : found)
      if (rows.begin <= cuts[at] && rows.end >= cuts[at + 1] &&
          (most == nullptr || columns_met(rows) > columns_met(*most)))
        most = &rows;
    best.push_back(most != nullptr ? most->part(cuts[at], cuts[at + 1], k)
                                   : MetRows(cuts[at], cuts[at + 1], k));
  }
  return best;
}

void Checkpoints::save_rows(std::size_t begin, const SavedRows& saved) {
  if (!active() || saved.rows.size() == 0) return;
  Packet body;
  put_info(body, saved.info);
  put(body, saved.rows.offsets);
  put(body, saved.rows.neighbors);
  put(body, saved.rows.dissimilarities);
  write(name_of("rows", begin, begin + saved.rows.size()), body);
}

std::optional<SavedRows> Checkpoints::load_rows(std::size_t begin, std::size_t end) const {
  SavedRows saved;
  std::size_t next = begin;
  for (const Range& range : ranges_in(folder_, "rows")) {
    if (range.begin > next || range.end <= next || next >= end) continue;
    const std::optional<Packet> body = read(range.name);
    if (!body) continue;
    Reader in(*body);
    saved.info = take_info(in);
    GraphRows some;
    some.offsets = in.take_many<std::uint64_t>();
    some.neighbors = in.take_many<Item>();
    some.dissimilarities = in.take_many<float>();
    for (; next < std::min(end, range.end); ++next) {
      const std::size_t row = next - range.begin;
      const auto first = static_cast<std::ptrdiff_t>(some.offsets[row]);
      const auto last = static_cast<std::ptrdiff_t>(some.offsets[row + 1]);
      GraphRows& rows = saved.rows;
      rows.neighbors.insert(rows.neighbors.end(), some.neighbors.begin() + first,
                            some.neighbors.begin() + last);
      rows.dissimilarities.insert(rows.dissimilarities.end(), some.dissimilarities.begin() + first,
                                  some.dissimilarities.begin() + last);
      rows.offsets.push_back(rows.neighbors.size());
    }
  }
  if (next < end || !active()) return std::nullopt;
  return saved;
}

void Checkpoints::forget_met() {
  std::error_code error;
  for (const Range& range : ranges_in(folder_, "met")) fs::remove(fs::path(folder_) / range.name, error);
}

void Checkpoints::save_picks(const SavedPicks& saved) {
  if (!active()) return;
  write("picks", pack_picks(saved));
}

std::optional<SavedPicks> Checkpoints::load_picks() const {
  if (!active()) return std::nullopt;
  const std::optional<Packet> body = read("picks");
  if (!body) return std::nullopt;
  return unpack_picks(*body);
}

void Checkpoints::clear() {
  if (!active()) return;
  std::error_code error;
  for (const std::string_view kind : {"met", "rows"})
    for (const Range& range : ranges_in(folder_, kind)) fs::remove(fs::path(folder_) / range.name, error);
  fs::remove(fs::path(folder_) / "picks", error);
  fs::remove(folder_, error);  // stays where somebody keeps other things in it
}

}  // namespace pith
