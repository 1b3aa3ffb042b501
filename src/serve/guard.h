#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "serve/http.h"

namespace pith::serve {

/// Largest body of a request: a list of some two million items.
inline constexpr std::size_t most_body_bytes = std::size_t{16} << 20;

/// As whom the server is to be addressed, and by whom.
struct Access {
  std::string host = "127.0.0.1";  ///< as given by the user
  int port = 0;
  std::string token = {};  ///< empty: none is asked for, on loopback
};

/// Whether this is an address of the machine itself.
[[nodiscard]] bool is_loopback(const std::string& host);

/// Turns away who should not be here: other names for this machine (DNS rebinding), pages of other origins,
/// a missing token, bodies beyond most_body_bytes. Nothing: welcome.
[[nodiscard]] std::optional<HttpResponse> refuse_stranger(const HttpRequest& request, const Access& access);

/// So many requests a second in the long run, and a burst of twice as many.
class RateLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;
  explicit RateLimit(double a_second) : a_second_(a_second), left_(2 * a_second) {}
  /// Whether one more may pass.
  [[nodiscard]] bool admits(Time now);

 private:
  double a_second_;
  double left_;
  std::optional<Time> last_;
};

}  // namespace pith::serve
