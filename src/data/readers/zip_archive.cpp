#include "data/readers/zip_archive.h"

#include <zip.h>

#include <algorithm>

#include "data/little_endian.h"
#include "data/refuse.h"

namespace pith {
namespace {

// Record signatures and fixed sizes of the zip format (APPNOTE 6.3, sections 4.3.7 to 4.3.16).
constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::uint32_t central_signature = 0x02014b50;
constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50;
constexpr std::uint32_t locator64_signature = 0x07064b50;
constexpr std::size_t local_bytes = 30;
constexpr std::size_t central_bytes = 46;
constexpr std::size_t end_bytes = 22;
constexpr std::size_t end64_bytes = 56;
constexpr std::size_t locator64_bytes = 20;
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::uint64_t most_deflate_ratio = 1032;

/// Little-endian fields of the archive, each access checked.
class Fields {
 public:
  explicit Fields(const Bytes& file) : data_(file.data), name_(file.name) {}

  [[noreturn]] void fail(const char* why) const {
    refuse_input(name_, "bad zip archive: {}; copy or save the file again", why);
  }
  template <class Unsigned>
  [[nodiscard]] Unsigned get(std::uint64_t offset) const {
    if (!holds(offset, sizeof(Unsigned))) fail("a record lies beyond the end of the file");
    return load_little<Unsigned>(data_, offset);
  }
  [[nodiscard]] std::uint16_t u16(std::uint64_t offset) const { return get<std::uint16_t>(offset); }
  [[nodiscard]] std::uint32_t u32(std::uint64_t offset) const { return get<std::uint32_t>(offset); }
  [[nodiscard]] std::uint64_t u64(std::uint64_t offset) const { return get<std::uint64_t>(offset); }
  [[nodiscard]] std::string text(std::uint64_t offset, std::size_t bytes) const {
    if (!holds(offset, bytes)) fail("a name lies beyond the end of the file");
    return {reinterpret_cast<const char*>(data_.data()) + offset, bytes};
  }
  [[nodiscard]] bool holds(std::uint64_t offset, std::uint64_t bytes) const noexcept {
    return offset <= data_.size() && bytes <= data_.size() - offset;
  }
  [[nodiscard]] std::size_t size() const noexcept { return data_.size(); }

 private:
  std::span<const std::byte> data_;
  const std::string& name_;
};

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t entries = 0;
};

/// The end record is the last one whose comment reaches exactly to the end of the file.
std::uint64_t find_end_record(const Fields& fields) {
  if (fields.size() < end_bytes) fields.fail("too short");
  const std::uint64_t last = fields.size() - end_bytes;
  for (std::uint64_t back = 0; back <= std::min<std::uint64_t>(last, UINT16_MAX); ++back)
    if (fields.u32(last - back) == end_signature && fields.u16(last - back + 20) == back) return last - back;
  fields.fail("truncated, its directory is missing");
}

Directory find_directory(const Fields& fields) {
  const std::uint64_t end = find_end_record(fields);
  Directory found{.offset = fields.u32(end + 16), .entries = fields.u16(end + 10)};
  if (end < locator64_bytes || fields.u32(end - locator64_bytes) != locator64_signature) return found;
  const std::uint64_t end64 = fields.u64(end - locator64_bytes + 8);
  if (!fields.holds(end64, end64_bytes) || fields.u32(end64) != end64_signature)
    fields.fail("its zip64 directory is missing");
  return {.offset = fields.u64(end64 + 48), .entries = fields.u64(end64 + 32)};
}

/// Replaces the fields that hold all ones by those of the zip64 extra field, which come in this fixed order.
void widen(ZipEntry& entry, const Fields& fields, std::uint64_t extra, std::size_t extra_bytes) {
  if (std::max({entry.bytes, entry.compressed_bytes, entry.header_offset}) < UINT32_MAX) return;
  const std::uint64_t end = extra + extra_bytes;
  while (extra + 4 <= end) {
    const std::uint16_t tag = fields.u16(extra);
    const std::uint64_t next = extra + 4 + fields.u16(extra + 2);
    std::uint64_t at = extra + 4;
    extra = next;
    if (tag != 1) continue;
    for (std::uint64_t* value : {&entry.bytes, &entry.compressed_bytes, &entry.header_offset}) {
      if (*value != UINT32_MAX) continue;
      if (at + 8 > std::min(next, end)) fields.fail("a zip64 field is cut short");
      *value = fields.u64(at);
      at += 8;
    }
    return;
  }
}

}  // namespace

ZipArchive::ZipArchive(Bytes file) : file_(std::move(file)) {
  const Fields fields(file_);
  const auto [directory, count] = find_directory(fields);
  if (count > fields.size() / central_bytes) fields.fail("its directory claims more entries than fit");
  std::uint64_t at = directory;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!fields.holds(at, central_bytes) || fields.u32(at) != central_signature)
      fields.fail("its directory is damaged");
    ZipEntry entry{.name = {},
                   .flags = fields.u16(at + 8),
                   .method = fields.u16(at + 10),
                   .compressed_bytes = fields.u32(at + 20),
                   .bytes = fields.u32(at + 24),
                   .header_offset = fields.u32(at + 42)};
    const std::size_t name_bytes = fields.u16(at + 28);
    const std::size_t extra_bytes = fields.u16(at + 30);
    entry.name = fields.text(at + central_bytes, name_bytes);
    widen(entry, fields, at + central_bytes + name_bytes, extra_bytes);
    at += central_bytes + name_bytes + extra_bytes + fields.u16(at + 32);
    entries_.push_back(std::move(entry));
  }
}

std::size_t ZipArchive::data_offset(const ZipEntry& entry) const {
  const Fields fields(file_);
  const std::uint64_t at = entry.header_offset;
  if (!fields.holds(at, local_bytes) || fields.u32(at) != local_signature)
    fields.fail("an entry is not where the directory says");
  const std::size_t name_bytes = fields.u16(at + 26);
  if (fields.u16(at + 8) != entry.method || fields.text(at + local_bytes, name_bytes) != entry.name)
    fields.fail("an entry differs from what the directory says of it");
  const std::uint64_t offset = at + local_bytes + name_bytes + fields.u16(at + 28);
  if (!fields.holds(offset, entry.compressed_bytes)) fields.fail("truncated, an entry ends beyond the file");
  return offset;
}

Bytes ZipArchive::read(std::size_t index, std::size_t most_bytes) const {
  const ZipEntry& entry = entries_.at(index);
  const std::string name = file_.name + ":" + entry.name;
  if ((entry.flags & 1U) != 0) refuse_unsupported(name, "the entry is encrypted; save it without a password");
  if (entry.method != stored && entry.method != deflated)
    refuse_unsupported(name,
                       "compression method {} is not supported (supported: none, deflate); "
                       "save with numpy.savez",
                       entry.method);
  const std::size_t offset = data_offset(entry);
  if (entry.method == stored) {
    if (entry.bytes != entry.compressed_bytes)
      refuse_input(name, "bad zip archive: a stored entry of {} bytes claims {}; save the file again",
                   entry.compressed_bytes, entry.bytes);
    return {.data = file_.data.subspan(offset, std::min<std::size_t>(entry.bytes, most_bytes)),
            .owner = file_.owner,
            .name = name};
  }
  // Deflate cannot expand by more; a larger claim would only make us allocate.
  if (entry.bytes / most_deflate_ratio > entry.compressed_bytes + 1)
    refuse_input(name, "bad zip archive: {} compressed bytes claim to hold {}; save the file again",
                 entry.compressed_bytes, entry.bytes);
  Bytes contents = inflate(index, std::min<std::size_t>(entry.bytes, most_bytes));
  contents.name = name;
  return contents;
}

Bytes ZipArchive::inflate(std::size_t index, std::size_t bytes) const {
  const Fields fields(file_);
  if (!inflater_) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(file_.data.data(), file_.data.size(), 0, &error);
    zip_t* opened = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
    if (opened == nullptr && source != nullptr) zip_source_free(source);
    zip_error_fini(&error);
    if (opened == nullptr) fields.fail("libzip cannot open it");
    inflater_.reset(opened, zip_discard);
  }
  const char* name = zip_get_name(inflater_.get(), index, ZIP_FL_ENC_RAW);
  if (name == nullptr || entries_[index].name != name) fields.fail("its directory is inconsistent");
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(zip_fopen_index(inflater_.get(), index, 0),
                                                                zip_fclose);
  if (!entry) fields.fail("an entry cannot be opened");
  std::shared_ptr<std::byte[]> buffer(new std::byte[bytes]);
  std::size_t done = 0;
  while (done < bytes) {
    const zip_int64_t got = zip_fread(entry.get(), buffer.get() + done, bytes - done);
    if (got <= 0) fields.fail("an entry's compressed data is damaged");
    done += static_cast<std::size_t>(got);
  }
  // Only the read that meets the end checks the checksum.
  std::byte beyond{};
  if (bytes == entries_[index].bytes && zip_fread(entry.get(), &beyond, 1) != 0)
    fields.fail("an entry's checksum or length is wrong");
  return {.data = {buffer.get(), bytes}, .owner = buffer, .name = {}};
}

}  // namespace pith
