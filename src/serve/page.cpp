#include "serve/explorer.h"

// web/dist/explorer.html or a fresh build of it: see src/report/CMakeLists.txt.
asm(".section .rodata\n"
    ".global pith_explorer_begin\n"
    ".global pith_explorer_end\n"
    "pith_explorer_begin:\n"
    ".incbin \"" PITH_EXPLORER_PAGE
    "\"\n"
    "pith_explorer_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" {
extern const char pith_explorer_begin[];
extern const char pith_explorer_end[];
}

namespace pith::serve {

std::string_view explorer_page() {
  return {pith_explorer_begin, static_cast<std::size_t>(pith_explorer_end - pith_explorer_begin)};
}

}  // namespace pith::serve
