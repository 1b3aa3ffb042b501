#include "fuzz_target.h"
#include "serve/explorer.h"
#include "tiny_session.h"

namespace pith::fuzz {

/// "POST /api/item?x=1", lines of "header: value", an empty line, the body: whatever is missing stays empty.
inline serve::HttpRequest parse_request(std::string_view text) {
  serve::HttpRequest request;
  const auto take_line = [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  const std::string first = take_line();
  const std::size_t space = std::min(first.find(' '), first.size());
  request.method = first.substr(0, space);
  std::string target = first.substr(std::min(space + 1, first.size()));
  if (const std::size_t mark = target.find('?'); mark != std::string::npos) {
    const std::string query = target.substr(mark + 1);
    target.resize(mark);
    for (std::size_t begin = 0; begin <= query.size();) {
      const std::size_t end = std::min(query.find('&', begin), query.size());
      const std::string part = query.substr(begin, end - begin);
      const std::size_t equals = std::min(part.find('='), part.size());
      request.query.emplace(part.substr(0, equals), part.substr(std::min(equals + 1, part.size())));
      begin = end + 1;
    }
  }
  request.path = target;
  request.headers["host"] = "127.0.0.1:7070";
  for (std::string line = take_line(); !line.empty(); line = take_line()) {
    const std::size_t colon = std::min(line.find(": "), line.size());
    request.headers[line.substr(0, colon)] = line.substr(std::min(colon + 2, line.size()));
  }
  request.body = std::string(text);
  return request;
}

}  // namespace pith::fuzz

PITH_FUZZ_TARGET(serve_request) {
  static pith::serve::Workbench bench(pith::fuzz::tiny_session(), 1);
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  const pith::serve::HttpRequest request = pith::fuzz::parse_request(text);
  pith::serve::Explorer explorer(bench, {.host = "127.0.0.1", .port = 7070});
  (void)explorer.refuse_early(request);
  const pith::serve::HttpResponse response = explorer.answer(request, {});
  // Whatever was asked, the answer is one of those the page knows, and never an internal error. (A refusal
  // may repeat words of the request, these two among them.)
  const bool internal =
      response.status == 500 && response.body.find("internal error, please report it") != std::string::npos;
  if (response.status < 200 || response.status > 599 || internal) __builtin_trap();
}
