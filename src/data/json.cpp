#include "data/json.h"

#include <set>
#include <vector>

#include "data/refuse.h"

namespace pith {

nlohmann::json parse_json(std::string_view text, int most_depth, const std::string& source,
                          std::string_view where) {
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> open_objects;
  const auto watch = [&](int depth, Event event, nlohmann::json& parsed) {
    if (depth > most_depth)
      refuse_input(source, "{} nests deeper than {} levels; the file is damaged, save it again", where,
                   most_depth);
    if (event == Event::object_start) open_objects.emplace_back();
    if (event == Event::object_end) open_objects.pop_back();
    if (event == Event::key && !open_objects.back().insert(parsed.get<std::string>()).second)
      refuse_input(source, "{} has the key {} twice; save the file again", where,
                   in_quotes(parsed.get<std::string>()));
    return true;
  };
  try {
    return nlohmann::json::parse(text, watch);
  } catch (const nlohmann::json::parse_error& error) {
    refuse_input(source, "{} is not valid JSON (byte {}); save the file again", where, error.byte);
  } catch (const nlohmann::json::exception&) {
    refuse_input(source, "{} holds a number that is out of range; save the file again", where);
  }
}

}  // namespace pith
