#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "images/dataset.h"
#include "pith/run.h"

namespace pith::train {

/// One item of a batch and all the chance it is given.
struct Draw {
  Item place = 0;  ///< in the part
  std::uint64_t key = 0;
};

/// Which items make up which batch: a function of the batch's number alone, whoever asks and when.
class BatchOrder {
 public:
  virtual ~BatchOrder() = default;
  [[nodiscard]] virtual std::size_t batches() const noexcept = 0;
  /// The most items a batch has.
  [[nodiscard]] virtual std::size_t batch_size() const noexcept = 0;
  /// Called from many threads at once.
  [[nodiscard]] virtual std::vector<Draw> draws(std::size_t batch) const = 0;
};

/// Every item once, in order.
class SequentialOrder : public BatchOrder {
 public:
  SequentialOrder(std::size_t items, std::size_t batch_size) : items_(items), batch_size_(batch_size) {}
  [[nodiscard]] std::size_t batches() const noexcept override {
    return (items_ + batch_size_ - 1) / batch_size_;
  }
  [[nodiscard]] std::size_t batch_size() const noexcept override { return batch_size_; }
  [[nodiscard]] std::vector<Draw> draws(std::size_t batch) const override;

 private:
  std::size_t items_;
  std::size_t batch_size_;
};

/// `steps` batches of equal size, cut from one epoch's random order after another's: every item once an
/// epoch, no batch that is smaller than the others. A draw's key is a function of (seed, epoch, place).
class TrainingOrder : public BatchOrder {
 public:
  TrainingOrder(std::size_t items, std::size_t batch_size, std::size_t steps, std::uint64_t seed)
      : items_(items), batch_size_(batch_size), steps_(steps), seed_(seed) {}
  [[nodiscard]] std::size_t batches() const noexcept override { return steps_; }
  [[nodiscard]] std::size_t batch_size() const noexcept override { return batch_size_; }
  [[nodiscard]] std::vector<Draw> draws(std::size_t batch) const override;

 private:
  using Order = std::shared_ptr<const std::vector<Item>>;
  [[nodiscard]] Order order_of(std::size_t epoch) const;

  std::size_t items_;
  std::size_t batch_size_;
  std::size_t steps_;
  std::uint64_t seed_;
  /// The orders of two epochs: batches that are prepared at one time lie that close together.
  mutable std::mutex mutex_;
  mutable std::pair<std::size_t, Order> kept_[2];
};

struct Batch {
  std::size_t items = 0;
  std::vector<float> inputs;  ///< items x height x width x channels
  std::vector<std::int64_t> labels;
};

struct LoaderOptions {
  Augmentation augmentation = Augmentation::none;
  Normalisation normalisation = {};
  std::size_t first_batch = 0;
  unsigned threads = 1;
};

/// Prepares batches in threads of its own, ahead of whoever takes them. What is in a batch does not depend on
/// how many threads there are or which is quicker.
class BatchLoader {
 public:
  BatchLoader(const Part& part, const BatchOrder& order, const LoaderOptions& options, const Run& run);
  ~BatchLoader();
  BatchLoader(const BatchLoader&) = delete;
  BatchLoader& operator=(const BatchLoader&) = delete;

  /// The next batch, until the next call; nullptr after the last. Rethrows what went wrong in a thread.
  const Batch* next();
  /// How long next() had to wait for batches: 0 where loading is never the bottleneck. The first batch, which
  /// nobody could have prepared in time, does not count.
  [[nodiscard]] double waited_seconds() const noexcept { return waited_seconds_; }

 private:
  struct Slot {
    Batch batch;
    bool ready = false;
  };
  void work();
  void stop();
  /// Slots that are filled, being filled, or read by the caller.
  [[nodiscard]] std::size_t in_use() const noexcept {
    return next_to_fill_ - next_to_take_ + (holds_one_ ? 1 : 0);
  }
  void fill(std::size_t number, Batch& batch) const;

  const Part& part_;
  const BatchOrder& order_;
  Augmentation augmentation_;
  Normaliser normaliser_;
  const Run& run_;

  std::mutex mutex_;
  std::condition_variable filled_;
  std::condition_variable freed_;
  std::vector<Slot> slots_;  ///< batch b lies in slot b % slots
  /// Workers that have filled all slots rest until no more than this many are in use, so that small batches
  /// do not cost a change of threads each, which on a busy machine takes longer than the batch.
  std::size_t few_;
  bool filling_ = true;
  std::size_t next_to_fill_;  ///< batches below are filled or being filled
  std::size_t next_to_take_;  ///< batches below may be overwritten, but for the one just taken
  bool holds_one_ = false;    ///< the caller still reads the batch before next_to_take_
  bool stopped_ = false;
  std::exception_ptr failure_;
  double waited_seconds_ = 0;
  bool first_taken_ = false;
  std::vector<std::jthread> workers_;  ///< last, so that they end before what they use
};

}  // namespace pith::train
