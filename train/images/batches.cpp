#include "images/batches.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "base/rng.h"

namespace pith::train {
namespace {

/// Streams of random numbers that never meet.
enum Stream : std::uint64_t { order_stream = 1, augmentation_stream = 2 };

/// As many batches ahead as 16 MiB hold, but at most 64 and at least one for each thread and two more.
std::size_t slots_for(std::size_t batch_size, std::size_t values, unsigned threads) {
  const std::size_t held = (std::size_t{16} << 20) / sizeof(float) / std::max<std::size_t>(1, values) /
                           std::max<std::size_t>(1, batch_size);
  return std::max<std::size_t>(threads + 2, std::min<std::size_t>(64, held));
}

}  // namespace

std::vector<Draw> SequentialOrder::draws(std::size_t batch) const {
  std::vector<Draw> out;
  const std::size_t end = std::min(items_, (batch + 1) * batch_size_);
  for (std::size_t place = batch * batch_size_; place < end; ++place)
    out.push_back({.place = static_cast<Item>(place), .key = 0});
  return out;
}

TrainingOrder::Order TrainingOrder::order_of(std::size_t epoch) const {
  const std::lock_guard lock(mutex_);
  auto& [kept_epoch, kept] = kept_[epoch % 2];
  if (kept && kept_epoch == epoch) return kept;
  auto order = std::make_shared<std::vector<Item>>(items_);
  std::iota(order->begin(), order->end(), Item{0});
  Rng rng(random_bits(random_bits(seed_, order_stream), epoch));
  for (std::size_t at = items_; at > 1; --at) std::swap((*order)[at - 1], (*order)[rng.below(at)]);
  kept_epoch = epoch;
  kept = order;
  return order;
}

std::vector<Draw> TrainingOrder::draws(std::size_t batch) const {
  std::vector<Draw> out;
  out.reserve(batch_size_);
  std::size_t epoch = batch * batch_size_ / items_;
  Order order = order_of(epoch);
  for (std::size_t position = batch * batch_size_; position < (batch + 1) * batch_size_; ++position) {
    if (position / items_ != epoch) order = order_of(epoch = position / items_);
    const Item place = (*order)[position % items_];
    const std::uint64_t of_epoch = random_bits(random_bits(seed_, augmentation_stream), epoch);
    out.push_back({.place = place, .key = random_bits(of_epoch, place)});
  }
  return out;
}

BatchLoader::BatchLoader(const Part& part, const BatchOrder& order, const LoaderOptions& options,
                         const Run& run)
    : part_(part),
      order_(order),
      augmentation_(options.augmentation),
      normaliser_(options.normalisation, part.source->shape().channels),
      run_(run),
      slots_(slots_for(order.batch_size(), part.source->shape().values(), options.threads)),
      few_(slots_.size() > options.threads + 2 ? slots_.size() / 2 : slots_.size() - 1),
      next_to_fill_(options.first_batch),
      next_to_take_(options.first_batch) {
  try {
    for (unsigned worker = 0; worker < std::max(1U, options.threads); ++worker)
      workers_.emplace_back([this] { work(); });
  } catch (...) {  // no more threads to be had: those that run must end, too
    stop();
    throw;
  }
}

BatchLoader::~BatchLoader() {
  stop();
}

void BatchLoader::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  freed_.notify_all();
}

void BatchLoader::fill(std::size_t number, Batch& batch) const {
  const std::vector<Draw> draws = order_.draws(number);
  const std::size_t values = part_.source->shape().values();
  batch.items = draws.size();
  batch.inputs.resize(draws.size() * values);
  batch.labels.resize(draws.size());
  for (std::size_t at = 0; at < draws.size(); ++at) {
    part_.source->read(part_.indices[draws[at].place], augmentation_, draws[at].key, normaliser_,
                       batch.inputs.data() + at * values);
    batch.labels[at] = part_.labels[draws[at].place];
  }
}

void BatchLoader::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    freed_.wait(lock, [this] {
      if (in_use() <= few_) filling_ = true;
      if (in_use() == slots_.size()) filling_ = false;
      return stopped_ || failure_ || next_to_fill_ >= order_.batches() || filling_;
    });
    if (stopped_ || failure_ || next_to_fill_ >= order_.batches()) return;
    const std::size_t number = next_to_fill_++;
    Slot& slot = slots_[number % slots_.size()];
    lock.unlock();
    std::exception_ptr failure;
    try {
      run_.check_cancelled();
      fill(number, slot.batch);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    slot.ready = !failure;
    if (failure && !failure_) failure_ = failure;
    filled_.notify_one();
    if (failure) freed_.notify_all();
  }
}

const Batch* BatchLoader::next() {
  std::unique_lock lock(mutex_);
  if (holds_one_) {
    slots_[(next_to_take_ - 1) % slots_.size()].ready = false;
    holds_one_ = false;
    if (in_use() <= few_) freed_.notify_all();
  }
  if (next_to_take_ >= order_.batches()) return nullptr;
  Slot& slot = slots_[next_to_take_ % slots_.size()];
  if (!slot.ready) {
    const auto started = std::chrono::steady_clock::now();
    filled_.wait(lock, [&] { return slot.ready || failure_; });
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - started;
    if (first_taken_) waited_seconds_ += waited.count();
  }
  if (!slot.ready) std::rethrow_exception(failure_);
  first_taken_ = true;
  holds_one_ = true;
  ++next_to_take_;
  return &slot.batch;
}

}  // namespace pith::train
