#include <fmt/format.h>

#include <cstdlib>

#include "support/cli_case.h"
#include "support/sanitized.h"

namespace pith::testing {
namespace {

namespace fs = std::filesystem;

/// Work for many seconds.
class Interrupt : public CliCase {
 protected:
  void SetUp() override {
    const Outcome made = run_pith(
        {"synth", "--items", "40000", "--dim", "256", "--classes", "10", "--out", path("data"), "--quiet"});
    ASSERT_EQ(made.code, 0) << made.err;
  }

  /// Sends the signal once the process has used this much processor time, and expects a prompt end.
  void expect_prompt_end(const Arguments& arguments, int signal, double busy) const {
    SCOPED_TRACE(::testing::PrintToString(arguments) + " after " + std::to_string(busy));
    Process process(arguments);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (process.busy_seconds() < busy) {
      ASSERT_FALSE(process.has_ended()) << "over before it could be interrupted: " << process.wait(0)->err;
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    process.send(signal);
    const auto outcome = process.wait(2);
    ASSERT_TRUE(outcome.has_value()) << "still running two seconds after the signal";
    EXPECT_EQ(outcome->code, 130);
    EXPECT_EQ(outcome->out, "");
    EXPECT_THAT(outcome->err, ::testing::HasSubstr("pith: interrupted: nothing was written\n"));
    EXPECT_FALSE(fs::exists(path("out")));
    EXPECT_EQ(std::distance(fs::directory_iterator(path("")), {}), 1) << "something was left behind";
  }
};

TEST_F(Interrupt, a_selection_ends_at_once_and_leaves_nothing) {
  const Arguments select = {"select",   "--embeddings",         path("data/embeddings.npy"),
                            "--probs",  path("data/probs.npy"), "--out",
                            path("out")};
  const Arguments tenth = select + Arguments{"--budget", "10%"};
  for (const double busy : {0.2, 0.6}) expect_prompt_end(tenth, SIGINT, busy);
  expect_prompt_end(tenth, SIGTERM, 0.4);
  expect_prompt_end(tenth + Arguments{"--metric", "l1", "--threads", "1"}, SIGINT, 0.4);
  expect_prompt_end(select + Arguments{"--strategy", "k-center", "--measure", "light", "--budget", "60%"},
                    SIGINT, 0.8);
}

TEST_F(Interrupt, a_graph_too) {
  expect_prompt_end({"graph", "--embeddings", path("data/embeddings.npy"), "--out", path("out")}, SIGINT,
                    0.5);
}

/// OpenBLAS's threads wait for ever for memory that a limit denies them.
TEST(HardLimit, the_command_starts_and_ends_within_64_mebibytes) {
  if (sanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
  EXPECT_EQ(std::system(
                fmt::format("ulimit -d 65536 && timeout 20 '{}' --version >/dev/null", PITH_COMMAND).c_str()),
            0);
}

/// A file that is cut short while it is mapped: whoever reads on gets SIGBUS from the system.
TEST_F(Interrupt, a_file_cut_short_is_told_by_name) {
  for (const char* threads : {"1", "2"}) {
    fs::copy_file(path("data/embeddings.npy"), path("cut.npy"));
    Process process({"graph", "--embeddings", path("cut.npy"), "--metric", "l1", "--out", path("out"),
                     "--threads", threads});
    while (process.busy_seconds() < 0.5) {
      ASSERT_FALSE(process.has_ended()) << process.wait(0)->err;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    fs::resize_file(path("cut.npy"), 4096);
    const auto outcome = process.wait(20);
    ASSERT_TRUE(outcome.has_value()) << "reads on though the file is gone";
    EXPECT_EQ(outcome->code, 4) << outcome->err;
    EXPECT_THAT(outcome->err, ::testing::HasSubstr("cut.npy: was cut short"));
    EXPECT_FALSE(fs::exists(path("out")));
    fs::remove(path("cut.npy"));
  }
}

}  // namespace
}  // namespace pith::testing
