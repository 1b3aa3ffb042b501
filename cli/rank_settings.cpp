#include "rank_settings.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "pipeline/option_values.h"
#include "pith/error.h"

namespace pith::cli {
namespace {

constexpr double usual_seconds = 120;

}  // namespace

std::vector<Setting> rank_settings() {
  return {{"distributed", "exact|bounding",
           "with mpirun: the picks of one process, or bounding and partitioned greedies, with their quality\n"
           "beside the exact ones' (default exact)",
           "Running"},
          {"checkpoint-seconds", "S",
           "with mpirun: how often unfinished work is saved in OUT.unfinished, to go on from after a fault; "
           "0: never\n(default 120)",
           "Running"}};
}

Distributed distributed_way(const Settings& settings) {
  static const Choices<Distributed> ways{
      {{"exact", Distributed::exact}, {"bounding", Distributed::bounding}}};
  return ways.parse("distributed", settings.text("distributed", "exact"));
}

double checkpoint_seconds(const Settings& settings) {
  if (!settings.has("checkpoint-seconds")) return usual_seconds;
  const std::string text = settings.text("checkpoint-seconds");
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(seconds) || seconds < 0)
    throw Error(ErrorKind::bad_option,
                fmt::format("--checkpoint-seconds: '{}' is not a number of seconds from 0 up", text));
  return seconds;
}

void require_no_rank_settings(const Settings& settings) {
  for (const Setting& setting : rank_settings())
    if (settings.has(setting.name))
      throw Error(ErrorKind::bad_option,
                  fmt::format("--{} is for several ranks: mpirun -n 8 pith select ...", setting.name));
}

}  // namespace pith::cli
