#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "serve/explorer.h"

namespace pith::serve {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 7070;
  bool any_port = true;  ///< where the port is taken, another one
};

/// The explorer on a socket. Everything but that is in Explorer.
class Server {
 public:
  /// Takes the port. Asks for a token where others could reach it. Throws Error{io}.
  Server(Workbench& bench, const ServerOptions& options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] int port() const noexcept;
  /// What to open in a browser, with the token where there is one.
  [[nodiscard]] std::string address() const;
  /// Answers until `stopped` is true; then cancels what runs.
  void run(const std::atomic<bool>& stopped);

 private:
  struct Socket;
  std::unique_ptr<Socket> socket_;
};

}  // namespace pith::serve
