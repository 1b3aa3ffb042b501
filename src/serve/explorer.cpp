#include "serve/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <optional>

#include "data/json.h"
#include "pith/error.h"
#include "serve/describe_session.h"
#include "serve/explain.h"
#include "serve/hand_out.h"

namespace pith::serve {
namespace {

constexpr const char* packed = "application/octet-stream";
constexpr int most_depth = 4;

HttpResponse json_response(const Json& json) {
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::interrupted:
      return 409;
    case ErrorKind::io:
      return 500;
    case ErrorKind::infeasible:
      return 422;
    default:
      return 400;
  }
}

[[noreturn]] void refuse_field(const char* name, const char* wanted) {
  throw Error(ErrorKind::bad_input, fmt::format("{} is missing or no {}", name, wanted));
}

/// A request's body, taken apart with errors that name the field.
class Body {
 public:
  explicit Body(const HttpRequest& request) {
    json_ = parse_json(request.body, most_depth, "the request", "its body");
    if (!json_.is_object()) throw Error(ErrorKind::bad_input, "the body is no JSON object");
  }

  [[nodiscard]] std::size_t place() const {
    const auto found = json_.find("place");
    if (found == json_.end() || !found->is_string()) refuse_field("place", "text, a or b");
    return parse_place(found->get<std::string>());
  }
  [[nodiscard]] std::uint64_t number(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end() || !found->is_number_unsigned()) refuse_field(name, "whole number");
    return found->get<std::uint64_t>();
  }
  /// Nothing where the field is missing.
  [[nodiscard]] std::optional<std::uint64_t> number_if_given(const char* name) const {
    return json_.contains(name) ? std::optional(number(name)) : std::nullopt;
  }
  [[nodiscard]] GivenTexts texts(const char* name) const {
    GivenTexts out;
    const auto found = json_.find(name);
    if (found == json_.end() || !found->is_object()) refuse_field(name, "object of texts");
    for (const auto& [key, value] : found->items()) {
      if (!value.is_string()) refuse_field(name, "object of texts");
      out.emplace(key, value.get<std::string>());
    }
    return out;
  }
  /// Whole numbers, each once, ascending; none where the field is missing.
  [[nodiscard]] std::vector<Item> items(const char* name) const {
    std::vector<Item> out;
    const auto found = json_.find(name);
    if (found == json_.end()) return out;
    if (!found->is_array()) refuse_field(name, "list of items");
    out.reserve(found->size());
    for (const nlohmann::json& value : *found) {
      if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= UINT32_MAX)
        refuse_field(name, "list of items, whole numbers from 0 up");
      out.push_back(value.get<Item>());
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  static std::size_t parse_place(const std::string& text) {
    if (text != "a" && text != "b") refuse_field("place", "a or b");
    return text == "a" ? 0 : 1;
  }

 private:
  nlohmann::json json_;
};

std::string query_of(const HttpRequest& request, const char* name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? std::string() : found->second;
}

std::optional<std::uint64_t> number_if_given(const HttpRequest& request) {
  const std::string text = query_of(request, "number");
  if (text.empty()) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) refuse_field("number", "whole number");
  return number;
}

/// The choice in the place, which has to be the one of that number where one is given.
std::shared_ptr<const Choice> choice_at(const Workbench& bench, std::size_t place,
                                        std::optional<std::uint64_t> number) {
  auto choice = bench.current(place);
  if (choice == nullptr) throw Error(ErrorKind::bad_input, "nothing has been chosen here yet");
  if (number && choice->number() != *number)
    throw Error(ErrorKind::interrupted,
                fmt::format("another choice is in place {} by now ({}, not {}); choose again",
                            place == 0 ? "a" : "b", choice->number(), *number));
  return choice;
}

HttpResponse select_items(Workbench& bench, const HttpRequest& request) {
  const Body body(request);
  const auto choice = bench.choose(
      body.place(),
      {.given = body.texts("options"), .forced = body.items("forced"), .excluded = body.items("excluded")});
  return {.type = packed, .body = choice_pack(*choice)};
}

HttpResponse certify_choice(Workbench& bench, const HttpRequest& request) {
  const Body body(request);
  const auto choice = choice_at(bench, body.place(), body.number("number"));
  return json_response(certificate_json(bench.certify(body.place(), choice)));
}

HttpResponse show_item(Workbench& bench, const HttpRequest& request) {
  const Body body(request);
  const auto choice = choice_at(bench, body.place(), body.number_if_given("number"));
  const std::uint64_t item = body.number("item");
  if (item >= bench.session().folder.items())
    throw Error(ErrorKind::bad_input,
                fmt::format("there is no item {}; there are {}", item, bench.session().folder.items()));
  return json_response(explain_item(bench.session(), *choice, static_cast<Item>(item)));
}

HttpResponse show_command(Workbench& bench, const HttpRequest& request) {
  const Body body(request);
  const auto choice = choice_at(bench, body.place(), body.number_if_given("number"));
  const Reproduction reproduction = reproduce(bench.session(), *choice);
  Json files = Json::array();
  Json note;
  try {
    write_lists(reproduction);
    for (const auto& [path, contents] : reproduction.files) files.push_back(path);
  } catch (const Error& error) {
    note = fmt::format("The lists it names could not be written: {}", error.what());
  }
  return json_response(
      {{"words", reproduction.words}, {"line", reproduction.line}, {"files", files}, {"note", note}});
}

HttpResponse show_progress(const Workbench& bench, const HttpRequest& request) {
  const Progress progress = bench.progress(Body::parse_place(query_of(request, "place")));
  return json_response({{"running", progress.running},
                        {"stage", progress.stage},
                        {"done", progress.done},
                        {"total", progress.total}});
}

HttpResponse export_choice(const Workbench& bench, const HttpRequest& request) {
  const auto choice =
      choice_at(bench, Body::parse_place(query_of(request, "place")), number_if_given(request));
  Handout handout =
      hand_out(bench.session(), *choice, query_of(request, "format"), {.threads = 1, .progress = {}});
  std::string name = handout.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c < 0x20 || c == '"' || c == '\\' || c > 0x7e; }, '_');
  return {.type = handout.type,
          .body = std::move(handout.bytes),
          .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", name)}}};
}

}  // namespace

HttpResponse Explorer::points() {
  const Session& session = bench_.session();
  std::call_once(points_made_, [&] {
    points_ = points_pack(session, read_predictions(session.input.probabilities, UncertaintyKind::margin));
  });
  return {.type = packed, .body = points_};
}

HttpResponse Explorer::route(const HttpRequest& request) {
  const bool get = request.method == "GET";
  const std::string& path = request.path;
  if (get && path == "/") return {.type = "text/html; charset=utf-8", .body = std::string(explorer_page())};
  if (get && path == "/api/session") return json_response(session_json(bench_.session()));
  if (get && path == "/api/points") return points();
  if (get && path == "/api/progress") return show_progress(bench_, request);
  if (get && path == "/api/export") return export_choice(bench_, request);
  const bool post = request.method == "POST";
  if (post && path == "/api/select") return select_items(bench_, request);
  if (post && path == "/api/certificate") return certify_choice(bench_, request);
  if (post && path == "/api/item") return show_item(bench_, request);
  if (post && path == "/api/command") return show_command(bench_, request);
  return refusal(404, "there is nothing here");
}

std::optional<HttpResponse> Explorer::refuse_early(const HttpRequest& request) const {
  if (request.method != "GET" && request.method != "POST")
    return refusal(405, "only GET and POST are known here");
  if (request.path.size() > 64) return refusal(404, "there is nothing here");
  if (auto refused = refuse_stranger(request, access_)) return refused;
  if (request.method == "GET") return std::nullopt;
  // Bodies come whole and plain, and say how long they are: so nothing grows beyond the limit.
  if (!request.header("transfer-encoding").empty() || !request.header("content-encoding").empty())
    return refusal(415, "send the body as it is, with its length");
  const std::string length = request.header("content-length");
  if (length.empty() || length.size() > 9 || length.find_first_not_of("0123456789") != std::string::npos)
    return refusal(411, "say how long the body is");
  if (std::stoul(length) > most_body_bytes)
    return refusal(413, fmt::format("the body has {} bytes; at most {} are read", length, most_body_bytes));
  return std::nullopt;
}

HttpResponse Explorer::answer(const HttpRequest& request, RateLimit::Time now) {
  const auto guarded = [&]() -> HttpResponse {
    {
      const std::lock_guard lock(rate_mutex_);
      if (!rate_.admits(now)) return refusal(429, "too many requests; wait a moment");
    }
    if (auto refused = refuse_stranger(request, access_)) return *refused;
    try {
      return route(request);
    } catch (const Error& error) {
      return refusal(status_of(error.kind()), error.what());
    } catch (const std::bad_alloc&) {
      return refusal(500, "out of memory");
    } catch (const std::exception& error) {
      return refusal(500, fmt::format("internal error, please report it: {}", error.what()));
    }
  };
  HttpResponse response = guarded();
  response.headers["Cache-Control"] = "no-store";
  response.headers["X-Content-Type-Options"] = "nosniff";
  response.headers["Referrer-Policy"] = "no-referrer";
  response.headers["Cross-Origin-Resource-Policy"] = "same-origin";
  if (response.type.starts_with("text/html"))
    response.headers["Content-Security-Policy"] =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
        "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
  return response;
}

}  // namespace pith::serve
