#include "serve/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/text.h"

namespace pith::serve {
namespace {

/// "[::1]:80" is "::1" and "80"; without a port, the port is empty.
std::pair<std::string, std::string> split_authority(const std::string& text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string::npos) return {text, ""};
    const bool has_port = end + 1 < text.size() && text[end + 1] == ':';
    return {text.substr(1, end - 1), has_port ? text.substr(end + 2) : ""};
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

/// An address in numbers: nobody's name server can point it elsewhere.
bool is_numeric(const std::string& host) {
  return !host.empty() &&
         (host.find(':') != std::string::npos || host.find_first_not_of("0123456789.") == std::string::npos);
}

bool is_us(const std::string& authority, const Access& access) {
  const auto [host, port] = split_authority(lower_case(authority));
  if (port != (access.port == 80 && port.empty() ? "" : std::to_string(access.port))) return false;
  if (is_loopback(host)) return true;
  return !is_loopback(access.host) && (host == lower_case(access.host) || is_numeric(host));
}

/// Takes the same time wherever the first difference lies.
bool same_secret(const std::string& given, const std::string& wanted) {
  unsigned difference = given.size() == wanted.size() ? 0 : 1;
  for (std::size_t at = 0; at < given.size(); ++at)
    difference |= static_cast<unsigned char>(given[at]) ^
                  static_cast<unsigned char>(wanted[wanted.empty() ? 0 : at % wanted.size()]);
  return difference == 0;
}

}  // namespace

HttpResponse refusal(int status, const std::string& message) {
  const nlohmann::json json = {{"error", message}};
  return {.status = status, .body = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

bool is_loopback(const std::string& host) {
  const std::string name = lower_case(host);
  return name == "localhost" || name == "::1" ||
         (name.starts_with("127.") && name.find_first_not_of("0123456789.") == std::string::npos);
}

std::optional<HttpResponse> refuse_stranger(const HttpRequest& request, const Access& access) {
  if (!is_us(request.header("host"), access))
    return refusal(403, "the Host header names another machine; open the address that pith serve printed");
  const std::string origin = request.header("origin");
  if (!origin.empty() && origin != "http://" + request.header("host"))
    return refusal(403, "another page asked; open the address that pith serve printed");
  const std::string site = request.header("sec-fetch-site");
  if (request.path != "/" && !site.empty() && site != "same-origin" && site != "none")
    return refusal(403, "another page asked; open the address that pith serve printed");
  if (request.body.size() > most_body_bytes)
    return refusal(413, fmt::format("the request has {} bytes; at most {} are read", request.body.size(),
                                    most_body_bytes));
  // The page itself knows nothing of the run.
  if (!access.token.empty() && request.path != "/" &&
      !same_secret(request.header("x-pith-token"), access.token))
    return refusal(401, "the token is missing or wrong; open the whole address that pith serve printed");
  return std::nullopt;
}

bool RateLimit::admits(Time now) {
  if (last_) {
    const double passed = std::max(0.0, std::chrono::duration<double>(now - *last_).count());
    left_ = std::min(2 * a_second_, left_ + passed * a_second_);
  }
  last_ = now;
  if (left_ < 1) return false;
  left_ -= 1;
  return true;
}

}  // namespace pith::serve
