#include "experiment/variant.h"

#include <fmt/format.h>

#include "support/errors.h"
#include "support/temp_dir.h"

namespace pith::train {
namespace {

using testing::expect_error;

TEST(Variant, a_plain_strategy_is_its_own_name) {
  EXPECT_EQ(parse_variant("margin"), (Variant{.name = "margin", .options = "--strategy margin"}));
}

TEST(Variant, an_option_with_a_sign_is_no_name) {
  EXPECT_EQ(parse_variant("--strategy=margin").name, "--strategy=margin");
  EXPECT_EQ(parse_variant("--strategy=margin").options, "--strategy margin");
}

TEST(Variant, a_name_with_options) {
  const Variant variant = parse_variant("soft=submod-bal --gamma 0.3 --boundary-slack=3 --balance class");
  EXPECT_EQ(variant.name, "soft");
  EXPECT_EQ(variant.options, "--strategy submod-bal --gamma 0.3 --boundary-slack 3 --balance class");
  const VariantOptions options = parse_variant_options(variant);
  EXPECT_EQ(options.select.strategy, "submod-bal");
  EXPECT_EQ(options.select.objective.gamma, 0.3);
  EXPECT_EQ(options.select.balance.boundary_slack, 3);
  EXPECT_EQ(options.select.balance.balance, BalanceKind::class_only);
  EXPECT_EQ(options.temperature, 1);
}

TEST(Variant, spelling_does_not_matter) {
  EXPECT_EQ(parse_variant("a=margin --gamma=0.5").options,
            parse_variant("a=--strategy  margin --gamma  '0.5'").options);
}

TEST(Variant, the_paper_preset_comes_first_wherever_it_stands) {
  const VariantOptions options =
      parse_variant_options(parse_variant("p=submod-bal --boundary-cap 7 --preset paper"));
  EXPECT_EQ(options.select.objective.triple_scale, TripleScale::none);
  EXPECT_TRUE(std::holds_alternative<FixedCap>(options.select.balance.boundary_cap));
}

TEST(Variant, temperature_is_an_option_too) {
  EXPECT_EQ(parse_variant_options(parse_variant("t=margin --temperature 2.5")).temperature, 2.5);
}

TEST(Variant, values_may_hold_blanks) {
  const Variant variant = parse_variant("v=margin --balance class --class-cap 'my caps.csv'");
  EXPECT_EQ(variant.options, "--strategy margin --balance class --class-cap 'my caps.csv'");
  EXPECT_EQ(std::get<CapFile>(parse_variant_options(variant).select.balance.class_cap).path, "my caps.csv");
}

TEST(Variant, cap_files_are_checked_ahead) {
  const testing::TempDir place;
  const auto check = [](const char* option, const std::string& path) {
    check_cap_files(parse_variant(fmt::format("x=submod-bal --{} '{}'", option, path)), 3);
  };
  check("class-cap", "5");
  check("class-cap", place.write("classes.csv", "class,cap\n2,5\n"));
  check("boundary-cap", place.write("pairs.csv", "0,2,5\n"));
  for (const char* option : {"class-cap", "boundary-cap"})
    expect_error(ErrorKind::io, {"absent.csv", "cap file"}, [&] { check(option, place.path("absent.csv")); });
  expect_error(ErrorKind::bad_input, {"more.csv", "class 3"},
               [&] { check("class-cap", place.write("more.csv", "3,5\n")); });
}

TEST(Variant, mistakes_are_named) {
  const auto refuses = [](const char* text, std::initializer_list<std::string_view> parts) {
    expect_error(ErrorKind::bad_option, parts, [&] { static_cast<void>(parse_variant(text)); });
  };
  refuses("x=submod-bal --gama 0.3", {"--variant x", "'--gama'", "did you mean '--gamma'"});
  refuses("x=submod-bal --gamma", {"--gamma needs a value"});
  refuses("x=submod-bal --gamma 3", {"--gamma", "[0,1]"});
  refuses("x=submod-ball", {"submod-ball", "submod-bal"});
  refuses("x=submod-bal 0.3", {"'0.3' does not belong here"});
  refuses("50 neighbours=submod-bal --neighbors 50", {"--variant '50 neighbours'", "no blanks"});
  refuses("x=margin --budget 10%", {"--budget is the experiment's to set"});
  refuses("x=margin --seed 1", {"--seed is the experiment's to set"});
  refuses("x=submod --budget-cost 5", {"--budget-cost is the experiment's to set"});
  refuses("bald", {"'bald' compares models", "one seed model"});
  refuses("x=submod --term scores=1", {"no scores"});
  refuses("x=submod-bal --term scores=1 --term uncertainty=1", {"no scores"});
  refuses("x=submod-bal --gamma 0.1 --gamma 0.9", {"--variant x", "--gamma is given twice"});
  refuses("x=submod-bal --lambda 0.7,0.3,1 --term uncertainty=1", {"--term", "leave out --lambda"});
  refuses("x=margin --class-cap 2", {"--class-cap", "without class caps"});
  refuses("random=margin", {"--variant random", "choose another"});
  refuses("stratified=stratified --class-slack 2", {"--variant stratified", "choose another"});
  refuses("x=margin --temperature 0", {"--temperature", "above 0"});
  refuses("x=margin --class-cap 'open", {"not closed"});
  refuses("x=", {"names no strategy"});
  refuses("all data=margin", {"--variant 'all data'", "no blanks"});
}

}  // namespace
}  // namespace pith::train
