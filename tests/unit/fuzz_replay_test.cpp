// Runs the fuzz targets of the library and the command over their saved corpora.
#define PITH_FUZZ_REPLAY

#include "support/fuzz_replay.h"

#include "../../fuzz/cap_file_fuzz.cpp"
#include "../../fuzz/checkpoint_fuzz.cpp"
#include "../../fuzz/column_fuzz.cpp"
#include "../../fuzz/config_fuzz.cpp"
#include "../../fuzz/csv_fuzz.cpp"
#include "../../fuzz/fvecs_fuzz.cpp"
#include "../../fuzz/graph_file_fuzz.cpp"
#include "../../fuzz/item_list_fuzz.cpp"
#include "../../fuzz/labels_fuzz.cpp"
#include "../../fuzz/manifest_fuzz.cpp"
#include "../../fuzz/npy_fuzz.cpp"
#include "../../fuzz/npz_fuzz.cpp"
#include "../../fuzz/options_fuzz.cpp"
#include "../../fuzz/rounds_fuzz.cpp"
#include "../../fuzz/run_folder_fuzz.cpp"
#include "../../fuzz/safetensors_fuzz.cpp"
#include "../../fuzz/twins_fuzz.cpp"
#include "support/temp_dir.h"

namespace pith {
namespace {

struct Target {
  const char* name;
  void (*run)(std::span<const std::byte>);
};

std::ostream& operator<<(std::ostream& out, const Target& target) {
  return out << target.name;
}

class FuzzReplay : public ::testing::TestWithParam<Target> {};

TEST_P(FuzzReplay, OnlyErrorsEscape) {
  testing::replay_corpus(GetParam().name, GetParam().run);
}

INSTANTIATE_TEST_SUITE_P(
    Corpora, FuzzReplay,
    ::testing::Values(Target{"cap_file", fuzz_cap_file}, Target{"checkpoint", fuzz_checkpoint},
                      Target{"column", fuzz_column}, Target{"config", fuzz_config}, Target{"csv", fuzz_csv},
                      Target{"labels", fuzz_labels}, Target{"graph_file", fuzz_graph_file},
                      Target{"fvecs", fuzz_fvecs}, Target{"item_list", fuzz_item_list},
                      Target{"manifest", fuzz_manifest}, Target{"npy", fuzz_npy}, Target{"npz", fuzz_npz},
                      Target{"options", fuzz_options}, Target{"rounds", fuzz_rounds},
                      Target{"run_folder", fuzz_run_folder}, Target{"safetensors", fuzz_safetensors},
                      Target{"twins", fuzz_twins}),
    [](const auto& target) { return std::string(target.param.name); });

/// Replaying takes an error for an answer; the seeds that are meant to be good must give none.
TEST(FuzzSeeds, good_ones_are_accepted) {
  const testing::TempDir place;
  for (const char* name : {"met", "rows", "picks"}) {
    SCOPED_TRACE(name);
    const std::string seed =
        testing::file_contents(testing::corpus_path("checkpoint") + "/" + name).substr(2);
    Packet body;
    append_text(body, "fuzz");
    append_bytes(body, std::as_bytes(std::span(seed)));
    append_value(body, XXH3_64bits(body.data(), body.size()));
    const std::string file = std::string(name) + (name == std::string("picks") ? "" : "-0-2");
    (void)place.write(
        file, "pith ranks 1\n" + std::string(reinterpret_cast<const char*>(body.data()), body.size()));
  }
  const Checkpoints saved(place.path("."), "fuzz", 0);
  ASSERT_EQ(saved.load_met(0, 2, 3).size(), 1U);
  EXPECT_EQ(saved.load_met(0, 2, 3)[0].counts, (std::vector<std::uint32_t>{1, 1}));
  ASSERT_TRUE(saved.load_rows(0, 2).has_value());
  EXPECT_EQ(saved.load_rows(0, 2)->info.method, "exact");
  ASSERT_TRUE(saved.load_picks().has_value());
  EXPECT_EQ(saved.load_picks()->picks.size(), 2U);
}

}  // namespace
}  // namespace pith
