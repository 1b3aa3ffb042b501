#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "experiment/results.h"
#include "network/trainer.h"
#include "pith/read.h"
#include "support/cli_case.h"
#include "support/tiny_images.h"
#include "support/tiny_png.h"

namespace pith::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class Trainer : public CliCase {
 protected:
  void SetUp() override { data_path_ = write_tiny_dataset(place_, "data", 500, 200); }

  /// A dataset of 300 vectors of three classes.
  [[nodiscard]] std::string write_vectors(const std::string& folder) const {
    Rng rng(3);
    std::vector<float> rows;
    std::string labels;
    for (std::size_t item = 0; item < 300; ++item) {
      labels += static_cast<char>(item % 3);
      for (std::size_t at = 0; at < 8; ++at)
        rows.push_back(static_cast<float>(rng.normal()) + (at == item % 3 ? 2.0F : 0.0F));
    }
    fs::create_directories(path(folder));
    write(folder + "/x.npy", npy_f4(rows, labels.size()));
    write(folder + "/y.npy", npy_file("|u1", "(300,)", labels));
    return path(folder);
  }

  [[nodiscard]] Arguments on_data(const std::string& command, const std::string& out) const {
    return {command, "--data", data_path_, "--out", path(out), "--threads", "2"};
  }
  Outcome succeed(const Arguments& arguments) const {
    Outcome outcome = run_pith(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  /// Accuracies of the finished cells.
  [[nodiscard]] std::map<train::CellKey, double> cells(const std::string& out) const {
    std::map<train::CellKey, double> accuracies;
    for (const train::CellResult& result : train::read_results(path(out))) {
      EXPECT_FALSE(accuracies.contains(result.key)) << "a cell was done twice";
      accuracies[result.key] = result.accuracy;
    }
    return accuracies;
  }
  std::string data_path_;
};

TEST_F(Trainer, the_whole_loop_by_hand) {
  const Arguments quick = {"--epochs", "6", "--batch", "32"};
  const Outcome seed = succeed(on_data("train", "seed") + quick + Arguments{"--fraction", "20%"});
  EXPECT_THAT(seed.out, HasSubstr("on 100 of 500 items"));
  EXPECT_THAT(seed.out, HasSubstr("% of 200 test items"));
  const Outcome embedded = succeed(on_data("embed", "e") + Arguments{"--model", path("seed")});
  EXPECT_THAT(embedded.out, HasSubstr("Embedded 500 items"));
  EXPECT_EQ(read_matrix(path("e/embeddings.npy")).cols(), 64U);
  EXPECT_EQ(read_matrix(path("e/probs.npy")).rows(), 500U);
  succeed({"select", "--embeddings", path("e/embeddings.npy"), "--probs", path("e/probs.npy"), "--budget",
           "150", "--out", path("chosen")});
  const Outcome trained =
      succeed(on_data("train", "final") + quick + Arguments{"--subset", path("chosen/indices.npy")});
  EXPECT_THAT(trained.out, HasSubstr("on 150 of 500 items"));
  const auto json = nlohmann::json::parse(file_contents(path("final/training.json")));
  EXPECT_GT(json.at("accuracy").get<double>(), 0.5);
  EXPECT_FALSE(fs::exists(path("final/checkpoint.safetensors")));
  expect_no_leftovers();
}

TEST_F(Trainer, tells_the_epochs_it_made) {
  EXPECT_THAT(succeed(on_data("train", "few") + Arguments{"--fraction", "100", "--model", "resnet8"}).out,
              HasSubstr("300 steps (96.0 epochs) in"));
  EXPECT_THAT(succeed(on_data("train", "said") + Arguments{"--fraction", "100", "--epochs", "2"}).out,
              HasSubstr("7 steps (2.2 epochs) in"));
}

TEST_F(Trainer, labels_of_a_subset_must_be_the_datasets) {
  const auto labels = TinyImages(500, 1).labels;
  const auto list = [&](std::uint32_t other) {
    return write("labelled.csv", fmt::format("index,label\n7,{}\n476,{}\n3,\n", labels[7], other));
  };
  const Arguments brief = {"--epochs", "1", "--batch", "32", "--subset", path("labelled.csv")};
  list(labels[476] + 1);
  expect_refused(run_pith(on_data("train", "out") + brief), 3,
                 {"labelled.csv: ",
                  fmt::format("item 476 has label {}, the dataset says {}; ", labels[476] + 1, labels[476]),
                  "a list without labels"});
  list(labels[476]);
  EXPECT_THAT(succeed(on_data("train", "out") + brief).out, HasSubstr("on 3 of 500 items"));
}

TEST_F(Trainer, a_training_that_went_astray_is_an_error_and_leaves_nothing) {
  const std::string vectors = write_vectors("vec");
  expect_refused(run_pith({"train", "--data", vectors, "--validate", "0.1", "--rate", "500", "--epochs", "20",
                           "--threads", "2", "--out", path("out")}),
                 2, {"--rate: at 500 the loss is no number any more after ", " steps; lower it"});
  // The last step may be the one that does the harm: then no loss of the training shows it.
  for (const int steps : {4, 5, 6, 7, 8, 9}) {
    const Outcome outcome =
        run_pith(on_data("train", "out") + Arguments{"--rate", "1000", "--weight-decay", "0.9", "--batch",
                                                     "50", "--epochs", fmt::format("0.{}", steps)});
    SCOPED_TRACE(steps);
    if (outcome.code != 0) {
      expect_refused(outcome, 2, {"--rate: at 1000"});
      continue;
    }
    EXPECT_TRUE(nlohmann::json::parse(file_contents(path("out/training.json"))).at("loss").is_number());
    fs::remove_all(path("out"));
  }
}

TEST_F(Trainer, a_seed_model_that_goes_astray_in_its_last_step_is_not_kept) {
  // One of these is: then no loss of the training shows it.
  int astray = 0;
  for (const int steps : {4, 5, 6, 7, 8, 9}) {
    SCOPED_TRACE(steps);
    const Outcome outcome =
        run_pith(on_data("experiment", "r") +
                 Arguments{"--seed-fraction", "500", "--seed-epochs", fmt::format("0.{}", steps), "--budgets",
                           "50", "--trials", "1", "--strategies", "margin", "--no-all-data", "--epochs",
                           "0.1", "--rate", "1000", "--weight-decay", "0.9", "--batch", "50"});
    if (outcome.code != 0) {
      ++astray;
      EXPECT_EQ(outcome.code, 2);
      EXPECT_THAT(outcome.err, HasSubstr("--rate: at 1000 the loss of the seed model is no number"));
      EXPECT_FALSE(fs::exists(path("r/trial-0")));
    }
    fs::remove_all(path("r"));
  }
  EXPECT_GT(astray, 0);
}

TEST_F(Trainer, a_model_without_numbers_is_not_kept_for_finished) {
  const Arguments brief = on_data("train", "old") + Arguments{"--epochs", "1", "--batch", "32"};
  succeed(brief);
  auto json = nlohmann::json::parse(file_contents(path("old/training.json")));
  json["loss"] = nullptr;
  write("old/training.json", json.dump());
  EXPECT_THAT(succeed(brief + Arguments{"--resume"}).out, HasSubstr("Trained cnn"));
  EXPECT_THAT(succeed(brief + Arguments{"--resume"}).out, HasSubstr("this training is finished"));
}

TEST_F(Trainer, embeds_nothing_with_a_network_that_gives_no_numbers) {
  train::Network network({.name = "mlp", .input = {.height = 1, .width = 1, .channels = 8}, .classes = 3}, 1,
                         "cpu");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  train::ModelFile file = network.save();
  for (train::NamedArray& array : file.arrays) std::memcpy(array.bytes.data(), &nan, sizeof nan);
  train::save_model_file(file, path("m.safetensors"));
  expect_refused(run_pith({"embed", "--data", write_vectors("vec"), "--model", path("m.safetensors"), "--out",
                           path("out")}),
                 3, {"m.safetensors: item 0: the network gives NaN; train it again with a lower --rate"});
}

TEST_F(Trainer, a_path_may_be_any_bytes) {
  const std::string odd = path("caf\xe9");
  fs::rename(data_path_, odd);
  const Arguments few = {"--data", odd, "--epochs", "0.1", "--threads", "2", "--quiet"};
  succeed(Arguments{"train", "--out", path("out")} + few);
  EXPECT_TRUE(fs::exists(path("out/training.json")));
  const Arguments experiment =
      Arguments{"experiment", "--out", path("r"),      "--budgets", "50",
                "--trials",   "1",     "--strategies", "random",    "--no-all-data"} +
      few;
  succeed(experiment);
  succeed(experiment);
  EXPECT_EQ(cells("r").size(), 1U);
}

TEST_F(Trainer, embeds_anew_without_what_an_earlier_run_left) {
  const std::string vectors = write_vectors("vec");
  succeed({"train", "--data", vectors, "--validate", "0.1", "--epochs", "1", "--out", path("m")});
  for (const char* stale : {"e/labels.npy", "e/ids.txt", "e/mine.txt"}) {
    fs::create_directories(path("e"));
    write(stale, "of another run");
  }
  succeed({"embed", "--data", vectors, "--model", path("m"), "--out", path("e")});
  EXPECT_NE(file_contents(path("e/labels.npy")), "of another run");
  EXPECT_FALSE(fs::exists(path("e/ids.txt")));
  EXPECT_TRUE(fs::exists(path("e/mine.txt")));
}

TEST_F(Trainer, options_that_would_do_nothing_are_refused) {
  const std::string vectors = write_vectors("vec");
  for (const char* command : {"train", "experiment"}) {
    const Arguments on_vectors = {command, "--data", vectors, "--validate", "0.1", "--out", path("out")};
    expect_refused(run_pith(on_vectors + Arguments{"--augment", "flip"}), 2,
                   {"--augment flip", "are vectors; leave it out"});
    expect_refused(run_pith(on_vectors + Arguments{"--preset", "paper"}), 2,
                   {"--preset paper", "are vectors; leave it out"});
    expect_refused(run_pith(on_vectors + Arguments{"--image-size", "16"}), 2,
                   {"--image-size: 16 given", "no image files", "leave it out"});
    expect_refused(run_pith(on_data(command, "out") + Arguments{"--image-size", "16"}), 2,
                   {"--image-size: 16 given", "no image files", "leave it out"});
  }
  expect_refused(run_pith(on_data("embed", "out") + Arguments{"--image-size", "16", "--model", "none"}), 2,
                 {"--image-size: 16 given", "no image files", "leave it out"});
  succeed({"train", "--data", vectors, "--validate", "0.1", "--augment", "none", "--preset", "quick",
           "--epochs", "1", "--out", path("out")});
}

TEST_F(Trainer, interrupted_and_resumed_it_ends_in_the_same_model) {
  const Arguments options = {"--epochs", "20", "--batch", "32", "--model", "resnet8"};
  succeed(on_data("train", "straight") + options);
  Process process(on_data("train", "broken") + options);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
  while (!fs::exists(path("broken/checkpoint.safetensors"))) {
    ASSERT_FALSE(process.has_ended()) << "over before it could be interrupted";
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  process.send(SIGINT);
  const auto stopped = process.wait(20);
  ASSERT_TRUE(stopped.has_value());
  EXPECT_EQ(stopped->code, 130);
  EXPECT_THAT(stopped->err, HasSubstr("go on with --resume"));
  EXPECT_FALSE(fs::exists(path("broken/model.safetensors")));

  const Outcome careless = run_pith(on_data("train", "broken") + options);
  EXPECT_EQ(careless.code, 2);
  EXPECT_THAT(careless.err, HasSubstr("add --resume"));
  succeed(on_data("train", "broken") + options + Arguments{"--resume"});
  EXPECT_EQ(file_contents(path("broken/model.safetensors")),
            file_contents(path("straight/model.safetensors")));

  // Resumed once more, it is finished and stays as it is.
  const fs::file_time_type written = fs::last_write_time(path("broken/model.safetensors"));
  EXPECT_THAT(succeed(on_data("train", "broken") + options + Arguments{"--resume"}).out,
              HasSubstr("this training is finished"));
  EXPECT_EQ(fs::last_write_time(path("broken/model.safetensors")), written);
  const Outcome other = run_pith(on_data("train", "broken") + Arguments{"--epochs", "20", "--batch", "16",
                                                                        "--model", "resnet8", "--resume"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("a finished training is here, of batch 32, now it is 16"));
}

Arguments small_experiment() {
  return {"--budgets", "10%,20%", "--trials", "2", "--strategies", "margin,random,stratified",
          "--epochs",  "8",       "--batch",  "32"};
}

TEST_F(Trainer, an_experiment_on_500_images_ends_with_a_verdict) {
  const Outcome outcome = succeed(on_data("experiment", "r") + small_experiment());
  EXPECT_THAT(outcome.out, HasSubstr("[14/14] all data 100% trial 1"));
  EXPECT_THAT(outcome.out, HasSubstr("about"));
  EXPECT_THAT(outcome.out, HasSubstr("Verdict"));
  EXPECT_THAT(outcome.out, HasSubstr("All data give"));
  EXPECT_EQ(cells("r").size(), 14U);
  // A trial's seed model is a model like any other.
  succeed(on_data("embed", "e") + Arguments{"--model", path("r/trial-1")});
  EXPECT_EQ(file_contents(path("e/probs.npy")), file_contents(path("r/trial-1/probs.npy")));
  EXPECT_FALSE(fs::exists(path("r/unfinished")));
  // The table is there at any time, also for a pipe.
  EXPECT_THAT(succeed({"experiment", "--out", path("r"), "--table"}).out, HasSubstr("stratified"));
  const std::string csv = succeed({"experiment", "--out", path("r"), "--csv"}).out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 15);
  EXPECT_EQ(csv, file_contents(path("r/results.csv")));
  // Once more, nothing is left to do.
  const std::string lines = file_contents(path("r/results.jsonl"));
  EXPECT_THAT(succeed(on_data("experiment", "r") + small_experiment()).out, Not(HasSubstr("[14/14]")));
  EXPECT_EQ(file_contents(path("r/results.jsonl")), lines);
  // One more trial adds cells and repeats none.
  Arguments longer = small_experiment();
  longer[3] = "3";
  succeed(on_data("experiment", "r") + longer);
  EXPECT_EQ(cells("r").size(), 21U);
  EXPECT_TRUE(file_contents(path("r/results.jsonl")).starts_with(lines));
}

TEST_F(Trainer, an_experiment_killed_at_any_moment_goes_on_and_ends_the_same) {
  succeed(on_data("experiment", "whole") + small_experiment());
  std::string kept;
  for (const int lines : {1, 4, 9}) {
    Process process(on_data("experiment", "killed") + small_experiment());
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    const auto finished = [&] {
      const std::string text = file_contents(path("killed/results.jsonl"));
      return std::count(text.begin(), text.end(), '\n');
    };
    while (finished() < lines) {
      ASSERT_FALSE(process.has_ended()) << process.wait(0)->err;
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    process.send(SIGKILL);
    ASSERT_TRUE(process.wait(20).has_value());
    const std::string now = file_contents(path("killed/results.jsonl"));
    EXPECT_TRUE(now.starts_with(kept)) << "a finished cell was touched";
    kept = now.substr(0, now.rfind('\n') + 1);
  }
  succeed(on_data("experiment", "killed") + small_experiment());
  EXPECT_TRUE(file_contents(path("killed/results.jsonl")).starts_with(kept));
  EXPECT_EQ(cells("killed"), cells("whole"));
}

TEST_F(Trainer, variants_pass_any_option_of_select_from_the_command_line_or_a_file) {
  const Arguments few = {"--budgets", "50", "--trials",      "1",          "--epochs", "2",
                         "--batch",   "32", "--no-all-data", "--validate", "0.2"};
  succeed(on_data("experiment", "r") + few +
          Arguments{"--variant", "soft=submod-bal --gamma 0.3", "--variant", "hot=margin --temperature 3",
                    "--variant", "cold=margin --temperature 0.0005"});
  write("e.toml",
        "strategies = ['random', 'stratified']\n[variant.soft]\nstrategy = 'submod-bal'\ngamma = 0.3\n"
        "[variant.hot]\nstrategy = 'margin'\ntemperature = 3\n"
        "[variant.cold]\nstrategy = 'margin'\ntemperature = 0.0005\n");
  succeed(on_data("experiment", "t") + few + Arguments{"--config", path("e.toml")});
  EXPECT_EQ(cells("r").size(), 5U);
  EXPECT_EQ(cells("r"), cells("t"));
  write("it's.csv", "0,50\n");
  write("q.toml",
        "strategies = ['random']\n[variant.capped]\nstrategy = 'margin'\nbalance = 'class'\n"
        "class-cap = \"" +
            path("it's.csv") + "\"\n");
  succeed(on_data("experiment", "q") + few + Arguments{"--config", path("q.toml")});
  const auto setting = nlohmann::json::parse(file_contents(path("r/experiment.json")));
  EXPECT_EQ(setting.at("tested_with"), "validation");
  EXPECT_EQ(setting.at("test_items").get<int>() + setting.at("items").get<int>(), 500);
}

TEST_F(Trainer, a_seed_model_may_be_trained_longer_than_the_subsets) {
  const Arguments few = {"--budgets",     "50",           "--trials", "1", "--epochs", "2", "--batch", "32",
                         "--no-all-data", "--strategies", "random"};
  const auto seed_steps = [&](const char* out) {
    return nlohmann::json::parse(file_contents(path(std::string(out) + "/trial-0/seed.json"))).at("steps");
  };
  succeed(on_data("experiment", "same") + few);
  succeed(on_data("experiment", "own") + few + Arguments{"--seed-epochs", "6"});
  EXPECT_EQ(seed_steps("same"), 4);  // 2 epochs of 50 items in batches of 32, rounded up
  EXPECT_EQ(seed_steps("own"), 10);
  // Random picks do not depend on the seed model, nor does what is trained on them.
  EXPECT_EQ(cells("own"), cells("same"));
  // Its cells are of one seed model: going on with another is refused.
  const Outcome other = run_pith(on_data("experiment", "own") + few);
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("seed_epochs was 6"));
  const Outcome none = run_pith(on_data("experiment", "none") + few + Arguments{"--seed-epochs", "0"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("--seed-epochs: 0 given"));
  // Few are taken at their word, whatever steps the subsets have at least.
  succeed(on_data("experiment", "word") + Arguments{"--budgets", "50", "--trials", "1", "--batch", "32",
                                                    "--no-all-data", "--strategies", "random",
                                                    "--seed-epochs", "2"});
  EXPECT_EQ(seed_steps("word"), 4);
}

TEST_F(Trainer, mistakes_are_told_in_one_line) {
  const auto refuses = [&](const Arguments& arguments, int code,
                           std::initializer_list<std::string_view> parts) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    expect_refused(run_pith(arguments), code, parts);
  };
  refuses({"train", "--out", path("out")}, 2, {"--data is missing"});
  refuses({"train", "--data", path("nowhere"), "--out", path("out")}, 4, {"nowhere", "no such folder"});
  refuses(on_data("train", "out") + Arguments{"--model", "resnet21"}, 2, {"resnet20"});
  refuses(on_data("train", "out") + Arguments{"--epochs", "0"}, 2, {"--epochs"});
  refuses(on_data("train", "out") + Arguments{"--preset", "slow"}, 2, {"--preset", "quick, paper"});
  refuses(on_data("train", "out") + Arguments{"--first-step", "decay"}, 2, {"--preset paper"});
  refuses(on_data("train", "out") + Arguments{"--long-tail", "0.5"}, 2, {"--long-tail"});
  refuses(on_data("train", "out") + Arguments{"--validate", "1.5"}, 2, {"--validate"});
  refuses(on_data("train", "out") + Arguments{"--validate", "0.999"}, 2, {"--validate", "smaller share"});
  refuses(on_data("train", "data/t10k-labels-idx1-ubyte"), 4, {"exists and is not a folder"});
  refuses(on_data("train", "out") + Arguments{"--fraction", "501"}, 2, {"--fraction", "501", "500"});
  refuses(on_data("train", "out") + Arguments{"--device", "abacus"}, 2, {"--device"});
  refuses(on_data("train", "out") + Arguments{"--epoch", "3"}, 2, {"unknown option '--epoch'", "--epochs"});
  write("subset.txt", "3\n700\n");
  refuses(on_data("train", "out") + Arguments{"--subset", path("subset.txt")}, 3,
          {"subset.txt", "line 2", "700"});
  refuses(on_data("embed", "out"), 2, {"--model FILE"});
  refuses(on_data("embed", "out") + Arguments{"--model", path("none")}, 4, {"none"});
  refuses(on_data("embed", "out") + Arguments{"--torchscript", path("subset.txt")}, 3,
          {"subset.txt", "TorchScript"});
  refuses(on_data("experiment", "out") + Arguments{"--strategies", "magic"}, 2, {"magic"});
  refuses(on_data("experiment", "out") + Arguments{"--budgets", "10%,10%"}, 2, {"listed twice"});
  refuses(on_data("experiment", "out") + Arguments{"--budgets", "1000"}, 2, {"--budgets", "1000"});
  refuses(on_data("experiment", "out") + Arguments{"--budgets", "0%"}, 2,
          {"--budgets", "0%, 0 of 500 items"});
  refuses(on_data("experiment", "out") + Arguments{"--budgets", "110%"}, 2,
          {"--budgets", "110%", "550 of 500 items"});
  refuses(on_data("experiment", "out") + Arguments{"--trials", "0"}, 2, {"--trials"});
  refuses(on_data("experiment", "out") + Arguments{"--variant", "x=margin --gama 1"}, 2, {"--gamma"});
  const std::string capped = fmt::format("x=margin --balance class --class-cap '{}'", path("absent.csv"));
  refuses(on_data("experiment", "capped") + Arguments{"--variant", capped}, 4, {"absent.csv", "cap file"});
  EXPECT_FALSE(fs::exists(path("capped"))) << "it began before it was refused";
  refuses({"experiment", "--out", path("out"), "--table"}, 4, {"results.jsonl"});
}

TEST_F(Trainer, a_pool_without_labels_can_be_embedded_and_nothing_else) {
  for (const char* name :
       {"train/cat/1.png", "train/dog/1.png", "val/cat/1.png", "val/dog/1.png", "pool/b.png", "pool/a.png"}) {
    fs::create_directories(fs::path(path(name)).parent_path());
    write(name, tiny_png());
  }
  const Arguments small = {"--image-size", "8", "--threads", "1"};
  fs::create_directories(path("known"));
  fs::rename(path("train"), path("known/train"));
  fs::rename(path("val"), path("known/val"));
  succeed(Arguments{"train", "--data", path("known"), "--epochs", "1", "--out", path("seed")} + small);
  const Outcome embedded = succeed(
      Arguments{"embed", "--data", path("pool"), "--model", path("seed"), "--out", path("e")} + small);
  expect_refused(run_pith({"embed", "--data", path("pool"), "--model", path("seed"), "--out", path("large")}),
                 3, {"8 x 8 x 3", "224 x 224 x 3", "--image-size 8"});
  EXPECT_THAT(embedded.out, Not(HasSubstr("labels.npy")));
  EXPECT_FALSE(fs::exists(path("e/labels.npy")));
  EXPECT_EQ(read_matrix(path("e/probs.npy")).rows(), 2U);
  EXPECT_EQ(read_matrix(path("e/probs.npy")).cols(), 2U);
  EXPECT_EQ(file_contents(path("e/ids.txt")), path("pool/a.png") + "\n" + path("pool/b.png") + "\n");
  const auto refuses = [&](const Arguments& arguments) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    expect_refused(run_pith(arguments + small), 3, {"pool", "no labels", "train/CLASS/"});
  };
  refuses({"train", "--data", path("pool"), "--out", path("out")});
  refuses({"experiment", "--data", path("pool"), "--out", path("out")});
  const Arguments embed = {"embed", "--data", path("pool"), "--model", path("seed"), "--out", path("out")};
  refuses(embed + Arguments{"--part", "test"});
  refuses(embed + Arguments{"--validate", "0.5"});
  // A folder with classes and no test set: embedded all the same.
  succeed(Arguments{"embed", "--data", path("known/train"), "--model", path("seed"), "--out", path("f")} +
          small);
  EXPECT_TRUE(fs::exists(path("f/labels.npy")));
}

TEST_F(Trainer, a_seed_model_that_went_astray_is_told_and_not_kept) {
  const Outcome outcome =
      run_pith(on_data("experiment", "r") + Arguments{"--budgets", "10%", "--trials", "1", "--strategies",
                                                      "margin", "--rate", "1000", "--weight-decay", "0.9",
                                                      "--epochs", "60", "--batch", "32"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--rate: at 1000 the loss of the seed model is no number"));
  EXPECT_FALSE(fs::exists(path("r/trial-0")));
}

TEST_F(Trainer, a_results_folder_keeps_its_setting) {
  const Arguments few = {"--budgets",     "50",      "--trials", "1", "--strategies", "random",
                         "--no-all-data", "--batch", "32"};
  succeed(on_data("experiment", "r") + few + Arguments{"--epochs", "2"});
  const Outcome outcome = run_pith(on_data("experiment", "r") + few + Arguments{"--epochs", "3"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("epochs was 2.0, now 3.0"));
}

TEST(TrainerHelp, tells_the_options_in_lines_that_can_be_read) {
  const std::map<std::string, std::vector<std::string>> parts = {
      {"train",
       {"--fraction", "--subset", "--resume", "resnet56", "quick|paper", "at least 300 steps", "warmup|decay",
        "pith train --"}},
      {"embed", {"--torchscript", "--part", "embeddings.npy", "pith embed --"}},
      {"experiment",
       {"--strategies", "--variant", "--budgets", "--trials", "--table", "--csv", "--validate"}}};
  for (const auto& [command, texts] : parts) {
    const Outcome outcome = run_pith({command, "--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Usage: pith " + command));
    for (const std::string& text : texts) EXPECT_THAT(outcome.out, HasSubstr(text));
    for (std::size_t begin = 0; begin < outcome.out.size();) {
      const std::size_t end = outcome.out.find('\n', begin);
      EXPECT_LE(end - begin, 140U) << outcome.out.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

}  // namespace
}  // namespace pith::testing
