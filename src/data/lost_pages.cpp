#include "data/lost_pages.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace pith {
namespace {

constexpr int io_exit_code = 4;

/// A signal handler may read this at any moment: nothing is allocated, and `begin` is set last.
struct Mapping {
  std::atomic<std::uintptr_t> begin = 0;  ///< 0: free; 1: being filled
  std::atomic<std::uintptr_t> end = 0;
  std::array<char, 256> path{};
};

/// Files beyond these go without a name.
std::array<Mapping, 1024> mappings;

std::atomic<int> voice = STDERR_FILENO;

void print(const char* text) noexcept {
  const ssize_t ignored = ::write(voice, text, std::strlen(text));
  static_cast<void>(ignored);
}

extern "C" void on_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const Mapping& mapping : mappings) {
    if (mapping.begin.load() <= 1 || address < mapping.begin.load() || address >= mapping.end.load())
      continue;
    print("pith: ");
    print(mapping.path.data());
    print(
        ": was cut short or became unreadable while it was being read; start again when the file is whole\n");
    ::_exit(io_exit_code);
  }
  // Not one of ours: as if nobody had asked.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void explain_lost_pages() {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGBUS, &action, nullptr);
}

void explain_lost_pages_on(int descriptor) noexcept {
  voice = descriptor;
}

void note_mapping(std::span<const std::byte> bytes, const std::string& path) noexcept {
  for (Mapping& mapping : mappings) {
    std::uintptr_t free = 0;
    if (!mapping.begin.compare_exchange_strong(free, 1)) continue;
    const std::size_t length = std::min(path.size(), mapping.path.size() - 1);
    std::copy_n(path.begin(), length, mapping.path.begin());
    mapping.path[length] = '\0';
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    mapping.end = (begin + bytes.size() + page - 1) / page * page;
    mapping.begin = begin;
    return;
  }
}

void forget_mapping(std::span<const std::byte> bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  for (Mapping& mapping : mappings)
    if (std::uintptr_t here = begin; mapping.begin.compare_exchange_strong(here, 0)) return;
}

}  // namespace pith
