#include "fuzz_target.h"
#include "pipeline/given_options.h"

/// Lines of "name=value", as the command line, a TOML file or Python would hand them on.
PITH_FUZZ_TARGET(options) {
  std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  pith::GivenTexts given;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t equals = std::min(line.find('='), line.size());
    given.insert_or_assign(std::string(line.substr(0, equals)),
                           std::string(line.substr(std::min(equals + 1, line.size()))));
  }
  const auto attempt = [](const auto& action) {
    try {
      action();
    } catch (const pith::Error&) {
    }
  };
  attempt([&] { (void)pith::settle_given_options(given, pith::read_given_options(given)); });
  attempt([&] { (void)pith::read_graph_options(given); });
  attempt([&] { (void)pith::read_threads(given); });
  attempt([&] { (void)pith::read_strategy_names(given["strategies"]); });
}
