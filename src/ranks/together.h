#pragma once

#include <new>
#include <optional>
#include <string>
#include <utility>

#include "pith/error.h"
#include "ranks/communicator.h"

namespace pith {

/// An error that all ranks throw at the same place: each can end in its own time.
class SharedError : public Error {
 public:
  using Error::Error;
};

/// Runs `body` on every rank. Where it fails on one, all fail, with the lowest such rank's error: nobody is
/// left waiting. The body must not call the others. Collective.
template <class Body>
auto together(Communicator& ranks, Body body) {
  std::string problem;
  std::optional<decltype(body())> result;
  const auto note = [&](ErrorKind kind, const char* what) {
    problem = std::to_string(static_cast<int>(kind)) + " " + what;
  };
  try {
    result.emplace(body());
  } catch (const Error& error) {
    note(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    note(ErrorKind::io, "out of memory; use more ranks, or machines with more memory");
  }
  const auto bytes = std::as_bytes(std::span(problem));
  for (const Packet& theirs : ranks.all_gather(bytes)) {
    if (theirs.empty()) continue;
    const std::string text(reinterpret_cast<const char*>(theirs.data()), theirs.size());
    const std::size_t space = text.find(' ');
    throw SharedError(static_cast<ErrorKind>(std::stoi(text.substr(0, space))), text.substr(space + 1));
  }
  return std::move(*result);
}

}  // namespace pith
