#pragma once

#include <map>
#include <string>

namespace pith::serve {

/// A request as the handlers see it, whatever brought it here. Names of headers are in lower case.
struct HttpRequest {
  std::string method = "GET";
  std::string path = "/";
  std::map<std::string, std::string> query = {};
  std::map<std::string, std::string> headers = {};
  std::string body = {};

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::map<std::string, std::string> headers = {};
};

/// {"error": message}, with this status.
[[nodiscard]] HttpResponse refusal(int status, const std::string& message);

}  // namespace pith::serve
