#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "support/cli_case.h"
#include "support/unpack.h"

namespace pith::testing {
namespace {

using ::testing::HasSubstr;

/// Sends bytes to a port of this machine and reads all that comes back.
std::string talk(int port, const std::string& bytes) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  const timeval patience{.tv_sec = 60, .tv_usec = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t sent = ::send(fd, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) break;
      at += static_cast<std::size_t>(sent);
    }
    char buffer[65536];
    for (ssize_t got = 0; (got = ::recv(fd, buffer, sizeof buffer, 0)) > 0;)
      answer.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(fd);
  return answer;
}

struct Reply {
  int status = 0;
  std::string body;
};

Reply parse_reply(const std::string& text) {
  Reply reply;
  if (text.size() > 12) reply.status = std::atoi(text.c_str() + 9);
  const std::size_t end = text.find("\r\n\r\n");
  if (end != std::string::npos) reply.body = text.substr(end + 4);
  return reply;
}

class ServerCase : public CliCase {
 protected:
  void SetUp() override {
    use(make_data(300, 6, 5, 3));
    run_ = selected({"--budget", "40"});
  }
  void start(const Arguments& more = {}) { start_on("out", more); }
  void start_on(const std::string& folder, const Arguments& more = {}) {
    process_.reset();
    std::filesystem::remove(path("printed"));
    process_ = std::make_unique<Process>(
        Arguments{"serve", path(folder), "--port", "0", "--map", "pca", "--quiet"} + more, ".",
        path("printed"));
    while (file_contents(path("printed")).find('\n') == std::string::npos) {
      ASSERT_FALSE(process_->has_ended()) << process_->wait(1)->err;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    address_ = file_contents(path("printed"));
    port_ = std::atoi(address_.c_str() + address_.rfind(':') + 1);
  }
  [[nodiscard]] Reply ask(const std::string& method, const std::string& where, const std::string& body = "",
                          const std::string& headers = "") const {
    return parse_reply(
        talk(port_, fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\n{}\r\n{}",
                                method, where, port_, body.size(), headers, body)));
  }
  [[nodiscard]] int threads() const {
    const std::string status = file_contents(fmt::format("/proc/{}/status", process_->pid()));
    return std::atoi(status.c_str() + status.find("Threads:") + 8);
  }
  void expect_alive() const { EXPECT_EQ(ask("GET", "/api/session").status, 200); }

  Results run_;
  std::unique_ptr<Process> process_;
  std::string address_;
  int port_ = 0;
};

TEST_F(ServerCase, chooses_over_http_as_the_printed_command_does) {
  start();
  EXPECT_THAT(address_, HasSubstr("http://127.0.0.1:"));
  EXPECT_EQ(ask("GET", "/").status, 200);
  for (const char* options : {R"({"budget":"40"})", R"({"budget":"25","gamma":"0.3","tau":"0.2"})",
                              R"({"budget":"33","strategy":"margin","balance":"class"})"}) {
    const Reply reply =
        ask("POST", "/api/select",
            fmt::format(R"({{"place":"a","options":{},"excluded":[1,2,3],"forced":[4]}})", options));
    ASSERT_EQ(reply.status, 200) << reply.body;
    Arguments words = Json::parse(ask("POST", "/api/command", R"({"place":"a"})").body).at("words");
    words.erase(words.begin());
    words.back() = path(fmt::format("again-{}", std::hash<std::string>{}(options)));
    const Outcome outcome = run_pith(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Unpacked(reply.body).whole("picks.index"),
              int64_npy(file_contents(words.back() + "/indices.npy")));
  }
}

TEST_F(ServerCase, outlives_malformed_requests) {
  start();
  std::mt19937 rng(4);
  std::vector<std::string> odd = {
      "",
      "\r\n\r\n",
      "GET",
      "GET /\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      std::string(100'000, 'x'),
      "GET / HTTP/1.1\r\n" + std::string(20'000, 'h') + ": x\r\n\r\n",
      "POST /api/select HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
      "POST /api/select HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n{}",
      "GET /" + std::string(7000, 'a') + " HTTP/1.1\r\n\r\n",
      "BREW / HTTP/1.1\r\n\r\n",
      "GET /%00%ff%zz?%=%&&== HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"};
  for (int at = 0; at < 60; ++at) {
    std::string bytes = fmt::format(
        "POST /api/item?place=a HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: "
        "22\r\n\r\n{{\"place\":\"a\",\"item\":3}}",
        port_);
    for (int change = 0; change < 4; ++change) bytes[rng() % bytes.size()] = static_cast<char>(rng());
    odd.push_back(bytes);
  }
  // Beside each other: some of them make the server wait for more, until it has had enough.
  std::vector<std::thread> senders;
  for (const std::string& bytes : odd) senders.emplace_back([&] { (void)talk(port_, bytes); });
  for (std::thread& sender : senders) sender.join();
  expect_alive();
  EXPECT_EQ(ask("POST", "/api/select", "{").status, 400);
  EXPECT_EQ(ask("DELETE", "/").status, 405);
}

TEST_F(ServerCase, turns_strangers_away_before_reading_what_they_send) {
  start();
  const auto sent = [&](const std::string& text) { return parse_reply(talk(port_, text)).status; };
  const std::string port = std::to_string(port_);
  EXPECT_EQ(sent("GET /api/session HTTP/1.1\r\nHost: evil.example:" + port + "\r\n\r\n"), 403);
  EXPECT_EQ(sent("GET /api/session HTTP/1.1\r\n\r\n"), 403);
  EXPECT_EQ(sent("GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:" + port +
                 "\r\nOrigin: http://evil.example\r\n\r\n"),
            403);
  EXPECT_EQ(sent("GET /api/session HTTP/1.1\r\nHost: localhost:" + port +
                 "\r\nOrigin: http://localhost:" + port + "\r\n\r\n"),
            200);
  // None of these bodies ever comes: the answer does.
  const std::string post = "POST /api/select HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n";
  EXPECT_EQ(sent(post + "Content-Length: 17000000\r\n\r\n"), 413);
  EXPECT_EQ(sent(post + "Transfer-Encoding: chunked\r\n\r\n"), 415);
  EXPECT_EQ(sent(post + "Content-Length: 5\r\nContent-Encoding: gzip\r\n\r\n"), 415);
  EXPECT_EQ(sent(post + "\r\n"), 411);
  // A request behind a refused one is not looked at.
  const std::string both = talk(port_,
                                "POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 70\r\n\r\nGET "
                                "/api/session HTTP/1.1\r\nHost: 127.0.0.1:" +
                                    port + "\r\n\r\n");
  EXPECT_EQ(both.find("200 OK"), std::string::npos);
  expect_alive();
}

TEST_F(ServerCase, answers_many_at_once_without_growing) {
  start();
  ASSERT_EQ(ask("POST", "/api/select", R"({"place":"a","options":{"budget":"40"}})").status, 200);
  const int before = threads();
  std::atomic<int> good{0};
  std::atomic<int> overtaken{0};
  std::atomic<int> others{0};
  std::vector<std::thread> clients;
  for (int client = 0; client < 200; ++client)
    clients.emplace_back([&, client] {
      const Reply reply = client % 3 == 0 ? ask("POST", "/api/select",
                                                fmt::format(R"({{"place":"{}","options":{{"budget":"{}"}}}})",
                                                            client % 2 == 0 ? "a" : "b", 20 + client))
                          : client % 3 == 1
                              ? ask("GET", "/api/session")
                              : ask("POST", "/api/item", fmt::format(R"({{"place":"a","item":{}}})", client));
      (reply.status == 200 ? good : reply.status == 409 ? overtaken : others)++;
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(others, 0);
  EXPECT_EQ(good + overtaken, 200);
  EXPECT_GE(good, 2 * 200 / 3);
  // The last question is answered all the same, and right.
  const Reply reply = ask("POST", "/api/select", R"({"place":"a","options":{"budget":"40"}})");
  EXPECT_EQ(Unpacked(reply.body).whole("picks.index"), run_.indices);
  EXPECT_LE(threads(), before + 2);
}

TEST_F(ServerCase, ends_at_once_and_well_on_ctrl_c) {
  use(make_data(4000, 8, 6, 5));
  run_ = selected({"--budget", "40"}, "large");
  start_on("large");
  // As a page does first. The HTTP library makes its table of methods with the first question, which
  // ThreadSanitizer, for whom that library was not built, would not see happen before the second one beside
  // it.
  EXPECT_EQ(ask("GET", "/api/session").status, 200);
  // Even while it works and a client waits: this takes minutes.
  std::thread waiting([&] {
    (void)ask("POST", "/api/select",
              R"({"place":"a","options":{"budget":"2000","strategy":"facility-location","facility":"dense",)"
              R"("optimizer":"naive"}})");
  });
  while (!Json::parse(ask("GET", "/api/progress?place=a").body).at("running").get<bool>())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process_->send(SIGINT);
  const auto outcome = process_->wait(30);
  waiting.join();
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->code, 0) << outcome->err;
  EXPECT_EQ(outcome->err, "");
  expect_no_leftovers();
}

/// The address is printed a moment before anybody listens there.
TEST_F(ServerCase, ends_on_ctrl_c_however_early_it_comes) {
  for (int time = 0; time < 20; ++time) {
    std::filesystem::remove(path("early"));
    Process process(Arguments{"serve", path("out"), "--port", "0", "--map", "pca", "--quiet"}, ".",
                    path("early"));
    while (file_contents(path("early")).find('\n') == std::string::npos) ASSERT_FALSE(process.has_ended());
    process.send(SIGINT);
    const auto outcome = process.wait(30);
    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(outcome->code, 0) << outcome->err;
  }
}

TEST_F(ServerCase, asks_for_a_token_beyond_loopback) {
  start({"--host", "0.0.0.0"});
  const std::size_t mark = address_.find("#token=");
  ASSERT_NE(mark, std::string::npos) << address_;
  const std::string port = address_.substr(address_.rfind(':') + 1);
  const std::string token = address_.substr(mark + 7, 32);
  EXPECT_EQ(ask("GET", "/api/session").status, 401);
  EXPECT_EQ(ask("GET", "/api/session", "", "X-Pith-Token: 00000000000000000000000000000000\r\n").status, 401);
  EXPECT_EQ(ask("GET", "/api/session", "", "X-Pith-Token: " + token + "\r\n").status, 200);
}

TEST_F(ServerCase, says_what_is_wrong) {
  const auto refused = [&](const Arguments& words, int code, const std::string& part) {
    const Outcome outcome = run_pith(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  refused({"serve"}, 2, "pith serve DIR");
  refused({"serve", path("nowhere")}, 4, "no such folder");
  refused({"serve", path("out"), "--port", "70000"}, 2, "--port: 70000 given");
  refused({"serve", path("out"), "--map", "globe"}, 2, "choose one of umap, pca");
  refused({"serve", path("out"), "--host", "203.0.113.77", "--port", "7070"}, 4,
          "cannot listen on 203.0.113.77");
  start();
  refused({"serve", path("out"), "--port", std::to_string(port_)}, 4, "taken");
  std::filesystem::rename(path("p.npy"), path("elsewhere.npy"));
  refused({"serve", path("out")}, 3, "--probs FILE");
  EXPECT_EQ(run_pith({"serve", "--help"}).code, 0);
}

}  // namespace
}  // namespace pith::testing
