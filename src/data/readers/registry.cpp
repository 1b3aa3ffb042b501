#include "data/readers/registry.h"

#include <array>

#include "data/readers/csv.h"
#include "data/readers/fvecs.h"
#include "data/readers/npy.h"
#include "data/readers/npz.h"
#include "data/readers/safetensors.h"
#include "data/text.h"

namespace pith {
namespace {

bool starts_as_zip(std::span<const std::byte> start) {
  const std::string_view text = Bytes{start, {}, {}}.text();
  return text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06");
}

Matrix read_only_npy(const Bytes& file, const std::string&) {
  return read_npy(file);
}
Matrix read_comma_separated(const Bytes& file, const std::string&) {
  return read_csv(file, ',');
}
Matrix read_tab_separated(const Bytes& file, const std::string&) {
  return read_csv(file, '\t');
}
Matrix read_only_fvecs(const Bytes& file, const std::string&) {
  return read_fvecs(file);
}

constexpr std::array<Reader, 6> readers = {{
    {".npy", false, has_npy_magic, read_only_npy},
    {".npz", true, starts_as_zip, read_npz},
    {".safetensors", true, looks_like_safetensors, read_safetensors},
    {".csv", false, nullptr, read_comma_separated},
    {".tsv", false, nullptr, read_tab_separated},
    {".fvecs", false, nullptr, read_only_fvecs},
}};

}  // namespace

std::span<const Reader> all_readers() noexcept {
  return readers;
}

const Reader* find_reader(std::string_view path, std::span<const std::byte> start) noexcept {
  const std::string extension = extension_of(path);
  for (const Reader& reader : readers)
    if (reader.extension == extension) return &reader;
  for (const Reader& reader : readers)
    if (reader.recognises != nullptr && reader.recognises(start)) return &reader;
  return nullptr;
}

std::string supported_extensions() {
  std::string out;
  for (const Reader& reader : readers) {
    if (!out.empty()) out += ", ";
    out += reader.extension;
  }
  return out;
}

}  // namespace pith
