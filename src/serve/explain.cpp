#include "serve/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "data/probabilities.h"
#include "pipeline/representatives.h"
#include "report/thumbnails.h"
#include "strategy/registry.h"

namespace pith::serve {
namespace {

constexpr std::size_t most_classes = 5;
constexpr std::size_t most_neighbors = 60;
constexpr std::size_t most_triangles = 30;

/// A cap an item falls under, and what happened to it.
struct CapStory {
  bool is_class = true;
  std::uint32_t group = 0;
  GroupRow row = {};
  bool active = false;
  /// Picks after which nothing more fitted; nothing: it never filled, or labelled items filled it before.
  std::optional<std::size_t> filled_by = {};

  [[nodiscard]] bool full() const { return active && row.selected + row.labelled >= row.cap; }
};

class Explainer {
 public:
  Explainer(const Session& session, const Choice& choice, Item item)
      : session_(session),
        choice_(choice),
        selection_(choice.selection()),
        predictions_(choice.input().predictions),
        graph_(choice.kept().scene->graph),
        item_(item),
        rank_(choice.rank_of(item)) {}

  Json explain() {
    find_caps();
    Json out;
    out["item"] = item_;
    out["id"] = session_.ids.empty() ? Json() : Json(session_.ids[item_]);
    out["thumbnail"] = thumbnail();
    out["state"] = state_name();
    out["rank"] = rank_ == no_pick ? Json() : Json(rank_);
    out["class"] = predictions_.best[item_];
    out["second"] = predictions_.second[item_];
    out["margin"] = predictions_.margin[item_];
    out["uncertainty"] = predictions_.uncertainty()[item_];
    out["likeliest"] = likeliest_json();
    out["caps"] = caps_json();
    out["gain"] = gain_json();
    out["neighbors"] = neighbors_json();
    out["triangles"] = triangles_json();
    out["why"] = why();
    return out;
  }

 private:
  [[nodiscard]] bool is_labelled() const { return choice_.kept().pool.state[item_] == Pool::State::labelled; }
  [[nodiscard]] bool is_excluded() const { return choice_.kept().pool.state[item_] == Pool::State::excluded; }
  [[nodiscard]] bool is_forced() const {
    const std::vector<Item>& forced = choice_.asked().forced;
    return std::find(forced.begin(), forced.end(), item_) != forced.end();
  }
  [[nodiscard]] const char* state_name() const {
    if (is_labelled()) return is_forced() ? "forced" : "labelled";
    if (is_excluded()) return "excluded";
    return rank_ == no_pick ? "left" : "picked";
  }
  [[nodiscard]] bool is_greedy() const {
    return find_strategy(selection_.options.strategy).maximises_objective() &&
           (selection_.options.greedy.optimizer == Optimizer::lazy ||
            selection_.options.greedy.optimizer == Optimizer::naive) &&
           !selection_.options.cost_budget;
  }

  [[nodiscard]] Json thumbnail() const {
    if (session_.ids.empty() || !Thumbnails::possible()) return nullptr;
    const auto path = std::filesystem::path(session_.images) / session_.ids[item_];
    const std::string picture =
        session_.thumbnails->make({path.string()}, {.threads = 1, .progress = {}}).front();
    return picture.empty() ? Json() : Json(picture);
  }

  [[nodiscard]] Json likeliest_json() const {
    const ClassProbabilities& probabilities = session_.input.probabilities;
    std::vector<double> row(probabilities.classes());
    std::vector<double> scratch;
    read_mean(probabilities, item_, 1, row.data(), scratch);
    std::vector<std::uint32_t> order(row.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto count = std::min(order.size(), most_classes);
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
        [&](std::uint32_t a, std::uint32_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
    Json out = Json::array();
    for (std::size_t at = 0; at < count; ++at) out.push_back({{"class", order[at]}, {"p", row[order[at]]}});
    return out;
  }

  void find_caps() {
    const Balance& balance = choice_.kept().balance;
    const std::uint32_t label = predictions_.best[item_];
    caps_.push_back({.is_class = true,
                     .group = label,
                     .row = selection_.class_groups[label],
                     .active = selection_.class_caps_active});
    balance.boundaries.for_each_group(item_, [&](std::uint32_t group) {
      caps_.push_back({.is_class = false,
                       .group = group,
                       .row = selection_.boundaries[group],
                       .active = selection_.boundary_caps_active});
    });
    for (CapStory& cap : caps_) {
      if (!cap.full()) continue;
      std::int64_t left = cap.row.cap - cap.row.labelled;
      const std::vector<PickRow>& picks = selection_.picks;
      for (std::size_t at = 0; at < picks.size() && left > 0; ++at) {
        bool inside = cap.is_class && picks[at].class_label == cap.group;
        if (!cap.is_class)
          balance.boundaries.for_each_group(
              picks[at].item, [&](std::uint32_t group) { inside = inside || group == cap.group; });
        if (inside && --left == 0) cap.filled_by = at;
      }
    }
  }

  [[nodiscard]] Json caps_json() const {
    Json out = Json::array();
    for (const CapStory& cap : caps_)
      out.push_back({{"kind", cap.is_class ? "class" : "boundary"},
                     {"first", cap.row.first},
                     {"second", cap.row.second},
                     {"active", cap.active},
                     {"cap", cap.row.cap},
                     {"cap_requested", cap.row.cap_requested},
                     {"selected", cap.row.selected},
                     {"labelled", cap.row.labelled},
                     {"available", cap.row.available},
                     {"full", cap.full()},
                     {"filled_by", cap.filled_by ? Json(*cap.filled_by) : Json()}});
    return out;
  }

  /// For a pick, what it added when it was taken; for an item in the subset from the start, what it adds to
  /// all the others; for any other item, what it would add to all the picks.
  Json gain_json() {
    const Objective& objective = choice_.kept().scene->objective;
    Json parts = Json::array();
    const auto note = [&](const ObjectiveState& state) {
      end_gain_ = state.gain(item_);
      for (std::size_t at = 0; at < objective.parts().size(); ++at) {
        const Objective::Part& part = objective.parts()[at];
        const double constant = part.weight * part.term->constant();
        const double gain = state.part_gain(at, item_);
        parts.push_back({{"name", part.term->name()},
                         {"gain", gain},
                         {"taken_off", constant > 0 ? constant - gain : 0.0}});
      }
    };
    if (rank_ != no_pick) {
      note(state_before(rank_));
    } else {
      choice_.with_end_state(note);
    }
    const std::vector<PickRow>& picks = selection_.picks;
    for (std::size_t at = picks.size(); at > 0 && !last_; --at)
      if (!picks[at - 1].augmented) last_ = at - 1;
    Json out = {{"value", end_gain_}, {"parts", parts}, {"last", Json()}};
    if (last_) out["last"] = {{"rank", *last_}, {"item", picks[*last_].item}, {"gain", picks[*last_].gain}};
    return out;
  }

  /// f as it stood before the pick of this rank.
  [[nodiscard]] ObjectiveState state_before(std::size_t rank) const {
    ObjectiveState state(choice_.kept().scene->objective);
    for (const Item item : choice_.kept().pool.labelled) state.add(item);
    for (std::size_t at = 0; at < rank; ++at) state.add(selection_.picks[at].item);
    return state;
  }

  [[nodiscard]] bool chosen(Item item) const {
    return choice_.rank_of(item) != no_pick || choice_.kept().pool.state[item] == Pool::State::labelled;
  }

  [[nodiscard]] Json neighbors_json() const {
    const auto items = graph_.neighbors(item_);
    const auto dissimilarities = graph_.dissimilarities(item_);
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return dissimilarities[a] != dissimilarities[b] ? dissimilarities[a] < dissimilarities[b]
                                                      : items[a] < items[b];
    });
    Json out = {{"count", items.size()}, {"listed", Json::array()}};
    for (std::size_t at = 0; at < std::min(order.size(), most_neighbors); ++at) {
      const Item other = items[order[at]];
      const std::uint32_t rank = choice_.rank_of(other);
      out["listed"].push_back({{"item", other},
                               {"similarity", graph_.similarity(dissimilarities[order[at]])},
                               {"class", predictions_.best[other]},
                               {"rank", rank == no_pick ? Json() : Json(rank)},
                               {"chosen", chosen(other)}});
    }
    return out;
  }

  /// Triangles at the item; those that count against it are thin and have their other corners in S.
  [[nodiscard]] Json triangles_json() const {
    const Triangles& triangles = *choice_.kept().scene->triangles;
    Json out = {{"count", triangles.at_item[item_]},
                {"thin", triangles.thin_at_item[item_]},
                {"against", 0},
                {"listed", Json::array()}};
    const auto items = graph_.neighbors(item_);
    const auto sides = graph_.dissimilarities(item_);
    std::uint64_t against = 0;
    for (std::size_t at = 0; at < items.size(); ++at)
      for_each_common_neighbor(graph_, item_, items[at], [&](Item third, std::size_t x, std::size_t y) {
        if (third < items[at]) return;
        const double area = triangles.exact != nullptr
                                ? triangles.exact->area(item_, items[at], third)
                                : triangle_area(graph_.length(sides[at]), graph_.length(sides[x]),
                                                graph_.length(graph_.dissimilarities(items[at])[y]));
        const bool thin = area < triangles.area_threshold;
        const bool counts = thin && chosen(items[at]) && chosen(third);
        against += counts ? 1 : 0;
        if (out["listed"].size() < most_triangles)
          out["listed"].push_back(
              {{"items", {items[at], third}}, {"area", area}, {"thin", thin}, {"against", counts}});
      });
    out["against"] = against;
    return out;
  }

  [[nodiscard]] std::string name_of(const CapStory& cap) const {
    const auto name = [&](std::uint32_t label) {
      return label < session_.class_names.size() ? session_.class_names[label] : std::to_string(label);
    };
    return cap.is_class ? fmt::format("class {}", name(cap.row.first))
                        : fmt::format("boundary {} / {}", name(cap.row.first), name(cap.row.second));
  }

  [[nodiscard]] std::vector<std::string> why() const {
    if (is_labelled())
      return {is_forced()
                  ? "You forced it: it is in the subset from the start, costs no budget, and lowers the "
                    "gain of its neighbours."
                  : "It was labelled before: it is in the subset from the start and costs no budget."};
    if (is_excluded()) return {"It is excluded: no choice may take it."};
    if (rank_ != no_pick) return why_taken();
    return is_greedy() ? why_left() : why_left_by_another();
  }

  [[nodiscard]] std::vector<std::string> why_taken() const {
    const PickRow& row = selection_.picks[rank_];
    if (row.augmented)
      return {fmt::format(
          "Pick {} was added after the greedy had ended, to reach the budget within the caps, where "
          "it lost least.",
          rank_ + 1)};
    if (!is_greedy())
      return {fmt::format("Strategy {} took it as pick {}, by a score of {:.4g} of its own.",
                          selection_.options.strategy, rank_ + 1, row.score)};
    std::vector<std::string> out = {fmt::format(
        "When it was taken, as pick {}, no other item that the caps still admitted would have added "
        "more than its {:.4f}.",
        rank_ + 1, row.gain)};
    for (const CapStory& cap : caps_)
      if (cap.filled_by == rank_)
        out.push_back(fmt::format("It filled the cap of {} ({}).", name_of(cap), cap.row.cap));
    return out;
  }

  [[nodiscard]] std::vector<std::string> why_left_by_another() const {
    std::vector<std::string> out = {
        fmt::format("Strategy {} ranks by a score of its own, not by the gains shown here.",
                    selection_.options.strategy)};
    for (const CapStory& cap : caps_)
      if (cap.full()) out.push_back(fmt::format("The cap of {} ({}) is full.", name_of(cap), cap.row.cap));
    return out;
  }

  /// The greedy takes the largest gain the caps admit. So either a cap shut the item out while others were
  /// still taken, or at the last pick its gain was not the largest.
  [[nodiscard]] std::vector<std::string> why_left() const {
    std::vector<std::string> out;
    const CapStory* first = nullptr;
    for (const CapStory& cap : caps_) {
      if (!cap.full()) continue;
      if (cap.row.labelled >= cap.row.cap) {
        out.push_back(fmt::format("The cap of {} is {}, and labelled items fill it: nothing more fits.",
                                  name_of(cap), cap.row.cap));
        return out;
      }
      if (cap.filled_by && (first == nullptr || *cap.filled_by < *first->filled_by)) first = &cap;
    }
    const std::vector<PickRow>& picks = selection_.picks;
    if (!last_) return {"Nothing was picked."};
    if (first == nullptr || *first->filled_by >= *last_) {
      out.push_back(
          fmt::format("No cap kept it out. It would add {:.4f} now; the last pick added {:.4f} when it was "
                      "taken{}.",
                      end_gain_, picks[*last_].gain, comparison_words()));
      return out;
    }
    const PickRow& filler = picks[*first->filled_by];
    const double then = state_before(*first->filled_by).gain(item_);
    out.push_back(
        fmt::format("The cap of {} ({}) was full after pick {} of {} (item {}), which added {:.4f}; this "
                    "item would have added {:.4f} in its place.",
                    name_of(*first), first->row.cap, *first->filled_by + 1, picks.size(), filler.item,
                    filler.gain, then));
    out.push_back(
        end_gain_ > picks[*last_].gain
            ? fmt::format("Without that cap it could still have been taken: it would add {:.4f} even now, "
                          "more than the last pick's {:.4f}.",
                          end_gain_, picks[*last_].gain)
            : fmt::format("The cap alone does not explain it: it would add {:.4f} now, no more than the "
                          "last pick's {:.4f}.",
                          end_gain_, picks[*last_].gain));
    return out;
  }

  [[nodiscard]] std::string comparison_words() const {
    const double last = selection_.picks[*last_].gain;
    if (end_gain_ < last) return ", which is more";
    return end_gain_ == last
               ? ", which is as much, and the lower index goes first"
               : ", which is less: this item gave way when picks were exchanged to reach the budget";
  }

  const Session& session_;
  const Choice& choice_;
  const Selection& selection_;
  const Predictions& predictions_;
  const Graph& graph_;
  Item item_;
  std::uint32_t rank_;
  std::vector<CapStory> caps_;
  double end_gain_ = 0;
  std::optional<std::size_t> last_;
};

}  // namespace

Json explain_item(const Session& session, const Choice& choice, Item item) {
  return Explainer(session, choice, item).explain();
}

}  // namespace pith::serve
