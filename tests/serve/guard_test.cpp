#include "serve/guard.h"

#include <gtest/gtest.h>

namespace pith::serve {
namespace {

HttpRequest request_to(const std::string& host, const std::string& path = "/api/session") {
  return {.method = "GET", .path = path, .headers = {{"host", host}}};
}

int status_of(const HttpRequest& request, const Access& access) {
  const auto refused = refuse_stranger(request, access);
  return refused ? refused->status : 200;
}

TEST(Guard, knows_loopback_by_its_names) {
  for (const char* host : {"127.0.0.1", "127.1.2.3", "localhost", "LocalHost", "::1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host :
       {"", "0.0.0.0", "::", "10.0.0.1", "127.evil.example", "localhost.evil.example", "example"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

TEST(Guard, answers_to_its_own_names_alone) {
  const Access access{.host = "127.0.0.1", .port = 7070};
  for (const char* host : {"127.0.0.1:7070", "localhost:7070", "[::1]:7070", "LOCALHOST:7070"})
    EXPECT_EQ(status_of(request_to(host), access), 200) << host;
  for (const char* host :
       {"", "127.0.0.1", "127.0.0.1:7071", "evil.example:7070", "localhost.evil.example:7070",
        "127.0.0.1.evil.example:7070", "10.0.0.1:7070", "[::1", "evil.example", ":7070"})
    EXPECT_EQ(status_of(request_to(host), access), 403) << host;
}

TEST(Guard, refuses_pages_of_other_origins) {
  const Access access{.host = "127.0.0.1", .port = 7070};
  HttpRequest request = request_to("127.0.0.1:7070");
  request.headers["origin"] = "http://127.0.0.1:7070";
  EXPECT_EQ(status_of(request, access), 200);
  for (const char* origin :
       {"http://evil.example", "null", "https://127.0.0.1:7070", "http://127.0.0.1:80"}) {
    request.headers["origin"] = origin;
    EXPECT_EQ(status_of(request, access), 403) << origin;
  }
  request = request_to("127.0.0.1:7070");
  request.headers["sec-fetch-site"] = "cross-site";
  EXPECT_EQ(status_of(request, access), 403);
  request.headers["sec-fetch-site"] = "same-origin";
  EXPECT_EQ(status_of(request, access), 200);
}

TEST(Guard, asks_others_than_loopback_for_the_token) {
  const Access access{.host = "0.0.0.0", .port = 7070, .token = "secret"};
  HttpRequest request = request_to("192.168.0.7:7070");
  EXPECT_EQ(status_of(request, access), 401);
  for (const char* wrong : {"secre", "secrets", "Secret", "secretsecret"}) {
    request.headers["x-pith-token"] = wrong;
    EXPECT_EQ(status_of(request, access), 401) << wrong;
  }
  request.headers["x-pith-token"] = "secret";
  EXPECT_EQ(status_of(request, access), 200);
  // The page alone knows nothing; a name that is no address could have been bent by a name server.
  EXPECT_EQ(status_of(request_to("192.168.0.7:7070", "/"), access), 200);
  EXPECT_EQ(status_of(request_to("evil.example:7070", "/"), access), 403);
}

TEST(Guard, refuses_large_bodies) {
  HttpRequest request = request_to("127.0.0.1:7070");
  request.body.resize(most_body_bytes);
  EXPECT_EQ(status_of(request, {.port = 7070}), 200);
  request.body += 'x';
  EXPECT_EQ(status_of(request, {.port = 7070}), 413);
}

TEST(Guard, admits_a_rate_and_a_burst_of_twice_as_many) {
  RateLimit limit(10);
  RateLimit::Time now{};
  int admitted = 0;
  for (int at = 0; at < 100; ++at) admitted += limit.admits(now) ? 1 : 0;
  EXPECT_EQ(admitted, 20);
  now += std::chrono::milliseconds(500);
  admitted = 0;
  for (int at = 0; at < 100; ++at) admitted += limit.admits(now) ? 1 : 0;
  EXPECT_EQ(admitted, 5);
  now += std::chrono::hours(1);
  admitted = 0;
  for (int at = 0; at < 100; ++at) admitted += limit.admits(now) ? 1 : 0;
  EXPECT_EQ(admitted, 20);
}

}  // namespace
}  // namespace pith::serve
