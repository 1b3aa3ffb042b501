#include "graph_report.h"

#include <fmt/format.h>

#include "base/thousands.h"
#include "pipeline/describe_graph.h"

namespace pith::cli {

std::string search_text(const GraphInfo& info) {
  return fmt::format("  neighbours   {} each, {}\n", info.neighbors, describe_search(info));
}

std::string stats_text(const GraphStats& stats) {
  const auto& q = stats.dissimilarity_quantiles;
  return fmt::format(
             "  degree       {} to {}, mean {:.1f}; {} items without an edge\n"
             "  components   {}\n"
             "  edges        dissimilarity {:.4g} to {:.4g}, median {:.4g} (quartiles {:.4g}, {:.4g})\n",
             stats.min_degree, with_commas(stats.max_degree), stats.mean_degree, with_commas(stats.isolated),
             with_commas(stats.components), q[0], q[4], q[2], q[1], q[3]) +
         fmt::format("  mutual       {:.1f}% of the edges are listed by both ends\n",
                     100 * stats.mutual_share);
}

nlohmann::ordered_json stats_json(const GraphStats& stats) {
  return {{"min_degree", stats.min_degree},
          {"mean_degree", stats.mean_degree},
          {"max_degree", stats.max_degree},
          {"isolated", stats.isolated},
          {"components", stats.components},
          {"mutual_share", stats.mutual_share},
          {"dissimilarity_quantiles", stats.dissimilarity_quantiles}};
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace pith::cli
