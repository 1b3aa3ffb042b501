#include "serve/workbench.h"

#include <fmt/format.h>

#include <algorithm>

#include "objective/triples.h"
#include "pipeline/option_table.h"
#include "pipeline/representatives.h"
#include "pith/error.h"

namespace pith::serve {
namespace {

/// Kinds of predictions and of triangles that are kept at a time.
constexpr std::size_t most_kept = 3;

template <class Map>
void make_room(Map& map) {
  while (map.size() >= most_kept) map.erase(map.begin());
}

void require_items(const std::vector<Item>& items, std::size_t n, const char* what) {
  for (const Item item : items)
    if (item >= n)
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: item {} given, but there are {} items (0 to {})", what, item, n, n - 1));
}

std::vector<std::uint8_t> marks_of(const std::vector<Item>& items, std::size_t n) {
  std::vector<std::uint8_t> marks(n, 0);
  for (const Item item : items) marks[item] = 1;
  return marks;
}

/// The run's lists with what was asked for on top: forcing an item takes it off the excluded ones.
void add_lists(SelectInput& input, const Asked& asked, std::size_t n) {
  require_items(asked.forced, n, "forced");
  require_items(asked.excluded, n, "excluded");
  const std::vector<std::uint8_t> forced = marks_of(asked.forced, n);
  std::vector<std::uint8_t> labelled = marks_of(input.labelled, n);
  for (const Item item : asked.excluded)
    if (forced[item] != 0 || labelled[item] != 0)
      throw Error(ErrorKind::bad_input, fmt::format("item {} is {}; it cannot be excluded as well", item,
                                                    forced[item] != 0 ? "forced" : "labelled already"));
  input.labels.resize(input.labelled.size());
  for (const Item item : asked.forced) {
    if (std::exchange(labelled[item], 1) != 0) continue;
    input.labelled.push_back(item);
    input.labels.emplace_back();
  }
  std::vector<std::uint8_t> excluded = marks_of(input.excluded, n);
  std::erase_if(input.excluded, [&](Item item) { return forced[item] != 0; });
  for (const Item item : asked.excluded)
    if (std::exchange(excluded[item], 1) == 0) input.excluded.push_back(item);
}

bool uses_scores(const SelectOptions& options) {
  return std::any_of(options.objective.terms.begin(), options.objective.terms.end(),
                     [](const TermWeight& term) { return term.name == "scores"; });
}

}  // namespace

void Choice::with_end_state(const std::function<void(const ObjectiveState&)>& use) const {
  const std::lock_guard lock(mutex_);
  if (end_state_ == nullptr) {
    auto state = std::make_unique<ObjectiveState>(kept_->scene->objective);
    for (const Item item : kept_->pool.labelled) state->add(item);
    for (const PickRow& row : selection().picks) state->add(row.item);
    end_state_ = std::move(state);
  }
  use(*end_state_);
}

SelectOptions read_asked_options(const Session& session, const GivenTexts& given) {
  static constexpr const char* readable_groups[] = {"What to choose", "Objective", "Balance",
                                                    "Single strategies"};
  for (const auto& [name, text] : given) {
    const auto& specs = select_option_specs();
    const auto spec = std::find_if(specs.begin(), specs.end(), [&, &name = name](const OptionSpec& known) {
      return known.name == name && std::find(std::begin(readable_groups), std::end(readable_groups),
                                             known.group) != std::end(readable_groups);
    });
    if (spec == specs.end() || name == "measure")
      throw Error(ErrorKind::bad_option,
                  fmt::format("--{}: no option that can change here", name.substr(0, 40)));
    const auto own = session.given.find(name);
    if ((name != "class-cap" && name != "boundary-cap") ||
        (own != session.given.end() && own->second == text))
      continue;
    SelectOptions tried;
    spec->set(tried, text);
    if (std::holds_alternative<CapFile>(tried.balance.class_cap) ||
        std::holds_alternative<CapFile>(tried.balance.boundary_cap))
      throw Error(ErrorKind::bad_option,
                  fmt::format("--{}: write a number or a rule; files are read at the start alone", name));
  }
  GivenTexts all = given;
  all["graph"] = "given";
  if (given.contains("budget-cost") && !session.input.costs.empty()) all["costs"] = "given";
  const SelectOptions options = read_given_options(all);
  if (uses_scores(options) && session.input.scores.empty())
    throw Error(ErrorKind::bad_option, "--term: this run has no scores; start it again with --scores FILE");
  return settle_given_options(all, options);
}

Workbench::Workbench(Session session, unsigned threads) : session_(std::move(session)), threads_(threads) {}

void Workbench::take_turn(std::size_t place, bool certificate, const Task& task) {
  const auto job = std::make_shared<Job>();
  job->certificate = certificate;
  const auto forget = [&] {
    if (jobs_[place] == job) jobs_[place] = nullptr;
    turn_.notify_all();
  };
  {
    std::unique_lock lock(mutex_);
    if (certificate && jobs_[place] != nullptr && !jobs_[place]->certificate)
      throw Error(ErrorKind::interrupted, "a newer choice is being made");
    for (std::size_t other = 0; other < places; ++other)
      if (jobs_[other] != nullptr && (other == place || (jobs_[other]->certificate && !certificate)))
        jobs_[other]->cancelled = true;
    jobs_[place] = job;
    job->cancelled = stopped_;
    turn_.notify_all();
    turn_.wait(lock, [&] { return !busy_ || job->cancelled; });
    if (job->cancelled) {
      forget();
      throw Error(ErrorKind::interrupted, "a newer question took its place");
    }
    busy_ = true;
    job->progress.running = true;
  }
  const auto finish = [&] {
    const std::lock_guard lock(mutex_);
    busy_ = false;
    forget();
  };
  const Run run{.threads = threads_,
                .progress =
                    [&](std::string_view stage, double done, double total) {
                      const std::lock_guard lock(mutex_);
                      job->progress = {
                          .running = true, .stage = std::string(stage), .done = done, .total = total};
                    },
                .cancelled = &job->cancelled};
  try {
    task(run);
    // Whoever was overtaken at the last moment must not put its answer in place of a newer one.
    run.check_cancelled();
  } catch (...) {
    finish();
    throw;
  }
  finish();
}

SelectInput Workbench::input_for(const Asked& asked, const SelectOptions& options, const Run& run) {
  const std::pair key(options.objective.uncertainty, options.balance.boundaries_per_item);
  auto found = predictions_.find(key);
  if (found == predictions_.end()) {
    run.report("predictions", 0, 1);
    Predictions read = read_predictions(session_.input.probabilities, key.first, run, key.second);
    make_room(predictions_);
    found = predictions_.emplace(key, std::move(read)).first;
  }
  SelectInput input = session_.input;
  input.predictions = found->second;
  if (!options.cost_budget) input.costs.clear();
  if (!uses_scores(options)) input.scores.clear();
  add_lists(input, asked, input.predictions.size());
  return input;
}

std::shared_ptr<const Triangles> Workbench::triangles_for(const SelectOptions& options, const Run& run) {
  const ObjectiveOptions& objective = options.objective;
  const AreaKey key(objective.areas, objective.area_threshold, objective.area_quantile);
  auto found = triangles_.find(key);
  if (found == triangles_.end()) {
    run.report("triangles", 0, 1);
    const Graph& graph = *session_.input.graph;
    auto all = std::make_shared<const Triangles>(find_triangles(
        graph, area_rule_of(objective, graph.info().metric, session_.input.embeddings, run), run));
    make_room(triangles_);
    found = triangles_.emplace(key, std::move(all)).first;
  }
  return found->second;
}

std::shared_ptr<const Choice> Workbench::choose(std::size_t place, Asked asked) {
  const SelectOptions options = read_asked_options(session_, asked.given);
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = ++made_;
  }
  auto choice = std::make_shared<Choice>(number, std::move(asked));
  take_turn(place, false, [&](const Run& run) {
    choice->input_ = input_for(choice->asked_, options, run);
    const SelectShortcuts shortcuts{.triangles = triangles_for(options, run), .certify = false};
    run.report("choosing", 0, 1);
    choice->kept_ = select_and_keep(choice->input_, options, shortcuts, run);
    choice->rank_of_.assign(choice->input_.predictions.size(), no_pick);
    const std::vector<PickRow>& picks = choice->selection().picks;
    for (std::uint32_t rank = 0; rank < picks.size(); ++rank) choice->rank_of_[picks[rank].item] = rank;
    const std::lock_guard lock(mutex_);
    if (!*run.cancelled) choices_[place] = choice;
  });
  return choice;
}

Certificate Workbench::certify(std::size_t place, const std::shared_ptr<const Choice>& choice) {
  Certificate certificate;
  take_turn(place, true, [&](const Run& run) {
    run.report("certificate", 0, 1);
    certificate = pith::certify(choice->kept(), choice->input(), run);
  });
  return certificate;
}

std::shared_ptr<const Choice> Workbench::current(std::size_t place) const {
  const std::lock_guard lock(mutex_);
  return choices_[place];
}

Progress Workbench::progress(std::size_t place) const {
  const std::lock_guard lock(mutex_);
  return jobs_[place] == nullptr ? Progress{} : jobs_[place]->progress;
}

void Workbench::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (const auto& job : jobs_)
    if (job != nullptr) job->cancelled = true;
  turn_.notify_all();
}

}  // namespace pith::serve
