#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/output_file.h"
#include "base/output_folder.h"
#include "base/thousands.h"
#include "commands/commands.h"
#include "commands/common.h"
#include "data/json.h"
#include "data/manifest.h"
#include "data/mapped_file.h"
#include "data/npy_writer.h"
#include "data/refuse.h"
#include "network/trainer.h"
#include "pipeline/option_table.h"
#include "pith/error.h"
#include "terminal.h"

namespace pith::train {
namespace {

namespace fs = std::filesystem;

std::vector<cli::Setting> all_settings() {
  std::vector<cli::Setting> settings = data_settings();
  settings.insert(settings.end(),
                  {{"fraction", "N|P%", "train on so many random items [100%]: 10% makes a seed model",
                    "What to train on"},
                   {"subset", "FILE",
                    "train on these items: indices.npy of pith select, or a list as for its --labelled;\n"
                    "labels in it must be the dataset's: those are learnt",
                    "What to train on"},
                   {"seed", "N", "for the random items, the first weights and the order of training [0]",
                    "What to train on"},
                   {"out", "DIR", "folder for model.safetensors, indices.npy and training.json", "Files"},
                   {"resume", "", "go on from the checkpoint in --out, to the same result", "Files", true},
                   {"config", "FILE", "options from a TOML file; the command line wins", "Files"}});
  for (const auto& more : {training_settings(), running_settings()})
    settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// The dataset's labels are learnt: a list that has others must not seem to be heeded.
void require_labels_of_dataset(const ItemList& list, const Pool& pool, const std::string& path) {
  for (std::size_t at = 0; at < list.items.size(); ++at) {
    const Item item = list.items[at];
    const std::uint32_t label = pool.items.labels[item];
    if (list.labels[at].value_or(label) == label) continue;
    refuse_input(path,
                 "item {} has label {}, the dataset says {}; train takes the dataset's labels: correct them "
                 "there, or give a list without labels",
                 item, *list.labels[at], label);
  }
}

std::vector<Item> chosen_places(const cli::Settings& settings, const Pool& pool, std::uint64_t seed) {
  if (settings.has("subset") && settings.has("fraction"))
    throw Error(ErrorKind::bad_option, "--subset and --fraction both say what to train on; leave one out");
  if (settings.has("subset")) {
    const std::string path = settings.text("subset");
    ItemList list = read_item_list(path, pool.items.size(), {});
    if (list.items.empty())
      throw Error(ErrorKind::bad_input, fmt::format("{}: no items in it to train on", path));
    require_labels_of_dataset(list, pool, path);
    // The order of picks must not matter to the training.
    std::sort(list.items.begin(), list.items.end());
    return std::move(list.items);
  }
  const Budget budget = parse_budget("fraction", settings.text("fraction", "100%"));
  return random_places(pool.items.size(), count_of(budget, pool.items.size(), "fraction"), seed);
}

struct Trained {
  TrainReport report;
  Evaluation evaluation;
};

/// Going on from a checkpoint would only lead here again.
[[noreturn]] void give_up(const TrainOptions& options, const TrainReport& report,
                          const CheckpointPlan& checkpoint) {
  std::error_code ignored;
  fs::remove(checkpoint.path, ignored);
  throw Error(ErrorKind::bad_option,
              fmt::format("--rate: at {} the loss is no number any more after {} steps; lower it",
                          options.rate, with_commas(report.steps)));
}

/// An interruption that leaves a checkpoint behind says how to go on from it.
Trained train_and_test(Network& network, const Part& part, const Pool& pool, const TrainOptions& options,
                       const CheckpointPlan& checkpoint, const Run& run) {
  try {
    Trained trained;
    trained.report = train_network(network, part, options, options.steps_for(part.size()), checkpoint, run);
    if (trained.report.diverged) give_up(options, trained.report, checkpoint);
    trained.evaluation = evaluate(network, pool.test, pool.normalisation, run);
    // The last step may be the one that goes astray.
    if (!std::isfinite(trained.evaluation.loss)) give_up(options, trained.report, checkpoint);
    return trained;
  } catch (const Error& stopped) {
    std::error_code ignored;
    if (stopped.kind() != ErrorKind::interrupted || !fs::exists(checkpoint.path, ignored)) throw;
    throw Error(
        ErrorKind::interrupted,
        fmt::format("interrupted: the last whole epoch is kept in {}; go on with --resume", checkpoint.path));
  }
}

void print_trained(const Trained& trained, const Network& network, const Pool& pool, std::size_t items,
                   std::uint64_t batch) {
  const TrainReport& report = trained.report;
  const double epochs = static_cast<double>(report.steps * batch) / static_cast<double>(items);
  fmt::print("Trained {} ({} weights) on {} of {} items: {} steps ({:.1f} epochs) in {:.1f} s\n",
             network.spec().name, with_commas(count_parameters(network.spec())), with_commas(items),
             with_commas(pool.items.size()), with_commas(report.steps), epochs, report.seconds);
  if (!report.epoch_losses.empty())
    fmt::print("  loss         {:.3f} in the first epoch, {:.3f} in the last\n", report.epoch_losses.front(),
               report.epoch_losses.back());
  fmt::print("  accuracy     {:.2f}% of {} {} items\n", 100 * trained.evaluation.accuracy,
             with_commas(pool.test.size()), pool.test_name);
}

std::string training_json(const Network& network, const Trained& trained, const Pool& pool, std::size_t items,
                          const std::string& identity) {
  const TrainReport& report = trained.report;
  const nlohmann::ordered_json json = {{"data", pool.name},
                                       {"long_tail", pool.long_tail},
                                       {"items", items},
                                       {"model", network.spec().name},
                                       {"parameters", count_parameters(network.spec())},
                                       {"steps", report.steps},
                                       {"epoch_losses", report.epoch_losses},
                                       {"tested_with", pool.test_name},
                                       {"accuracy", trained.evaluation.accuracy},
                                       {"loss", trained.evaluation.loss},
                                       {"seconds", report.seconds},
                                       {"seconds_waited_for_data", report.waited_seconds},
                                       {"identity", nlohmann::ordered_json::parse(identity)}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// Whether a finished training is here; refuses one that is another than asked for.
bool is_finished(const fs::path& out, const std::string& identity) {
  std::error_code ignored;
  const std::string path = (out / "training.json").string();
  if (!fs::exists(path, ignored) || !fs::exists(out / "model.safetensors", ignored)) return false;
  const nlohmann::ordered_json before = parse_json(map_file(path).text(), 8, path, "the file");
  // From before a training that went astray was an error.
  if (before.contains("loss") && before.at("loss").is_null()) return false;
  if (!before.contains("identity")) return true;  // from before it was kept
  const nlohmann::ordered_json& was = before.at("identity");
  const auto now = nlohmann::ordered_json::parse(identity);
  for (const auto& [name, value] : now.items())
    if (!was.contains(name) || was.at(name) != value)
      refuse(ErrorKind::bad_option, out.string(),
             "a finished training is here, of {} {}, now it is {}; choose another --out", name,
             was.contains(name) ? was.at(name).dump() : "unknown", value.dump());
  return true;
}

/// Makes the folder, and takes it away again if nothing was put into it.
class MadeFolder {
 public:
  explicit MadeFolder(fs::path path) : path_(std::move(path)), made_(fs::create_directories(path_)) {}
  ~MadeFolder() {
    std::error_code ignored;
    if (made_) fs::remove(path_, ignored);  // removes no folder that has something in it
  }
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;

 private:
  fs::path path_;
  bool made_;
};

void run_train(cli::Settings& settings) {
  settings.gather("train");
  const fs::path out = settings.required("out", "say where to put the model: --out DIR");
  const std::string checkpoint = (out / "checkpoint.safetensors").string();
  std::error_code error;
  if (fs::exists(checkpoint, error) && !settings.flag("resume"))
    throw Error(ErrorKind::bad_option,
                fmt::format("{}: an unfinished training is here; add --resume to go on, or remove the file",
                            checkpoint));
  const Pool pool = open_pool(settings);
  const TrainOptions options = read_training(settings, pool);
  const std::vector<Item> places = chosen_places(settings, pool, options.seed);
  const Part part = pool.items.subset(places);
  const std::string device = prepare_device(settings);
  OutputFolder folder(out);  // first: it says what is wrong with --out
  const MadeFolder made(out);

  cli::ProgressLine line(settings.flag("quiet"));
  const Run run = cli::make_run(settings.threads(), line);
  Network network({.name = options.model,
                   .input = pool.shape(),
                   .classes = pool.classes,
                   .normalisation = pool.normalisation},
                  options.seed, device);
  const std::string identity =
      training_identity(options, network.spec(), part, options.steps_for(part.size()));
  if (settings.flag("resume") && !fs::exists(checkpoint, error) && is_finished(out, identity)) {
    line.clear();
    if (!settings.flag("quiet"))
      fmt::print("{}: this training is finished and kept; to train again, choose another --out\n",
                 out.string());
    return;
  }
  const Trained trained = train_and_test(network, part, pool, options,
                                         {.path = checkpoint, .resume = settings.flag("resume")}, run);
  folder.write("indices.npy", npy_of_int64(places));
  folder.write("training.json", training_json(network, trained, pool, part.size(), identity));
  folder.write_in_pieces("model.safetensors",
                         [&](OutputFile& file) { write_model_file(network.save(), file); });
  folder.commit();
  fs::remove(checkpoint, error);
  line.clear();
  if (settings.flag("quiet")) return;
  print_trained(trained, network, pool, part.size(), options.batch);
  fmt::print("Wrote {}/ model.safetensors, indices.npy, training.json\n", out.string());
}

}  // namespace

std::function<void()> add_train(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("train", "Train a network on a dataset of images, or on a chosen subset of it");
  command->footer(
      "Examples:\n"
      "  pith train --data fashion-mnist --long-tail 100 --fraction 10% --out seed\n"
      "  pith train --data cifar-10-batches-bin --model resnet20 --subset chosen/indices.npy --out final\n"
      "Exit codes: 0 done, 2 bad option, 3 bad input, 4 input/output, 130 interrupted");
  auto settings = std::make_shared<cli::Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_train(*settings); };
}

}  // namespace pith::train
