#include "objective/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "objective/diversity.h"
#include "objective/facility_location.h"
#include "objective/graph_cut.h"
#include "objective/modular.h"
#include "objective/quads.h"
#include "objective/triples.h"
#include "pith/error.h"

namespace pith {

const std::vector<TermSpec>& terms() {
  static const std::vector<TermSpec> all = {
      {"uncertainty", "how unsure the model is of each pick", make_uncertainty_term},
      {"diversity", "a constant each, less the similarity of picks that are neighbours", make_diversity_term},
      {"triples", "triangles at each pick, less the thin ones inside the subset", make_triples_term},
      {"quads", "the same for sets of four, thin by volume", make_quads_term},
      {"facility-location", "how similar every item is to its nearest pick", make_facility_location_term},
      {"graph-cut", "similarity of the picks to all items, less that among themselves", make_graph_cut_term},
      {"scores", "a column of yours (--scores)", make_scores_term},
  };
  return all;
}

const TermSpec& find_term(std::string_view name, std::span<const TermSpec> own) {
  std::vector<std::string_view> names;
  for (const auto specs : {own, std::span<const TermSpec>(terms())})
    for (const TermSpec& spec : specs) {
      if (spec.name == name) return spec;
      names.push_back(spec.name);
    }
  const std::string nearest = nearest_word(name, names);
  throw Error(ErrorKind::bad_option,
              fmt::format("--term: unknown term '{}'{}; known: {}", name,
                          nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest),
                          fmt::join(names, ", ")));
}

}  // namespace pith
