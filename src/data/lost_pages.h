#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace pith {

/// A program that asks for it ends, where a mapped file has lost the page that is being read (somebody cut it
/// short, or a disk failed), with one line that names the file and with exit code 4. Otherwise the system
/// ends it with SIGBUS. A handler of signals is for programs to choose, so the library never does by itself.
void explain_lost_pages();
/// Where that line goes, once standard error goes elsewhere.
void explain_lost_pages_on(int descriptor) noexcept;

/// Which bytes are of which file, for that line.
void note_mapping(std::span<const std::byte> bytes, const std::string& path) noexcept;
void forget_mapping(std::span<const std::byte> bytes) noexcept;

}  // namespace pith
