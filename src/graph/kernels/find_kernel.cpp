#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "graph/kernels/amx_kernel.h"
#include "graph/kernels/group_kernel.h"
#include "graph/kernels/products_kernel.h"
#include "graph/kernels/tile_kernel.h"
#include "pith/error.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace pith {
namespace {

struct Entry {
  std::string_view name;
  bool (*runs_here)();
  const TileKernel& (*kernel)();
};

#if defined(__x86_64__)

bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}
bool has_avx512bf16() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned bf16_bit = 1U << 5;
  return has_avx512() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & bf16_bit) != 0;
}

#endif

constexpr Entry entries[] = {
#if defined(__x86_64__)
    {"amx", amx_permitted, amx_kernel},         {"avx512bf16", has_avx512bf16, avx512bf16_kernel},
    {"avx512", has_avx512, avx512_kernel},      {"avx2", has_avx2, avx2_kernel},
#endif
    {"blas", [] { return true; }, blas_kernel},
};

/// Those that run here, fastest first: on Intel's processors avx512 before avx512bf16, by what one of them
/// was measured to do (docs/adr/0003-tile-kernels.md).
std::vector<const Entry*> entries_here() {
  std::vector<const Entry*> here;
  for (const Entry& entry : entries)
    if (entry.runs_here()) here.push_back(&entry);
#if defined(__x86_64__)
  const auto is_bf16 = [](const Entry* entry) { return entry->name == "avx512bf16"; };
  const auto bf16 = std::find_if(here.begin(), here.end(), is_bf16);
  if (__builtin_cpu_is("intel") != 0 && bf16 != here.end()) std::iter_swap(bf16, std::next(bf16));
#endif
  return here;
}

}  // namespace

bool has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") != 0;
#else
  return false;
#endif
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const Entry* entry : entries_here()) names.emplace_back(entry->name);
  return names;
}

const TileKernel& find_kernel(std::string_view name) {
  if (name == "amx-unchecked") return amx_kernel();
  const char* const wish = std::getenv("PITH_KERNEL");
  if (name.empty() && wish != nullptr) name = wish;
  if (name == "amx-emulated") return emulated_amx_kernel();
  for (const Entry* entry : entries_here())
    if (name.empty() || entry->name == name) return entry->kernel();
  throw Error(ErrorKind::bad_option, fmt::format("PITH_KERNEL: no kernel '{}' on this machine; it has {}",
                                                 name, fmt::join(kernel_names(), ", ")));
}

}  // namespace pith
