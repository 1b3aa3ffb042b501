#include "ranks/checkpoint.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <string_view>

#include "base/output_file.h"
#include "pith/error.h"
#include "ranks/packet_reader.h"

namespace pith {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "pith ranks 1\n";
constexpr std::string_view kinds[] = {"met", "found", "plan", "rows", "picks"};

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

/// What a rank was writing when it was killed.
std::vector<fs::path> cut_short_in(const std::string& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool ours = std::any_of(std::begin(kinds), std::end(kinds),
                                  [&](std::string_view kind) { return name.starts_with(kind); });
    if (ours && name.find(".unfinished-") != std::string::npos) found.push_back(entry.path());
  }
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
  for (const std::string* text : {&info.method, &info.fingerprint, &info.reason}) append_text(out, *text);
}

GraphInfo take_info(PacketReader& in) {
  GraphInfo info;
  info.neighbors = in.value<std::uint32_t>();
  info.metric = in.value<Metric>();
  info.symmetry = in.value<Symmetry>();
  info.dimension = in.value<std::uint64_t>();
  const bool has_recall = in.value<std::uint8_t>() != 0;
  const auto recall = in.value<double>();
  if (has_recall) info.recall = recall;
  const bool has_interval = in.value<std::uint8_t>() != 0;
  const auto low = in.value<double>();
  const auto high = in.value<double>();
  if (has_interval) info.recall_interval = std::pair(low, high);
  for (std::string* text : {&info.method, &info.fingerprint, &info.reason}) *text = in.text();
  return info;
}

/// The checksum says that a file is as it was written; its name, and what a program before this one may have
/// meant by it, it does not cover.
bool is_sound(const MetRows& rows, std::uint32_t k) {
  if (rows.begin > rows.end || rows.counts.size() != rows.end - rows.begin ||
      rows.nearest.size() != rows.counts.size() * k)
    return false;
  return std::all_of(rows.counts.begin(), rows.counts.end(),
                     [&](std::uint32_t count) { return count <= k; }) &&
         std::all_of(rows.met.begin(), rows.met.end(),
                     [](const auto& range) { return range.first <= range.second; });
}

bool is_sound(const GraphRows& rows, std::size_t count) {
  return !rows.offsets.empty() && rows.offsets.size() - 1 == count && rows.offsets.front() == 0 &&
         std::is_sorted(rows.offsets.begin(), rows.offsets.end()) &&
         rows.offsets.back() == rows.neighbors.size() && rows.neighbors.size() == rows.dissimilarities.size();
}

std::vector<MetRows> unpack_met(const Packet& body, std::uint32_t k) {
  PacketReader in(body);
  std::vector<MetRows> found;
  if (in.value<std::uint32_t>() != k) return found;
  for (auto left = in.value<std::uint64_t>(); left > 0; --left) {
    MetRows rows;
    rows.begin = in.value<std::uint64_t>();
    rows.end = in.value<std::uint64_t>();
    for (auto ranges = in.value<std::uint64_t>(); ranges > 0; --ranges) {
      const auto first = in.value<std::uint64_t>();
      const auto last = in.value<std::uint64_t>();
      rows.met.emplace_back(first, last);
    }
    rows.counts = in.many<std::uint32_t>();
    rows.nearest = in.many<Near>();
    if (is_sound(rows, k)) found.push_back(std::move(rows));
  }
  return found;
}

SavedRows unpack_rows(const Packet& body) {
  PacketReader in(body);
  SavedRows saved;
  saved.info = take_info(in);
  saved.rows.offsets = in.many<std::uint64_t>();
  saved.rows.neighbors = in.many<Item>();
  saved.rows.dissimilarities = in.many<float>();
  return saved;
}

/// What `unpack` makes of it; nothing where it is damaged.
template <class Unpack>
auto unpacked(const std::optional<Packet>& body, Unpack unpack) -> std::optional<decltype(unpack(*body))> {
  if (!body) return std::nullopt;
  try {
    return unpack(*body);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string_view as_text(const Packet& packet) {
  return {reinterpret_cast<const char*>(packet.data()), packet.size()};
}

}  // namespace

Packet pack_info(const GraphInfo& info) {
  Packet bytes;
  put_info(bytes, info);
  return bytes;
}

GraphInfo unpack_info(std::span<const std::byte> bytes) {
  PacketReader in(bytes);
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
  PacketReader in(bytes);
  SavedPicks saved{.raises = in.value<std::uint64_t>(), .picks = {}};
  for (auto left = in.value<std::uint64_t>(); left > 0; --left) {
    const auto item = in.value<Item>();
    saved.picks.push_back({.item = item, .score = in.value<double>()});
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
  Packet head;
  append_text(head, identity_);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> sum(XXH3_createState(), XXH3_freeState);
  if (sum == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(sum.get());
  OutputFile file((fs::path(folder_) / name).string());
  file.write(magic);
  for (const Packet* part : {static_cast<const Packet*>(&head), &body}) {
    XXH3_64bits_update(sum.get(), part->data(), part->size());
    file.write(as_text(*part));
  }
  Packet tail;
  append_value(tail, XXH3_64bits_digest(sum.get()));
  file.write(as_text(tail));
  file.put_in_place();
  last_ = Clock::now();
}

std::optional<Packet> Checkpoints::read(const std::string& name) const {
  // Of the size of what it holds: read once, into the place where it stays.
  std::ifstream file(fs::path(folder_) / name, std::ios::binary | std::ios::ate);
  if (!file) return std::nullopt;
  Packet packet(static_cast<std::size_t>(std::max<std::streamoff>(0, file.tellg())));
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(packet.data()), static_cast<std::streamsize>(packet.size())))
    return std::nullopt;
  if (!as_text(packet).starts_with(magic)) return std::nullopt;
  const auto bytes = std::span(packet).subspan(magic.size());
  if (bytes.size() < sizeof(XXH64_hash_t) + sizeof(std::uint64_t)) return std::nullopt;
  const auto body = bytes.first(bytes.size() - sizeof(XXH64_hash_t));
  XXH64_hash_t sum = 0;
  std::memcpy(&sum, body.data() + body.size(), sizeof sum);
  if (sum != XXH3_64bits(body.data(), body.size())) return std::nullopt;
  Packet head;
  append_text(head, identity_);
  if (body.size() < head.size() || !std::equal(head.begin(), head.end(), body.begin())) return std::nullopt;
  packet.resize(packet.size() - sizeof(XXH64_hash_t));
  packet.erase(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(magic.size() + head.size()));
  return packet;
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
    append_many(body, rows.counts);
    append_many(body, rows.nearest);
  }
  write(name_of("met", known.front().begin, known.back().end), body);
}

std::vector<MetRows> Checkpoints::load_met(std::size_t begin, std::size_t end, std::uint32_t k) const {
  std::vector<MetRows> found;
  for (const Range& range : ranges_in(folder_, "met")) {
    if (range.end <= begin || range.begin >= end) continue;
    const auto saved = unpacked(read(range.name), [&](const Packet& body) { return unpack_met(body, k); });
    if (!saved) continue;
    for (const MetRows& rows : *saved)
      if (rows.end > begin && rows.begin < end)
        found.push_back(rows.part(std::max(begin, rows.begin), std::min(end, rows.end), k));
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
  body.reserve(1024 + std::span(saved.rows.offsets).size_bytes() +
               std::span(saved.rows.neighbors).size_bytes() +
               std::span(saved.rows.dissimilarities).size_bytes());
  put_info(body, saved.info);
  append_many(body, saved.rows.offsets);
  append_many(body, saved.rows.neighbors);
  append_many(body, saved.rows.dissimilarities);
  write(name_of("rows", begin, begin + saved.rows.size()), body);
}

std::optional<SavedRows> Checkpoints::load_rows(std::size_t begin, std::size_t end) const {
  SavedRows saved;
  std::size_t next = begin;
  for (const Range& range : ranges_in(folder_, "rows")) {
    if (range.begin > next || range.end <= next || next >= end) continue;
    const auto found = unpacked(read(range.name), unpack_rows);
    if (!found || !is_sound(found->rows, range.end - range.begin)) continue;
    saved.info = found->info;
    const GraphRows& some = found->rows;
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

void Checkpoints::save_plan(const Packet& plan) {
  if (active()) write("plan", plan);
}

std::optional<Packet> Checkpoints::load_plan() const {
  return active() ? read("plan") : std::nullopt;
}

void Checkpoints::save_found(int rank, const Packet& found) {
  const auto number = static_cast<std::size_t>(rank);
  if (active()) write(name_of("found", number, number + 1), found);
}

std::vector<Packet> Checkpoints::load_found(int rank, int ranks) const {
  std::vector<Packet> found;
  for (const Range& range : ranges_in(folder_, "found")) {
    if (range.begin % static_cast<std::size_t>(ranks) != static_cast<std::size_t>(rank)) continue;
    if (std::optional<Packet> body = read(range.name)) found.push_back(std::move(*body));
  }
  return found;
}

void Checkpoints::forget_search() {
  std::error_code error;
  for (const std::string_view kind : {"met", "found"})
    for (const Range& range : ranges_in(folder_, kind)) fs::remove(fs::path(folder_) / range.name, error);
  if (active()) fs::remove(fs::path(folder_) / "plan", error);
}

void Checkpoints::save_picks(const SavedPicks& saved) {
  if (!active()) return;
  write("picks", pack_picks(saved));
}

std::optional<SavedPicks> Checkpoints::load_picks() const {
  if (!active()) return std::nullopt;
  return unpacked(read("picks"), unpack_picks);
}

void Checkpoints::clear() {
  if (!active()) return;
  forget_search();
  std::error_code error;
  for (const Range& range : ranges_in(folder_, "rows")) fs::remove(fs::path(folder_) / range.name, error);
  fs::remove(fs::path(folder_) / "picks", error);
  for (const fs::path& path : cut_short_in(folder_)) fs::remove(path, error);
  fs::remove(folder_, error);  // stays where somebody keeps other things in it
}

}  // namespace pith
