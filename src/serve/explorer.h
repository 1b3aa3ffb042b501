#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "serve/guard.h"
#include "serve/http.h"
#include "serve/workbench.h"

namespace pith::serve {

/// Answers requests: the page, and what it asks for. Needs no socket, and never throws.
///
///   GET  /                            the page
///   GET  /api/session                 what is looked at: options, strategies, names, notes
///   GET  /api/points                  every item of the map, packed (pack.h)
///   GET  /api/progress?place=a        how far the choice there is
///   GET  /api/export?place=a&format=csv&number=7
///   POST /api/select                  {place, options, forced, excluded}: the choice, packed
///   POST /api/certificate             {place, number}: the certificate of that choice
///   POST /api/item                    {place, item, number}: everything about one item
///   POST /api/command                 {place, number}: the command line that makes the same choice
///
/// 409 answers a choice or certificate that a newer one has overtaken, and a number that is not the one of
/// the choice in the place. Without a number, item, command and export are about whatever is there.
class Explorer {
 public:
  Explorer(Workbench& bench, Access access) : bench_(bench), access_(std::move(access)) {}

  /// The port, where it was found out after all.
  void set_port(int port) { access_.port = port; }
  /// What can be said before the body is read; nothing: go on.
  [[nodiscard]] std::optional<HttpResponse> refuse_early(const HttpRequest& request) const;
  [[nodiscard]] HttpResponse answer(const HttpRequest& request, RateLimit::Time now);

 private:
  [[nodiscard]] HttpResponse route(const HttpRequest& request);
  [[nodiscard]] HttpResponse points();

  Workbench& bench_;
  Access access_;
  std::mutex rate_mutex_;
  RateLimit rate_{400};
  std::once_flag points_made_;
  std::string points_;  ///< packed once: they never change
};

/// The page as it was built in.
[[nodiscard]] std::string_view explorer_page();

}  // namespace pith::serve
