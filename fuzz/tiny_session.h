#pragma once

#include "pipeline/given_options.h"
#include "serve/session.h"

namespace pith::fuzz {

/// Twelve items in three classes, all in memory; nothing it is asked for can be written anywhere.
inline serve::Session tiny_session() {
  constexpr std::size_t n = 12;
  constexpr std::size_t classes = 3;
  std::vector<float> rows;
  std::vector<float> probs;
  for (std::size_t item = 0; item < n; ++item) {
    for (std::size_t d = 0; d < 4; ++d)
      rows.push_back(static_cast<float>((item * 7 + d * d * 3) % 11) - 4.5F);
    const float best = 0.4F + 0.05F * static_cast<float>(item % 5);
    for (std::size_t label = 0; label < classes; ++label)
      probs.push_back(label == item % classes ? best : (1 - best) / 2);
  }
  serve::Session session;
  session.name = "tiny";
  session.folder.path = "/proc/no-such-folder";
  session.folder.summary = {{"items", n}, {"classes", classes}, {"options", nlohmann::json::object()}};
  session.input.embeddings = Matrix::of_floats(std::move(rows), n, 4, "e.npy");
  session.input.probabilities.members.push_back(Matrix::of_floats(std::move(probs), n, classes, "p.npy"));
  GraphOptions graph;
  graph.neighbors = 3;
  session.input.graph = build_graph(session.input.embeddings, graph, {.threads = 1, .progress = {}});
  session.files.graph = "/tmp/g.pith";
  session.files.probs = {"p.npy"};
  for (Item item = 0; item < n; ++item) {
    session.map.items.push_back(item);
    session.map.pca.push_back({static_cast<float>(item), static_cast<float>(item % 4)});
  }
  session.given = {{"strategy", "submod-bal"}, {"budget", "4"}};
  return session;
}

}  // namespace pith::fuzz
