#include <stdexcept>

#include "report/report.h"

// web/dist/report.html or a fresh build of it: see src/report/CMakeLists.txt.
asm(".section .rodata\n"
    ".global pith_page_begin\n"
    ".global pith_page_end\n"
    "pith_page_begin:\n"
    ".incbin \"" PITH_PAGE
    "\"\n"
    "pith_page_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" {
extern const char pith_page_begin[];
extern const char pith_page_end[];
}

namespace pith {

std::string fill_page(std::string_view json) {
  constexpr std::string_view mark = "\"pith-data-goes-here\"";
  const std::string_view page(pith_page_begin, static_cast<std::size_t>(pith_page_end - pith_page_begin));
  const std::size_t at = page.find(mark);
  if (at == std::string_view::npos) throw std::logic_error("the built-in page has no place for data");
  std::string out;
  out.reserve(page.size() + json.size() + json.size() / 64);
  out.append(page.substr(0, at));
  // Within a script element a "<" could end it or begin a comment.
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  out.append(page.substr(at + mark.size()));
  return out;
}

}  // namespace pith
