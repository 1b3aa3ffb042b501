#include "serve/server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/random.h>

#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include "data/text.h"
#include "pith/error.h"

namespace pith::serve {
namespace {

/// Answers a browser waits for at the same time are few; who holds a connection open without a word is sent
/// away after some seconds.
constexpr std::size_t threads_for_requests = 16;
constexpr int most_waiting = 512;

std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(ErrorKind::io, "no random numbers for the token");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

HttpRequest request_of(const httplib::Request& from) {
  HttpRequest request{.method = from.method, .path = from.path, .body = from.body};
  for (const auto& [name, value] : from.params) request.query.emplace(name, value);
  for (const auto& [name, value] : from.headers) request.headers.emplace(lower_case(name), value);
  return request;
}

void fill(httplib::Response& to, const HttpResponse& response) {
  to.status = response.status;
  for (const auto& [name, value] : response.headers) to.set_header(name, value);
  to.set_content(response.body, response.type);
}

}  // namespace

struct Server::Socket {
  Socket(Workbench& its_bench, Access its_access)
      : bench(its_bench), access(std::move(its_access)), explorer(its_bench, access) {}

  Workbench& bench;
  Access access;
  Explorer explorer;
  httplib::Server http;
};

Server::Server(Workbench& bench, const ServerOptions& options) {
  Access access{.host = options.host, .port = options.port};
  if (!is_loopback(options.host)) access.token = make_token();
  // The port is known only once it is taken, and the explorer has to know it.
  socket_ = std::make_unique<Socket>(bench, access);
  httplib::Server& http = socket_->http;
  socket_t listening = INVALID_SOCKET;
  http.set_socket_options([&listening](socket_t socket) {
    listening = socket;
    // Not SO_REUSEPORT, which would let a second explorer share the port.
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  bool bound = options.port != 0 && http.bind_to_port(options.host, options.port);
  if (!bound && (options.port == 0 || options.any_port)) {
    const int port = http.bind_to_any_port(options.host);
    bound = port > 0;
    socket_->access.port = port;
  }
  if (!bound)
    throw Error(ErrorKind::io,
                fmt::format("cannot listen on {} port {}: taken, or not an address of this machine; choose "
                            "another --port, or 0 for a free one",
                            options.host, options.port));
  // The library lets five wait to be let in, and the system forgets some of those beyond without a word.
  ::listen(listening, most_waiting);
  http.set_socket_options([](socket_t) {});
  socket_->explorer.set_port(socket_->access.port);

  http.new_task_queue = [] { return new httplib::ThreadPool(threads_for_requests); };
  http.set_payload_max_length(most_body_bytes);
  // One request a connection: what a stranger sends behind a refused one is never looked at.
  http.set_keep_alive_max_count(1);
  http.set_read_timeout(5);
  http.set_write_timeout(30);
  http.set_tcp_nodelay(true);
  Explorer& explorer = socket_->explorer;
  const auto answer = [&explorer](const httplib::Request& from, httplib::Response& to) {
    fill(to, explorer.answer(request_of(from), std::chrono::steady_clock::now()));
  };
  http.set_pre_routing_handler([&explorer, answer](const httplib::Request& from, httplib::Response& to) {
    if (auto refused = explorer.refuse_early(request_of(from))) {
      fill(to, *refused);
      return httplib::Server::HandlerResponse::Handled;
    }
    if (from.method != "GET") return httplib::Server::HandlerResponse::Unhandled;
    answer(from, to);
    return httplib::Server::HandlerResponse::Handled;
  });
  http.Post(".*", answer);
}

Server::~Server() = default;

int Server::port() const noexcept {
  return socket_->access.port;
}

std::string Server::address() const {
  const Access& access = socket_->access;
  const bool everywhere = access.host == "0.0.0.0" || access.host == "::";
  const std::string host = everywhere                                   ? "127.0.0.1"
                           : access.host.find(':') != std::string::npos ? fmt::format("[{}]", access.host)
                                                                        : access.host;
  // Behind the #, so that no browser sends it along or keeps it in a log.
  return fmt::format("http://{}:{}/{}", host, access.port,
                     access.token.empty() ? "" : fmt::format("#token={}", access.token));
}

namespace {

/// While it lives, this thread and those it starts leave Ctrl-C to the others: waiting for a connection, they
/// would notice it only once one comes (under ThreadSanitizer, which holds handlers back).
class OthersTakeSignals {
 public:
  OthersTakeSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~OthersTakeSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  OthersTakeSignals(const OthersTakeSignals&) = delete;
  OthersTakeSignals& operator=(const OthersTakeSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

void Server::run(const std::atomic<bool>& stopped) {
  std::atomic<bool> ended{false};
  std::thread watch([&] {
    while (!stopped && !ended) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    socket_->bench.stop();
    // What does not listen yet takes no notice of being stopped, and would listen for ever.
    while (!socket_->http.is_running() && !ended) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    socket_->http.stop();
  });
  const OthersTakeSignals here_and_in_threads_started_here;
  socket_->http.listen_after_bind();
  ended = true;
  watch.join();
}

}  // namespace pith::serve
