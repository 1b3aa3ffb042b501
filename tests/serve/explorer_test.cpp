#include "serve/explorer.h"

#include <thread>

#include "pipeline/representatives.h"
#include "pith/error.h"
#include "serve/explain.h"
#include "serve/hand_out.h"
#include "support/cli_case.h"
#include "support/unpack.h"

namespace pith::testing {
namespace {

using serve::HttpRequest;
using serve::HttpResponse;
using ::testing::HasSubstr;

class ExplorerCase : public CliCase {
 protected:
  void SetUp() override { use(make_data(300, 6, 5, 3)); }

  /// Selects and opens what was written.
  void open(const Arguments& options) {
    run_ = selected(options);
    open_again();
  }
  void open_again(const serve::SessionOptions& options = {.layout = false}) {
    explorer_.reset();
    bench_ = std::make_unique<serve::Workbench>(serve::open_session(path("out"), options, {}), 2);
    explorer_ = std::make_unique<serve::Explorer>(*bench_, serve::Access{.host = "127.0.0.1", .port = 80});
  }
  [[nodiscard]] HttpResponse ask(const std::string& method, const std::string& where,
                                 const std::string& body = "") {
    HttpRequest request{.method = method, .path = where, .headers = {{"host", "127.0.0.1:80"}}, .body = body};
    if (const std::size_t mark = where.find('?'); mark != std::string::npos) {
      request.path = where.substr(0, mark);
      for (std::size_t begin = mark + 1; begin < where.size();) {
        const std::size_t end = std::min(where.find('&', begin), where.size());
        const std::size_t equals = where.find('=', begin);
        request.query[where.substr(begin, equals - begin)] = where.substr(equals + 1, end - equals - 1);
        begin = end + 1;
      }
    }
    return explorer_->answer(request, clock_ += std::chrono::seconds(1));
  }
  [[nodiscard]] Json asked(const std::string& method, const std::string& where, const Json& body = {}) {
    const HttpResponse response = ask(method, where, body.is_null() ? "" : body.dump());
    EXPECT_EQ(response.status, 200) << response.body;
    return Json::parse(response.body);
  }
  [[nodiscard]] Unpacked choose(const Json& options, const Json& forced = Json::array(),
                                const Json& excluded = Json::array(), const std::string& place = "a") {
    const HttpResponse response =
        ask("POST", "/api/select",
            Json{{"place", place}, {"options", options}, {"forced", forced}, {"excluded", excluded}}.dump());
    EXPECT_EQ(response.status, 200) << response.body;
    return Unpacked(response.body);
  }
  /// The indices that the printed command line gives.
  [[nodiscard]] std::vector<std::int64_t> reproduced(const std::string& place = "a") {
    const Json command = asked("POST", "/api/command", {{"place", place}});
    Arguments words = command.at("words");
    EXPECT_EQ(words.front(), "pith");
    words.erase(words.begin());
    const std::string out = path("again-" + std::to_string(++runs_));
    EXPECT_TRUE(words.back().ends_with("-again")) << words.back();  // never the run itself
    words.back() = out;
    const Outcome outcome = run_pith(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err << command.at("line");
    return int64_npy(file_contents(out + "/indices.npy"));
  }

  Results run_;
  std::unique_ptr<serve::Workbench> bench_;
  std::unique_ptr<serve::Explorer> explorer_;
  serve::RateLimit::Time clock_{};
  int runs_ = 0;
};

TEST_F(ExplorerCase, begins_with_what_the_run_chose) {
  for (const Arguments& options :
       {Arguments{"--budget", "12.3%"}, Arguments{"--budget", "40", "--strategy", "submod"},
        Arguments{"--budget", "40", "--strategy", "entropy", "--balance", "class"},
        Arguments{"--budget", "30", "--term", "diversity=0.4", "--term", "facility-location=1"},
        Arguments{"--budget", "50", "--lambda", "auto", "--gamma", "auto", "--tau", "0.1"},
        Arguments{"--budget", "30", "--preset", "paper"},
        Arguments{"--budget", "25", "--strategy", "k-center"}}) {
    SCOPED_TRACE(::testing::PrintToString(options));
    std::filesystem::remove_all(path("out"));
    open(options);
    const Json session = asked("GET", "/api/session");
    const Unpacked choice = choose(session.at("given"));
    EXPECT_EQ(choice.whole("picks.index"), run_.indices);
    EXPECT_EQ(choice.data["run"]["objective"], run_.summary["objective"]);
    EXPECT_EQ(reproduced(), run_.indices);
    const Json certificate =
        asked("POST", "/api/certificate", {{"place", "a"}, {"number", choice.data["number"]}});
    EXPECT_EQ(certificate, run_.summary["certificate"]);
  }
}

TEST_F(ExplorerCase, chooses_as_the_command_line_it_prints_does) {
  write("ids.txt", [] {
    std::string ids;
    for (int item = 0; item < 300; ++item) ids += fmt::format("it's item {}.png\n", item);
    return ids;
  }());
  write("seed.csv", "index,label\n3,1\n200,\n");
  write("no.csv", "index\n7\n8\n");
  open({"--budget", "40", "--ids", path("ids.txt"), "--labelled", path("seed.csv"), "--exclude",
        path("no.csv")});
  std::vector<std::vector<std::int64_t>> seen;
  for (const Json& options : {Json{{"budget", "40"}}, Json{{"budget", "17"}, {"lambda", "0.2,0.9,0.1"}},
                              Json{{"budget", "60"}, {"gamma", "0.25"}, {"eta", "0.5"}},
                              Json{{"budget", "40"}, {"tau", "0.4"}, {"balance", "boundary"}},
                              Json{{"budget", "20%"}, {"strategy", "margin"}, {"balance", "both"}},
                              Json{{"budget", "30"}, {"strategy", "k-center"}},
                              Json{{"budget", "45"}, {"class-cap", "12"}, {"shortfall", "stop"}},
                              Json{{"budget", "30"}, {"strategy", "random"}, {"seed", "5"}},
                              Json{{"budget", "35"}, {"uncertainty", "entropy"}, {"area-quantile", "0.5"}},
                              Json{{"budget", "30"}, {"lambda", "auto"}}}) {
    SCOPED_TRACE(options.dump());
    const Unpacked choice = choose(options, {10, 11, 7}, {12, 13, 14});
    const auto picks = choice.whole("picks.index");
    EXPECT_FALSE(picks.empty());
    for (const std::int64_t never : {10, 11, 12, 13, 14, 7, 8, 3, 200})
      EXPECT_EQ(std::count(picks.begin(), picks.end(), never), 0) << never;
    EXPECT_EQ(choice.data["run"]["budget"]["labelled"], 5)
        << "two of the run, three forced, one of them off the excluded";
    EXPECT_EQ(choice.data["run"]["budget"]["excluded"], 4);
    EXPECT_EQ(reproduced(), picks);
    seen.push_back(picks);
  }
  EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), seen.size()) << "every change changes something";
  expect_no_leftovers();
}

TEST_F(ExplorerCase, keeps_graph_and_map_for_the_next_time) {
  open({"--budget", "30"});
  EXPECT_TRUE(std::filesystem::exists(path("out/graph.pith")));
  EXPECT_TRUE(std::filesystem::exists(path("out/map.pith")));
  EXPECT_TRUE(bench_->session().notes.empty());
  // Without the embeddings, the graph that was kept still serves all that needs no embeddings.
  std::filesystem::remove(path("e.npy"));
  open_again();
  EXPECT_EQ(choose({{"budget", "30"}}).whole("picks.index"), run_.indices);
  EXPECT_FALSE(bench_->session().notes.empty());
  const HttpResponse response =
      ask("POST", "/api/select", R"({"place":"a","options":{"budget":"30","strategy":"k-center"}})");
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.body, HasSubstr("embeddings"));
}

TEST_F(ExplorerCase, opens_the_last_of_several_rounds_with_their_graph) {
  const Arguments first = {"round",   path("work"),  "--embeddings", path("e.npy"),
                           "--probs", path("p.npy"), "--budget",     "20"};
  ASSERT_EQ(run_pith(first).code, 0);
  const Results one = read_results(path("work/round-1"));
  std::string labels = "index,label\n";
  for (const std::int64_t item : one.indices) labels += fmt::format("{},1\n", item);
  ASSERT_EQ(run_pith({"round", path("work"), "--labels", write("labels.csv", labels)}).code, 0);
  bench_ = std::make_unique<serve::Workbench>(serve::open_session(path("work"), {.layout = false}, {}), 2);
  explorer_ = std::make_unique<serve::Explorer>(*bench_, serve::Access{.host = "127.0.0.1", .port = 80});
  EXPECT_EQ(bench_->session().files.graph, path("work/graph.pith"));
  const Results two = read_results(path("work/round-2"));
  const Unpacked choice = choose(asked("GET", "/api/session").at("given"));
  EXPECT_EQ(choice.whole("picks.index"), two.indices);
  EXPECT_EQ(choice.data["run"]["budget"]["labelled"], 20);
  EXPECT_EQ(reproduced(), two.indices);
}

TEST_F(ExplorerCase, tells_points_and_pages) {
  open({"--budget", "30"});
  const Unpacked points(ask("GET", "/api/points").body);
  EXPECT_EQ(points.arrays.at("pca.x").size(), 300U);
  const auto classes = points.whole("class");
  const auto& margins = points.arrays.at("margin");
  for (std::size_t item = 0; item < 300; ++item) {
    const double* row = data_.probs.data() + item * 5;
    EXPECT_EQ(classes[item], std::max_element(row, row + 5) - row);
    std::vector<double> sorted(row, row + 5);
    std::sort(sorted.rbegin(), sorted.rend());
    EXPECT_NEAR(margins[item], 1 - (sorted[0] - sorted[1]), 1e-6);
  }
  const HttpResponse page = ask("GET", "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("<!doctype html>"));
  EXPECT_THAT(page.headers.at("Content-Security-Policy"), HasSubstr("default-src 'none'"));
}

/// What the explanations say, against a replay by hand.
TEST_F(ExplorerCase, explains_every_item_by_caps_and_gains) {
  open({"--budget", "60"});
  (void)choose({{"budget", "60"}}, {10}, {12});
  const auto choice = bench_->current(0);
  const Selection& selection = choice->selection();
  const Objective& objective = choice->kept().scene->objective;
  std::vector<Item> set = {10};
  for (const PickRow& row : selection.picks) set.push_back(row.item);
  const double whole = objective.value(set);
  std::size_t by_cap = 0;
  std::size_t by_gain = 0;
  for (Item item = 0; item < 300; ++item) {
    SCOPED_TRACE(item);
    const Json told = asked("POST", "/api/item", {{"place", "a"}, {"item", item}});
    const std::string why = told["why"].dump();
    const std::string state = told["state"];
    if (item == 10 || item == 12) {
      EXPECT_EQ(state, item == 10 ? "forced" : "excluded");
      continue;
    }
    const std::uint32_t rank = choice->rank_of(item);
    EXPECT_EQ(state == "picked", rank != no_pick);
    const double gain = told["gain"]["value"];
    if (rank != no_pick) {
      EXPECT_EQ(gain, selection.picks[rank].gain);
      continue;
    }
    std::vector<Item> larger = set;
    larger.push_back(item);
    EXPECT_NEAR(gain, objective.value(larger) - whole, 1e-9 * whole);
    double parts = 0;
    for (const Json& part : told["gain"]["parts"]) parts += part["gain"].get<double>();
    EXPECT_NEAR(gain, parts, 1e-12 * gain);
    bool full = false;
    for (const Json& cap : told["caps"]) {
      EXPECT_EQ(cap["full"], cap["active"] && cap["selected"].get<int>() + cap["labelled"].get<int>() >=
                                                  cap["cap"].get<int>());
      full = full || cap["full"];
    }
    // The greedy leaves nothing behind that the caps admit and that would add more than its last pick.
    if (!full) {
      EXPECT_LE(gain, selection.picks.back().gain);
      EXPECT_THAT(why, HasSubstr("No cap kept it out"));
      ++by_gain;
    } else if (why.find("was full after pick") != std::string::npos) {
      ++by_cap;
    }
    EXPECT_EQ(told["neighbors"]["count"], choice->kept().scene->graph.neighbors(item).size());
    std::size_t thin = 0;
    for (const Json& triangle : told["triangles"]["listed"]) thin += triangle["thin"] ? 1 : 0;
    if (told["triangles"]["count"].get<std::size_t>() == told["triangles"]["listed"].size()) {
      EXPECT_EQ(thin, told["triangles"]["thin"].get<std::size_t>());
    }
  }
  EXPECT_GT(by_cap, 0U);
  EXPECT_GT(by_gain, 0U);
}

TEST_F(ExplorerCase, says_what_a_forced_item_adds_to_the_others) {
  open({"--budget", "20"});
  for (const Json& options :
       {Json{{"budget", "20"}}, Json{{"budget", "20"}, {"term", "facility-location=1,diversity=0.5"}}}) {
    SCOPED_TRACE(options.dump());
    (void)choose(options, {10, 11});
    const auto choice = bench_->current(0);
    const Objective& objective = choice->kept().scene->objective;
    std::vector<Item> others = {11};
    for (const PickRow& row : choice->selection().picks) others.push_back(row.item);
    std::vector<Item> all = others;
    all.push_back(10);
    const double adds = objective.value(all) - objective.value(others);
    EXPECT_GT(adds, 0);
    const Json told = asked("POST", "/api/item", {{"place", "a"}, {"item", 10}});
    EXPECT_NEAR(told["gain"]["value"], adds, 1e-9 * objective.value(all));
  }
}

TEST_F(ExplorerCase, tells_apart_the_choice_asked_about_and_the_one_in_the_place) {
  open({"--budget", "30"});
  const std::uint64_t first = choose({{"budget", "30"}}).data["number"];
  const std::uint64_t second = choose({{"budget", "20"}}).data["number"];
  const auto statuses = [&](const std::string& in_body, const std::string& in_query) {
    return std::vector{ask("POST", "/api/item", R"({"place":"a","item":3)" + in_body + "}").status,
                       ask("POST", "/api/command", R"({"place":"a")" + in_body + "}").status,
                       ask("GET", "/api/export?place=a&format=csv" + in_query).status};
  };
  const auto of_number = [&](std::uint64_t number) {
    return statuses(fmt::format(R"(,"number":{})", number), fmt::format("&number={}", number));
  };
  EXPECT_EQ(of_number(second), std::vector(3, 200));
  EXPECT_EQ(of_number(first), std::vector(3, 409));
  EXPECT_EQ(statuses("", ""), std::vector(3, 200)) << "without a number: whatever is in the place";
  EXPECT_EQ(statuses(R"(,"number":"2")", "&number=2x"), std::vector(3, 400));
  EXPECT_EQ(statuses(R"(,"number":-1)", "&number=99999999999999999999"), std::vector(3, 400));
  const HttpResponse response = ask("GET", fmt::format("/api/export?place=a&format=csv&number={}", first));
  EXPECT_THAT(response.body, HasSubstr(fmt::format("in place a by now ({}, not {})", second, first)));
}

TEST_F(ExplorerCase, hands_out_every_format_as_pith_export_does) {
  open({"--budget", "30"});
  (void)choose(asked("GET", "/api/session").at("given"));
  const Json session = asked("GET", "/api/session");
  for (const Json& format : session.at("formats")) {
    const std::string name = format["name"];
    SCOPED_TRACE(name);
    const HttpResponse response = ask("GET", "/api/export?place=a&format=" + name);
    EXPECT_EQ(response.status, 200) << response.body;
    EXPECT_THAT(response.headers.at("Content-Disposition"), HasSubstr("attachment"));
    if (name == "indices.npy" || name == "selection.csv") {
      EXPECT_EQ(response.body, file_contents(path("out/" + name)));
    } else if (name != "summary.json") {
      EXPECT_EQ(response.body, run_pith({"export", path("out"), "--to", name}).out);
    }
  }
  EXPECT_EQ(ask("GET", "/api/export?place=a&format=../../etc/passwd").status, 400);
  EXPECT_EQ(ask("GET", "/api/export?place=b&format=csv").status, 400) << "nothing was chosen there";
}

TEST_F(ExplorerCase, refuses_what_makes_no_sense_and_says_why) {
  open({"--budget", "30"});
  const auto refused = [&](const std::string& body, const std::string& part,
                           const std::string& where = "/api/select") {
    const HttpResponse response = ask("POST", where, body);
    EXPECT_EQ(response.status, 400) << body << " gives " << response.body;
    EXPECT_THAT(Json::parse(response.body).at("error").get<std::string>(), HasSubstr(part));
  };
  refused("", "the request");
  refused("{", "the request");
  refused("[]", "no JSON object");
  refused(R"({"options":{}})", "place is missing");
  refused(R"({"place":"c","options":{}})", "place is missing or no a or b");
  refused(R"({"place":"a"})", "options is missing");
  refused(R"({"place":"a","options":{"budget":7}})", "object of texts");
  refused(R"({"place":"a","options":{}})", "--budget is missing");
  refused(R"({"place":"a","options":{"budget":"1000"}})", "only 300");
  refused(R"({"place":"a","options":{"budget":"10","strategy":"submot"}})", "did you mean 'submod'");
  refused(R"({"place":"a","options":{"budget":"10","neighbors":"3"}})", "no option that can change here");
  refused(R"({"place":"a","options":{"budget":"10","threads":"3"}})", "no option that can change here");
  refused(R"({"place":"a","options":{"budget":"10","class-cap":"/etc/passwd"}})", "write a number or a rule");
  refused(R"({"place":"a","options":{"budget":"10","boundary-cap":"caps.csv"}})", "write a number or a rule");
  refused(R"({"place":"a","options":{"budget":"10","term":"scores=1"}})", "has no scores");
  refused(R"({"place":"a","options":{"budget":"10"},"forced":[300]})", "item 300 given");
  refused(R"({"place":"a","options":{"budget":"10"},"forced":[-1]})", "whole numbers");
  refused(R"({"place":"a","options":{"budget":"10"},"forced":"all"})", "list of items");
  refused(R"({"place":"a","options":{"budget":"10"},"forced":[5],"excluded":[5]})",
          "cannot be excluded as well");
  refused(R"({"place":"a","item":1})", "nothing has been chosen", "/api/item");
  (void)choose({{"budget", "10"}});
  refused(R"({"place":"a","item":300})", "there is no item 300", "/api/item");
  EXPECT_EQ(ask("POST", "/api/certificate", R"({"place":"a","number":77})").status, 409);
  EXPECT_EQ(ask("POST", "/api/select",
                R"({"place":"a","options":{"budget":"200","shortfall":"error","class-cap":"3"}})")
                .status,
            422);
  for (const char* where : {"/api", "/api/", "/api/select", "/../out/summary.json", "/favicon.ico"})
    EXPECT_EQ(ask("GET", where).status, 404) << where;
}

TEST_F(ExplorerCase, lays_out_no_more_points_than_asked_for) {
  open({"--budget", "30"});
  EXPECT_EQ(bench_->session().map.items.size(), 300U);
  open_again({.layout = false, .most_points = 120});
  EXPECT_EQ(bench_->session().map.items.size(), 120U);
  open_again();
  EXPECT_EQ(bench_->session().map.items.size(), 300U);
}

TEST_F(ExplorerCase, refuses_class_names_before_it_builds_a_graph) {
  ASSERT_EQ(select({"--budget", "30"}).code, 0);
  const std::string names = write("names.txt", "one\ntwo\n");
  EXPECT_THROW((void)serve::open_session(path("out"), {.class_names = names, .layout = false}, {}), Error);
  EXPECT_FALSE(std::filesystem::exists(path("out/graph.pith")));
}

TEST_F(ExplorerCase, the_newest_question_cancels_the_one_that_runs) {
  use(make_data(4000, 8, 6, 5));
  open({"--budget", "400"});
  // Takes minutes: every gain looks at everybody, and the naive greedy asks for every gain.
  const GivenTexts slow = {
      {"budget", "2000"}, {"strategy", "facility-location"}, {"facility", "dense"}, {"optimizer", "naive"}};
  std::optional<ErrorKind> ended;
  std::thread waiting([&] {
    try {
      (void)bench_->choose(0, {.given = slow, .forced = {}, .excluded = {}});
    } catch (const Error& error) {
      ended = error.kind();
    }
  });
  while (!bench_->progress(0).running) std::this_thread::yield();
  const auto quick = bench_->choose(0, {.given = {{"budget", "400"}}, .forced = {}, .excluded = {}});
  waiting.join();
  EXPECT_EQ(ended, ErrorKind::interrupted);
  EXPECT_EQ(bench_->current(0), quick);
  EXPECT_FALSE(bench_->progress(0).running);
  std::vector<std::int64_t> picks;
  for (const PickRow& row : quick->selection().picks) picks.push_back(row.item);
  EXPECT_EQ(picks, run_.indices);

  // The other place waits for its turn; stopping ends both, and nothing starts afterwards.
  ended.reset();
  std::optional<ErrorKind> other_ended;
  const auto run_until_stopped = [&](std::size_t place, std::optional<ErrorKind>& how) {
    return std::thread([&, place] {
      try {
        (void)bench_->choose(place, {.given = slow, .forced = {}, .excluded = {}});
      } catch (const Error& error) {
        how = error.kind();
      }
    });
  };
  std::thread first = run_until_stopped(0, ended);
  std::thread second = run_until_stopped(1, other_ended);
  while (!bench_->progress(0).running && !bench_->progress(1).running) std::this_thread::yield();
  bench_->stop();
  first.join();
  second.join();
  EXPECT_EQ(ended, ErrorKind::interrupted);
  EXPECT_EQ(other_ended, ErrorKind::interrupted);
  EXPECT_THROW((void)bench_->choose(0, {.given = {{"budget", "4"}}, .forced = {}, .excluded = {}}), Error);
}

}  // namespace
}  // namespace pith::testing
