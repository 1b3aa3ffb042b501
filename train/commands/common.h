#pragma once

#include <string>
#include <vector>

#include "images/dataset.h"
#include "network/schedule.h"
#include "pith/options.h"
#include "settings.h"

namespace pith::train {

/// Options that say which data: data, format, image-size, long-tail, validate.
[[nodiscard]] std::vector<cli::Setting> data_settings();
/// Options that say how to train: model, preset, epochs and so on.
[[nodiscard]] std::vector<cli::Setting> training_settings();
/// threads, device, quiet.
[[nodiscard]] std::vector<cli::Setting> running_settings();

/// The items to choose from and train on, and those to test with.
struct Pool {
  std::string name;    ///< the dataset's path
  std::string format;  ///< which reader read it
  std::uint32_t classes = 0;
  Part items;
  Part test;
  std::string test_name;  ///< "test" or "validation"
  Normalisation normalisation;
  double long_tail = 1;
  double validate = 0;

  [[nodiscard]] InputShape shape() const { return items.source->shape(); }
};

/// What a command does with a pool: train and test on it, or only look at its items or at those to test with.
enum class PoolUse : std::uint8_t { labels_and_test, items, test };

/// What --data, --long-tail and --validate make of a dataset: first a share of every class is held out to
/// validate with, if asked for, then the long tail is made of the rest.
[[nodiscard]] Pool open_pool(const cli::Settings& settings, PoolUse use = PoolUse::labels_and_test);

/// The training the options ask for. The model's default depends on the data.
[[nodiscard]] TrainOptions read_training(const cli::Settings& settings, const Pool& pool);

/// A share such as "10%" or a count of items.
[[nodiscard]] std::size_t count_of(const Budget& budget, std::size_t items, const std::string& option);

/// So many places of n, ascending, drawn by the seed.
[[nodiscard]] std::vector<Item> random_places(std::size_t n, std::size_t count, std::uint64_t seed);

/// Makes libtorch ready for so many threads and returns the device that was asked for.
[[nodiscard]] std::string prepare_device(const cli::Settings& settings);

}  // namespace pith::train
