#include "pipeline/unused_options.h"

#include <gmock/gmock.h>

namespace pith {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<UnusedOption>& unused) {
  std::vector<std::string> names;
  for (const UnusedOption& option : unused) {
    EXPECT_FALSE(option.because.empty()) << option.name;
    names.push_back(option.name);
  }
  return names;
}

std::vector<std::string> unused(GivenTexts given) {
  given.emplace("budget", "1");
  return names_of(find_unused(given, settle_given_options(given, read_given_options(given))));
}

TEST(unused_options, of_other_strategies) {
  EXPECT_THAT(unused({{"similarity", "0.9"}, {"radius", "1"}, {"committee", "kl"}}),
              ElementsAre("committee", "similarity", "radius"));
  EXPECT_THAT(unused({{"strategy", "dedup"}, {"similarity", "0.9"}}), IsEmpty());
  EXPECT_THAT(unused({{"strategy", "gist"}, {"spread", "2"}, {"quality", "2"}}), ElementsAre("quality"));
  EXPECT_THAT(unused({{"stochastic-epsilon", "0.2"}, {"threshold-epsilon", "0.2"}}),
              ElementsAre("stochastic-epsilon", "threshold-epsilon"));
  EXPECT_THAT(unused({{"optimizer", "stochastic"}, {"stochastic-epsilon", "0.2"}}), IsEmpty());
}

TEST(unused_options, of_the_objective) {
  EXPECT_THAT(unused({{"strategy", "margin"}, {"uncertainty", "entropy"}}), ElementsAre("uncertainty"));
  EXPECT_THAT(unused({{"strategy", "margin"}, {"uncertainty", "margin"}}), IsEmpty());
  EXPECT_THAT(unused({{"uncertainty", "entropy"}}), IsEmpty());
  EXPECT_THAT(unused({{"strategy", "facility-location"}, {"lambda", "1,0,0"}}), ElementsAre("lambda"));
  EXPECT_THAT(unused({{"strategy", "margin"}, {"lambda", "1,0,0"}}), IsEmpty()) << "f is measured by it";
  EXPECT_THAT(unused({{"term", "triples=1"}, {"clique-size", "4"}}), ElementsAre("clique-size"));
  EXPECT_THAT(unused({{"area-threshold", "0.1"}, {"area-quantile", "0.9"}}), ElementsAre("area-quantile"));
  EXPECT_THAT(unused({{"term", "triples=1,quads=1"}, {"area-threshold", "0.1"}, {"area-quantile", "0.9"}}),
              IsEmpty())
      << "the quantile of volumes";
  EXPECT_THAT(unused({{"facility", "dense"}, {"graph-cut-lambda", "0.1"}}),
              ElementsAre("facility", "graph-cut-lambda"));
  EXPECT_THAT(
      unused(
          {{"term", "facility-location=1,graph-cut=1"}, {"facility", "graph"}, {"graph-cut-lambda", "0.1"}}),
      IsEmpty());
  EXPECT_THAT(unused({{"knn", "exact"}, {"recall", "0.9"}}), ElementsAre("recall"));
}

TEST(unused_options, of_what_draws) {
  EXPECT_THAT(unused({{"seed", "1"}}), ElementsAre("seed"));
  EXPECT_THAT(unused({{"seed", "1"}, {"strategy", "random"}}), IsEmpty());
  EXPECT_THAT(unused({{"seed", "1"}, {"optimizer", "stochastic"}}), IsEmpty());
  EXPECT_THAT(unused({{"seed", "1"}, {"optimizer", "naive"}}), ElementsAre("seed"));
  EXPECT_THAT(unused({{"seed", "1"}, {"distributed", "exact"}}), ElementsAre("seed"));
  EXPECT_THAT(unused({{"seed", "1"}, {"distributed", "bounding"}}), IsEmpty()) << "it deals the partitions";
}

TEST(unused_options, of_cliques) {
  const auto with = [](const GivenTexts& more) {
    GivenTexts given = {{"eta", "0.5"}, {"triple-scale", "mean"}};
    given.insert(more.begin(), more.end());
    return unused(given);
  };
  EXPECT_THAT(with({}), IsEmpty());
  EXPECT_THAT(with({{"clique-size", "4"}}), IsEmpty());
  EXPECT_THAT(with({{"strategy", "margin"}}), IsEmpty()) << "f is measured by them";
  EXPECT_THAT(with({{"term", "quads=1"}}), IsEmpty());
  for (const GivenTexts& none :
       {GivenTexts{{"strategy", "submod"}}, GivenTexts{{"strategy", "submod"}, {"lambda", "1,1,1"}},
        GivenTexts{{"lambda", "1,1,0"}}, GivenTexts{{"term", "diversity=1"}},
        GivenTexts{{"term", "diversity=1,triples=0"}}, GivenTexts{{"strategy", "graph-cut"}}})
    EXPECT_THAT(with(none), ElementsAre("eta", "triple-scale"));
}

TEST(unused_options, of_caps) {
  EXPECT_THAT(
      unused({{"strategy", "margin"}, {"class-slack", "2"}, {"boundary-slack", "3"}, {"shortfall", "stop"}}),
      ElementsAre("class-slack", "boundary-slack", "shortfall"));
  EXPECT_THAT(unused({{"class-slack", "2"}, {"boundary-slack", "3"}, {"shortfall", "stop"}}), IsEmpty());
  EXPECT_THAT(unused({{"class-cap", "3"}, {"class-slack", "2"}}), ElementsAre("class-slack"));
  EXPECT_THAT(unused({{"boundary-cap", "3"}, {"boundary-slack", "2"}}), ElementsAre("boundary-slack"));
  EXPECT_THAT(unused({{"boundary-cap", "proportional"}, {"boundary-slack", "2"}}),
              ElementsAre("boundary-slack"));
  EXPECT_THAT(unused({{"balance", "none"}, {"class-cap", "3"}}), ElementsAre("class-cap"));
}

TEST(unused_options, by_every_strategy_of_several) {
  const GivenTexts given = {{"budget", "1"}, {"class-cap", "3"}, {"similarity", "0.9"}};
  const auto by = [&](const std::vector<std::string>& strategies) {
    return names_of(find_unused_by_all(given, read_given_options(given), strategies));
  };
  EXPECT_THAT(by({"margin", "random"}), ElementsAre("class-cap", "similarity"));
  EXPECT_THAT(by({"margin", "submod-bal"}), ElementsAre("similarity"));
  EXPECT_THAT(by({"submod-bal", "dedup"}), IsEmpty());
}

TEST(unused_options, of_several_strategies_none_may_draw_but_f_has_triples) {
  const auto by = [](GivenTexts given, const std::vector<std::string>& strategies) {
    given.emplace("budget", "1");
    return names_of(find_unused_by_all(given, read_given_options(given), strategies));
  };
  EXPECT_THAT(by({{"seed", "1"}}, {"margin", "submod"}), ElementsAre("seed"));
  EXPECT_THAT(by({{"seed", "1"}}, {"margin", "random"}), IsEmpty());
  EXPECT_THAT(by({{"eta", "0.5"}}, {"submod", "graph-cut"}), IsEmpty());
  EXPECT_THAT(by({{"eta", "0.5"}, {"lambda", "1,1,1"}}, {"submod", "graph-cut"}), IsEmpty());
  EXPECT_THAT(by({{"eta", "0.5"}, {"lambda", "1,1,0"}}, {"submod", "margin"}), ElementsAre("eta"));
}

TEST(unused_options, what_all_are_measured_by_is_used) {
  const GivenTexts given = {
      {"budget", "1"}, {"uncertainty", "entropy"}, {"term", "facility-location=1"}, {"facility", "dense"}};
  EXPECT_THAT(
      find_unused_by_all(given, read_given_options(given), std::vector<std::string>{"margin", "graph-cut"}),
      IsEmpty());
}

}  // namespace
}  // namespace pith
