#include "commands/common.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "base/sample.h"
#include "images/long_tail.h"
#include "images/readers/formats.h"
#include "network/model.h"
#include "pipeline/option_table.h"
#include "pipeline/option_values.h"
#include "pith/error.h"
#include "pith/run.h"

namespace pith::train {
namespace {

/// Long tails and validation sets are the same in every run, whatever the seed of the training.
constexpr std::uint64_t data_seed = 0;

double share_of(const cli::Settings& settings, const std::string& name) {
  if (!settings.has(name)) return 0;
  const double share = parse_number(name, settings.text(name));
  if (!(share > 0 && share < 1))
    throw Error(
        ErrorKind::bad_option,
        fmt::format("--{}: {} given; write a share between 0 and 1, such as 0.1", name, settings.text(name)));
  return share;
}

std::string model_help() {
  std::string help = "which network (cnn for images, mlp for vectors):";
  for (const ModelInfo& model : models()) help += fmt::format("\n  {:<10}{}", model.name, model.summary);
  return help;
}

void hold_out_validation(Pool& pool) {
  const auto [kept, held] = hold_out(pool.items.labels, pool.classes, pool.validate, data_seed);
  if (held.empty())
    throw Error(ErrorKind::bad_option, fmt::format("--validate: {} of {} items is none; write a larger share",
                                                   pool.validate, pool.items.size()));
  if (kept.empty())
    throw Error(ErrorKind::bad_option,
                fmt::format("--validate: {} of {} items leaves none to train on; write a "
                            "smaller share",
                            pool.validate, pool.items.size()));
  pool.test = pool.items.subset(held);
  pool.test_name = "validation";
  pool.items = pool.items.subset(kept);
}

double number_or(const cli::Settings& settings, const std::string& name, double otherwise) {
  return settings.has(name) ? parse_number(name, settings.text(name)) : otherwise;
}

template <class Value>
Value choice(const cli::Settings& settings, const std::string& name, const Choices<Value>& choices,
             Value otherwise) {
  return settings.has(name) ? choices.parse(name, settings.text(name)) : otherwise;
}

/// An option that would change nothing about vectors.
void require_images(const cli::Settings& settings, const std::string& name, const Pool& pool) {
  if (pool.shape().is_vector())
    throw Error(ErrorKind::bad_option,
                fmt::format("--{} {}: it is for images, and the items of {} are vectors; leave it out", name,
                            settings.text(name), pool.name));
}

}  // namespace

std::vector<cli::Setting> data_settings() {
  return {{"data", "DIR",
           "the dataset's folder: CIFAR-10 or CIFAR-100 (binary), MNIST-like idx files, x.npy and y.npy,\nor "
           "train/CLASS/*.jpeg; fashion-mnist is Debian's package",
           "Data"},
          {"format", "NAME", format_names() + "; pictures have no labels: embed alone [auto]", "Data"},
          {"image-size", "N", "edge that images of a folder are brought to [224]", "Data"},
          {"long-tail", "R", "keep so few that class sizes fall exponentially to 1/R of the largest", "Data"},
          {"validate", "SHARE",
           "hold out this share of every training class and test with it, not with the test set", "Data"}};
}

std::vector<cli::Setting> training_settings() {
  return {
      {"model", "NAME", model_help(), "Training"},
      {"preset", "quick|paper",
       "quick: one cycle of 15 epochs, but at least 300 steps, unless --epochs says; for a CPU\n"
       "paper: its schedule (450 epochs, or 90), for images [quick]",
       "Training"},
      {"first-step", "warmup|decay",
       "with --preset paper: the first of its four epochs ends a warm-up, or divides the rate too [warmup]",
       "Training"},
      {"epochs", "N", "passes over the data; the schedule stretches with them", "Training"},
      {"rate", "R",
       "highest (quick) or base (paper) learning rate [0.3, vectors 0.03; paper 1, ImageNet 0.1]",
       "Training"},
      {"weight-decay", "W", "[0.0005; paper 0.0001]", "Training"},
      {"batch", "N", "items a step [32; paper 128, on ImageNet 256]", "Training"},
      {"augment", "flip|crop|none",
       "of images; flip: crop and mirror; crop: crop alone, for digits [none; paper flip]", "Training"}};
}

std::vector<cli::Setting> running_settings() {
  return {{"threads", "N", "threads to use (default: all cores); weights are the same for the same number",
           "Running"},
          {"device", "auto|cpu|cuda", "where to train: a graphics card if there is one [auto]", "Running"},
          {"quiet", "", "print nothing but errors", "Running", true}};
}

Pool open_pool(const cli::Settings& settings, PoolUse use) {
  OpenOptions options;
  options.path = settings.required("data", "say where the images are: --data DIR");
  options.format = settings.text("format", "auto");
  const std::uint64_t side = settings.whole("image-size", options.image_side);
  if (side < 8 || side > 2048)
    throw Error(ErrorKind::bad_option,
                fmt::format("--image-size: {} given; write a number from 8 to 2048", side));
  options.image_side = static_cast<std::uint32_t>(side);
  Pool pool;
  pool.validate = share_of(settings, "validate");
  if (settings.has("long-tail")) pool.long_tail = parse_number("long-tail", settings.text("long-tail"));
  if (!(pool.long_tail >= 1) || !std::isfinite(pool.long_tail))
    throw Error(ErrorKind::bad_option,
                fmt::format("--long-tail: {} given; it must be at least 1 (1: leave all)",
                            settings.text("long-tail")));
  Dataset data = open_dataset(options);
  if (settings.has("image-size") && data.format != "folder" && data.format != "pictures")
    throw Error(ErrorKind::bad_option,
                fmt::format("--image-size: {} given, but the items of {} are no image files, and keep the "
                            "size they have; leave it out",
                            side, data.name));
  if (data.classes == 0 && (use != PoolUse::items || pool.validate > 0 || pool.long_tail > 1))
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: these images have no labels, which only pith embed can do without, and not "
                            "with --part test, --validate or --long-tail; put them into train/CLASS/ and "
                            "val/CLASS/",
                            data.name));
  pool.name = data.name;
  pool.format = data.format;
  pool.classes = data.classes;
  pool.items = std::move(data.training);
  pool.test_name = "test";
  if (pool.validate > 0)
    hold_out_validation(pool);
  else if (data.test)
    pool.test = std::move(*data.test);
  else if (use != PoolUse::items)
    throw Error(
        ErrorKind::bad_option,
        fmt::format("{}: there is no test set; hold some items out to test with: --validate 0.1", pool.name));
  if (pool.long_tail > 1)
    pool.items =
        pool.items.subset(long_tail_places(pool.items.labels, pool.classes, pool.long_tail, data_seed));
  pool.normalisation = pool.items.source->measure(pool.items.indices);
  return pool;
}

TrainOptions read_training(const cli::Settings& settings, const Pool& pool) {
  const bool paper = choice<bool>(settings, "preset", {{{"quick", false}, {"paper", true}}}, false);
  if (paper) require_images(settings, "preset", pool);
  TrainOptions options =
      paper ? paper_train_preset(pool.format == "folder") : quick_preset(pool.shape().is_vector());
  if (settings.has("first-step") && !paper)
    throw Error(ErrorKind::bad_option, "--first-step belongs to --preset paper; add that, or leave it out");
  options.first_step =
      choice<FirstStep>(settings, "first-step",
                        {{{"warmup", FirstStep::warmup}, {"decay", FirstStep::decay}}}, FirstStep::warmup);
  if (pool.shape().is_vector()) options.model = "mlp";
  options.model = settings.text("model", options.model);
  // Who says how many epochs means it.
  if (settings.has("epochs")) options.least_steps = 0;
  options.epochs = number_or(settings, "epochs", options.epochs);
  options.rate = number_or(settings, "rate", options.rate);
  options.weight_decay = number_or(settings, "weight-decay", options.weight_decay);
  options.batch = settings.whole("batch", options.batch);
  options.augmentation = choice<Augmentation>(
      settings, "augment",
      {{{"flip", Augmentation::crop_and_flip}, {"crop", Augmentation::crop}, {"none", Augmentation::none}}},
      options.augmentation);
  if (settings.has("augment") && options.augmentation != Augmentation::none)
    require_images(settings, "augment", pool);
  options.seed = settings.whole("seed", 0);
  const std::vector<std::string> problems = options.check();
  if (!problems.empty()) throw Error(ErrorKind::bad_option, fmt::format("{}", fmt::join(problems, "; ")));
  check_model({.name = options.model, .input = pool.shape(), .classes = pool.classes});
  return options;
}

std::size_t count_of(const Budget& budget, std::size_t items, const std::string& option) {
  const std::int64_t count = budget.count_of(items);
  const auto* share = std::get_if<double>(&budget.amount);
  if (count < 1 || static_cast<std::size_t>(count) > items || (share != nullptr && !(*share > 0)))
    throw Error(ErrorKind::bad_option,
                fmt::format("--{}: {}{} of {} items asked for; ask for 1 to {}", option,
                            share != nullptr ? fmt::format("{:g}%, ", 100 * *share) : "",
                            share != nullptr && !(*share > 0) ? 0 : count, items, items));
  return static_cast<std::size_t>(count);
}

std::vector<Item> random_places(std::size_t n, std::size_t count, std::uint64_t seed) {
  constexpr std::uint64_t seed_stream = 0x5eed;
  Rng rng(random_bits(seed, seed_stream));
  std::vector<Item> places = sample_without_repeats(n, count, rng);
  std::sort(places.begin(), places.end());
  return places;
}

std::string prepare_device(const cli::Settings& settings) {
  prepare_torch(Run{.threads = settings.threads(), .progress = {}, .cancelled = nullptr}.thread_count());
  return choose_device(settings.text("device", "auto"));
}

}  // namespace pith::train
