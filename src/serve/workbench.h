#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "pipeline/kept_selection.h"
#include "serve/session.h"

namespace pith::serve {

/// What a choice was asked for: options in words, and items beyond the run's own lists.
struct Asked {
  GivenTexts given;
  std::vector<Item> forced;    ///< in S from the start, like labelled ones
  std::vector<Item> excluded;  ///< never picked
};

/// One selection, and all it was made of. Immutable but for what it remembers to answer quicker.
class Choice {
 public:
  Choice(std::uint64_t number, Asked asked) : number_(number), asked_(std::move(asked)) {}

  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] const Asked& asked() const noexcept { return asked_; }
  [[nodiscard]] const SelectInput& input() const noexcept { return input_; }
  [[nodiscard]] const KeptSelection& kept() const noexcept { return *kept_; }
  [[nodiscard]] const Selection& selection() const noexcept { return kept_->selection; }
  /// Rank of an item, or no_pick.
  [[nodiscard]] std::uint32_t rank_of(Item item) const noexcept { return rank_of_[item]; }
  /// Calls use(state of f with all picks in S), one caller at a time.
  void with_end_state(const std::function<void(const ObjectiveState&)>& use) const;

 private:
  friend class Workbench;
  std::uint64_t number_;
  Asked asked_;
  SelectInput input_;
  std::unique_ptr<KeptSelection> kept_;
  std::vector<std::uint32_t> rank_of_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<ObjectiveState> end_state_;
};

struct Progress {
  bool running = false;
  std::string stage;
  double done = 0;
  double total = 0;
};

/// Two choices side by side, A and B, made one at a time on the session's graph. A new question in a place
/// cancels the one that runs there; any new choice cancels certificates. Safe to call from many threads.
class Workbench {
 public:
  static constexpr std::size_t places = 2;

  explicit Workbench(Session session, unsigned threads = 0);

  [[nodiscard]] const Session& session() const noexcept { return session_; }

  /// Makes a choice. Throws Error{interrupted} once a newer question has taken its place.
  std::shared_ptr<const Choice> choose(std::size_t place, Asked asked);
  /// The certificate of a choice made before. Throws Error{interrupted} likewise.
  Certificate certify(std::size_t place, const std::shared_ptr<const Choice>& choice);
  /// The last choice made there, or null.
  [[nodiscard]] std::shared_ptr<const Choice> current(std::size_t place) const;
  [[nodiscard]] Progress progress(std::size_t place) const;
  /// Cancels what runs, and everything to come.
  void stop();

 private:
  struct Job {
    std::atomic<bool> cancelled{false};
    bool certificate = false;
    Progress progress = {};
  };
  using Task = std::function<void(const Run& run)>;

  /// Runs the task when its turn has come, unless it is cancelled first.
  void take_turn(std::size_t place, bool certificate, const Task& task);
  [[nodiscard]] SelectInput input_for(const Asked& asked, const SelectOptions& options, const Run& run);
  [[nodiscard]] std::shared_ptr<const Triangles> triangles_for(const SelectOptions& options, const Run& run);

  Session session_;
  unsigned threads_;
  mutable std::mutex mutex_;
  std::condition_variable turn_;
  bool busy_ = false;
  bool stopped_ = false;
  std::uint64_t made_ = 0;
  std::array<std::shared_ptr<Job>, places> jobs_;
  std::array<std::shared_ptr<const Choice>, places> choices_;
  // Touched by whoever has the turn, and nobody else.
  std::map<std::pair<UncertaintyKind, std::uint32_t>, Predictions> predictions_;
  using AreaKey = std::tuple<Areas, std::optional<double>, double>;
  std::map<AreaKey, std::shared_ptr<const Triangles>> triangles_;
};

/// The options that were asked for, as read and settled by the same code that pith select uses. Refuses
/// files: what a request says never becomes a path.
[[nodiscard]] SelectOptions read_asked_options(const Session& session, const GivenTexts& given);

}  // namespace pith::serve
