#pragma once

#include <filesystem>
#include <system_error>

namespace pith::cli {

/// Where a program of this name would stand beside this one; empty where the system does not tell.
[[nodiscard]] inline std::filesystem::path program_beside(const char* name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : self.parent_path() / name;
}

}  // namespace pith::cli
