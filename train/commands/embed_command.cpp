#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/output_folder.h"
#include "base/seconds_since.h"
#include "base/thousands.h"
#include "commands/commands.h"
#include "commands/common.h"
#include "commands/write_rows.h"
#include "data/npy_writer.h"
#include "data/refuse.h"
#include "images/item_ids.h"
#include "network/trainer.h"
#include "pipeline/option_table.h"
#include "pith/error.h"
#include "terminal.h"

namespace pith::train {
namespace {

std::vector<cli::Setting> all_settings() {
  std::vector<cli::Setting> settings = data_settings();
  settings.insert(
      settings.end(),
      {{"part", "train|test", "which items to embed [train]", "Data"},
       {"model", "FILE", "a network of pith train: model.safetensors, or its folder", "Files"},
       {"torchscript", "FILE",
        "any network instead, saved as TorchScript: returns logits or (embeddings, logits)", "Files"},
       {"mean", "M,M,M",
        "with --torchscript: what it expects to be taken off each channel\n[as measured; of image files "
        "ImageNet's]",
        "Files"},
       {"deviation", "D,D,D", "and each channel to be divided by [likewise]; pixels count from 0 to 1",
        "Files"},
       {"out", "DIR",
        "folder for embeddings.npy, probs.npy, labels.npy where they are known and, of images, ids.txt;\n"
        "written whole or not at all",
        "Files"}});
  for (const cli::Setting& setting : running_settings()) settings.push_back(setting);
  return settings;
}

std::string model_path(const std::string& given) {
  std::error_code ignored;
  return std::filesystem::is_directory(given, ignored) ? given + "/model.safetensors" : given;
}

/// One number for all channels, or one for each; of vectors, one for all.
std::vector<float> numbers(const cli::Settings& settings, const std::string& name,
                           std::vector<float> otherwise, InputShape shape) {
  if (!settings.has(name)) return otherwise;
  const std::uint32_t channels = shape.is_vector() ? 1 : shape.channels;
  std::vector<float> out;
  const std::string text = settings.text(name);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    out.push_back(static_cast<float>(parse_number(name, text.substr(begin, comma - begin))));
    begin = comma + 1;
  }
  if (out.size() != 1 && out.size() != channels)
    throw Error(ErrorKind::bad_option,
                channels == 1 ? fmt::format("--{}: {} numbers given; write one", name, out.size())
                              : fmt::format("--{}: {} numbers given; write one, or {} with commas between",
                                            name, out.size(), channels));
  return out;
}

/// How images of a folder get the size the network takes, where that is all that differs.
std::string other_size(const InputShape& taken, const InputShape& given) {
  if (taken.height != taken.width || taken.channels != given.channels || given.height != given.width)
    return "";
  return fmt::format("images of a folder are brought to that size by --image-size {}; else ", taken.height);
}

/// Whichever network was asked for, and what its inputs go through.
struct Asked {
  std::string path;  ///< of its file
  std::unique_ptr<Predictor> predictor;
  const ScriptModel* script = nullptr;
  Normalisation normalisation;
};

Asked load(const cli::Settings& settings, const Pool& pool, const std::string& device) {
  if (settings.has("model") == settings.has("torchscript"))
    throw Error(ErrorKind::bad_option,
                "say which network to ask: --model FILE of pith train, or --torchscript FILE");
  Asked asked;
  if (settings.has("torchscript")) {
    asked.path = settings.text("torchscript");
    auto script = std::make_unique<ScriptModel>(asked.path, pool.shape(), device);
    asked.normalisation = {
        .mean = numbers(settings, "mean", pool.normalisation.mean, pool.shape()),
        .deviation = numbers(settings, "deviation", pool.normalisation.deviation, pool.shape())};
    for (const float deviation : asked.normalisation.deviation)
      if (!(deviation > 0))
        throw Error(ErrorKind::bad_option,
                    fmt::format("--deviation: {} given; what is divided by must be above 0", deviation));
    asked.script = script.get();
    asked.predictor = std::move(script);
    return asked;
  }
  for (const char* name : {"mean", "deviation"})
    if (settings.has(name))
      throw Error(ErrorKind::bad_option,
                  fmt::format("--{}: a network of pith train has its own; leave it out", name));
  asked.path = model_path(settings.text("model"));
  const ModelFile file = load_model_file(asked.path);
  if (!(file.spec.input == pool.shape()))
    throw Error(
        ErrorKind::bad_input,
        fmt::format(
            "{}: the network takes {} x {} x {}, but the items are {} x {} x {}; {}train one on such data",
            asked.path, file.spec.input.height, file.spec.input.width, file.spec.input.channels,
            pool.shape().height, pool.shape().width, pool.shape().channels,
            other_size(file.spec.input, pool.shape())));
  asked.normalisation = file.spec.normalisation;
  asked.predictor = std::make_unique<Network>(file, asked.path, device);
  return asked;
}

/// What is wrong with a network that gives no number for an item, and what helps.
[[noreturn]] void refuse_network(const Asked& asked, const Part& part, std::size_t item, float value) {
  const std::string file = part.source->path_of(part.indices[item]);
  refuse_input(asked.path, "item {}{}: the network gives {}; {}", item,
               file.empty() ? "" : fmt::format(" ({})", printable(file)),
               std::isnan(value) ? "NaN" : "infinity",
               asked.script != nullptr ? "correct it, or --mean and --deviation"
                                       : "train it again with a lower --rate");
}

/// Those of an earlier run would pass for the new rows'.
void remove_unless(bool written, const OutputFolder& folder, const char* name) {
  std::error_code ignored;
  if (!written) std::filesystem::remove(folder.path() / name, ignored);
}

void run_embed(cli::Settings& settings) {
  settings.gather("embed");
  const std::string which = settings.text("part", "train");
  if (which != "train" && which != "test")
    throw Error(ErrorKind::bad_option, fmt::format("--part: '{}' given; choose train or test", which));
  OutputFolder folder(settings.required("out", "say where to put the results: --out DIR"));
  const Pool pool = open_pool(settings, which == "train" ? PoolUse::items : PoolUse::test);
  const Part& part = which == "train" ? pool.items : pool.test;
  cli::ProgressLine line(settings.flag("quiet"));
  const Run run = cli::make_run(settings.threads(), line);
  const Asked asked = load(settings, pool, prepare_device(settings));

  const auto started = std::chrono::steady_clock::now();
  const WrittenRows written = write_rows(
      folder, *asked.predictor, part, asked.normalisation,
      [&](std::size_t item, float value) { refuse_network(asked, part, item, value); }, run);
  const double seconds = seconds_since(started);
  const bool labelled = pool.classes > 0;
  if (labelled) folder.write("labels.npy", npy_of_int64(part.labels));
  const std::vector<std::string> ids =
      ids_of(part, pool.name, part.source == pool.items.source ? "train" : "test");
  if (!ids.empty()) folder.write("ids.txt", id_lines(ids));
  remove_unless(labelled, folder, "labels.npy");
  remove_unless(!ids.empty(), folder, "ids.txt");
  folder.commit();
  line.clear();
  if (settings.flag("quiet")) return;
  fmt::print("Embedded {} items in {:.1f} s ({:.0f} a second, {:.0f}% of it waiting for data)\n",
             with_commas(part.size()), seconds, static_cast<double>(part.size()) / seconds,
             100 * written.waited_seconds / seconds);
  fmt::print("  embeddings   {} numbers each{}\n", written.embedding,
             asked.script != nullptr && !asked.script->has_embeddings()
                 ? " (the logits: the network returns no others)"
                 : "");
  fmt::print("  classes      {}\n", written.classes);
  fmt::print("Wrote {}/ embeddings.npy, probs.npy{}{}\n", folder.path().string(),
             labelled ? ", labels.npy" : "", ids.empty() ? "" : ", ids.txt");
}

}  // namespace

std::function<void()> add_embed(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "embed", "Turn images into the embeddings and class probabilities that select reads");
  command->footer(
      "Examples:\n"
      "  pith embed --data fashion-mnist --long-tail 100 --model seed --out embedded\n"
      "  pith embed --data photos --torchscript mine.pt --mean 0.485,0.456,0.406 --deviation "
      "0.229,0.224,0.225 --out e\n"
      "  pith select --embeddings embedded/embeddings.npy --probs embedded/probs.npy --ids "
      "embedded/ids.txt --budget 10% --out chosen\n"
      "Exit codes: 0 done, 2 bad option, 3 bad input, 4 input/output, 130 interrupted");
  auto settings = std::make_shared<cli::Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_embed(*settings); };
}

}  // namespace pith::train
