#include "handover/import.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/files.h"

namespace pith {
namespace {

using testing::bytes_of_text;
using testing::expect_bad_input;
using testing::expect_error;

Imported parse(const std::string& text, const std::string& name = "labels.json",
               const ImportOptions& options = {}) {
  return parse_labels(bytes_of_text(text, name), options);
}

ImportOptions with_classes() {
  ImportOptions options;
  options.classes = {"cat", "dog", "horse"};
  return options;
}

TEST(Import, whole_tasks_of_label_studio) {
  const Imported imported = parse(R"([
    {"id": 9, "data": {"image": "a.jpg", "pith_index": 4},
     "annotations": [{"was_cancelled": false, "result": [{"from_name": "choice", "type": "choices", "value": {"choices": ["dog"]}}]}]},
    {"data": {"image": "b.jpg", "pith_index": "7"}, "annotations": [{"result": [{"value": {"choices": ["cat"]}}]}]},
    {"data": {"image": "c.jpg", "pith_index": 2}, "annotations": [{"was_cancelled": true, "result": [{"value": {"choices": ["cat"]}}]}]},
    {"data": {"image": "d.jpg", "pith_index": 3}, "annotations": []},
    {"data": {"image": "e.jpg", "pith_index": 5}, "annotations": [{"result": [{"from_name": "other", "value": {"choices": ["cat"]}}]}]}])",
                                  "labels.json", with_classes());
  ASSERT_EQ(imported.labelled.size(), 2U);
  EXPECT_EQ(imported.labelled[0].item, 4U);
  EXPECT_EQ(imported.labelled[0].label, 1U);
  EXPECT_EQ(imported.labelled[1].item, 7U);
  EXPECT_EQ(imported.labelled[1].label, 0U);
  EXPECT_EQ(imported.without_label, 3U);
  EXPECT_EQ(labelled_csv(imported.labelled), "index,label\n4,1\n7,0\n");
  EXPECT_EQ(labelled_txt(imported.labelled), "4\n7\n");
}

TEST(Import, short_tasks_and_ids) {
  ImportOptions options = with_classes();
  options.prefix = "/data/?d=";
  const std::string text =
      R"([{"image": "/data/?d=x,1.jpg", "choice": "horse"}, {"image": "/data/?d=y.jpg", "choice": {"choices": ["cat"]}},
                              {"image": "z.jpg"}, {"image": "w.jpg", "choice": "2"}])";
  const Imported imported = parse(text, "min.json", options);
  EXPECT_EQ(labelled_csv(imported.labelled), "id,label\n\"x,1.jpg\",2\ny.jpg,0\nw.jpg,2\n");
  EXPECT_EQ(imported.without_label, 1U);
  options.ids = {{"x,1.jpg", 3}, {"y.jpg", 1}, {"z.jpg", 0}, {"w.jpg", 2}};
  EXPECT_EQ(labelled_csv(parse(text, "min.json", options).labelled), "index,label\n3,2\n1,0\n2,2\n");
}

/// Export puts the prefix before paths alone: an id may begin with it by itself.
TEST(Import, a_prefix_is_taken_off_paths_and_not_off_ids) {
  ImportOptions options;
  options.prefix = "img/";
  options.ids = {{"img/1.jpg", 4}, {"1.jpg", 5}};
  for (const char* text : {"id,path,label\nimg/1.jpg,img/img/1.jpg,2\n", "pith_id,label\nimg/1.jpg,2\n",
                           "index,id,label\n4,img/1.jpg,2\n", "path,label\nimg/img/1.jpg,2\n"})
    EXPECT_EQ(labelled_csv(parse(text, "l.csv", options).labelled), "index,label\n4,2\n") << text;
  for (const char* text : {R"([{"pith_id": "img/1.jpg", "image": "img/img/1.jpg", "choice": "2"}])",
                           R"([{"pith_index": 4, "pith_id": "img/1.jpg", "choice": "2"}])",
                           R"([{"image": "img/img/1.jpg", "choice": "2"}])"})
    EXPECT_EQ(labelled_csv(parse(text, "l.json", options).labelled), "index,label\n4,2\n") << text;
  EXPECT_EQ(labelled_csv(parse("path,label\nimg/1.jpg,2\n", "l.csv", options).labelled),
            "index,label\n5,2\n");
}

TEST(Import, a_label_of_nothing_is_refused_with_its_line) {
  expect_bad_input({"line 3 has a label", "fill in its file"},
                   [] { static_cast<void>(parse("file,label\na,1\n,3\n", "l.csv")); });
  EXPECT_EQ(parse("file,label\na,1\n,\n", "l.csv").without_label, 1U);
}

TEST(Import, tables) {
  EXPECT_EQ(labelled_csv(parse("index,id,label\n5,a,1\n6,b,\n8,c,0\n", "l.csv").labelled),
            "index,label\n5,1\n8,0\n");
  EXPECT_EQ(labelled_csv(parse("path\tchoice\na b.jpg\tdog\n", "l.tsv", with_classes()).labelled),
            "id,label\na b.jpg,1\n");
  EXPECT_TRUE(parse("[]").labelled.empty());
}

TEST(Import, tables_of_label_studio_number_their_tasks) {
  ImportOptions options = with_classes();
  options.ids = {{"a", 5}, {"b", 7}};
  const std::string rows =
      "annotation_id,annotator,choice,created_at,id,image,lead_time,pith_id,pith_index,updated_at\n"
      "1,2,dog,2026-11-18,1000,/data/a.jpg,3.5,a,5,2026-11-18\n"
      "2,2,cat,2026-11-18,1001,/data/b.jpg,3.5,b,7,2026-11-18\n";
  EXPECT_EQ(labelled_csv(parse(rows, "l.csv", options).labelled), "index,label\n5,1\n7,0\n");
  EXPECT_EQ(labelled_csv(parse("id,pith_id,label\n1000,b,2\n", "l.csv", options).labelled),
            "index,label\n7,2\n");
  EXPECT_EQ(labelled_csv(parse("id,label\nb,2\n", "l.csv", options).labelled), "index,label\n7,2\n");
}

TEST(Import, numbers_that_are_names_are_read_as_names_alone) {
  ImportOptions options;
  options.classes = {"1", "2", "3"};
  EXPECT_EQ(labelled_csv(parse("index,label\n5,1\n6,3\n", "l.csv", options).labelled),
            "index,label\n5,0\n6,2\n");
  expect_bad_input({"l.csv", "line 2", "'0'", "no class", "names given"},
                   [&] { parse("index,label\n5,0\n", "l.csv", options); });
}

TEST(Import, an_index_and_an_id_of_two_items_are_an_error) {
  ImportOptions options;
  options.ids = {{"a", 5}, {"b", 7}};
  EXPECT_EQ(parse("index,id,label\n5,a,1\n6,unknown,1\n", "l.csv", options).labelled.size(), 2U);
  expect_bad_input({"l.csv", "line 2", "index 5 and id 'z'", "item 5 is 'a'", "belong to this run"},
                   [&] { parse("index,id,label\n5,z,1\n", "l.csv", options); });
  expect_bad_input({"l.csv", "line 2", "index 6 and id 'b'", "'b' is item 7"},
                   [&] { parse("index,id,label\n6,b,1\n", "l.csv", options); });
}

TEST(Import, disagreement_is_an_error_or_left_out) {
  const std::string two = R"([{"data": {"pith_index": 1}, "annotations": [
      {"result": [{"value": {"choices": ["cat"]}}]}, {"result": [{"value": {"choices": ["dog"]}}]}]}])";
  expect_bad_input({"labels.json", "task 1", "cat", "dog", "--conflict skip"},
                   [&] { parse(two, "labels.json", with_classes()); });
  expect_bad_input({"l.csv", "line 3", "class 1", "--conflict skip"},
                   [&] { parse("index,label\n5,1\n5,2\n", "l.csv"); });
  ImportOptions options = with_classes();
  options.conflict = Conflict::skip;
  EXPECT_EQ(parse(two, "labels.json", options).conflicting, 1U);
  EXPECT_TRUE(parse(two, "labels.json", options).labelled.empty());
  // Left out, and counted once, whatever the other rows say of it.
  const Imported table = parse("index,label\n5,1\n6,0\n5,2\n5,1\n5,0\n", "l.csv", options);
  EXPECT_EQ(labelled_csv(table.labelled), "index,label\n6,0\n");
  EXPECT_EQ(table.conflicting, 1U);
  EXPECT_EQ(parse("index,label\n5,1\n5,1\n", "l.csv").labelled.size(), 1U) << "said twice is no conflict";
}

TEST(Import, errors_name_place_value_and_remedy) {
  ImportOptions options = with_classes();
  options.items = 10;
  options.class_count = 3;
  expect_bad_input({"l.csv", "line 2", "'kat'", "did you mean 'cat'"},
                   [&] { parse("index,label\n5,kat\n", "l.csv", options); });
  expect_bad_input({"l.csv", "line 2", "'cat'", "--class-names"},
                   [&] { parse("index,label\n5,cat\n", "l.csv"); });
  expect_bad_input({"line 2", "class 3", "3 classes"},
                   [&] { parse("index,label\n5,3\n", "l.csv", options); });
  expect_bad_input({"line 2", "item 10", "10 items"},
                   [&] { parse("index,label\n10,1\n", "l.csv", options); });
  expect_bad_input({"line 2", "'x'"}, [&] { parse("index,label\nx,1\n", "l.csv", options); });
  expect_bad_input({"line 1", "index, id or path"}, [&] { parse("thing,label\n1,1\n", "l.csv"); });
  expect_bad_input({"line 1", "label"}, [&] { parse("index,colour\n1,1\n", "l.csv"); });
  expect_bad_input({"line 2", "3 fields", "2"}, [&] { parse("index,label\n1,1,1\n", "l.csv"); });
  expect_bad_input({"is empty"}, [&] { parse("", "l.csv"); });
  expect_bad_input({"no list of tasks", "JSON-MIN"}, [&] { parse("{}"); });
  expect_bad_input({"task 1", "no object"}, [&] { parse("[3]"); });
  expect_bad_input({"task 1", "'image'", "--data-key"}, [&] { parse(R"([{"data": {"picture": "a"}}])"); });
  expect_bad_input({"task 1", "pith_index", "-1"}, [&] { parse(R"([{"data": {"pith_index": -1}}])"); });
  expect_bad_input({"labels.json"}, [&] { parse("[{"); });
  options.ids = {{"a", 1}};
  expect_bad_input({"line 2", "'b'", "no known item"}, [&] { parse("id,label\nb,1\n", "l.csv", options); });
  expect_bad_input({"--run"}, [&] {
    parse(R"([{"data": {"pith_index": 1}, "annotations": [{"result": [{"value": {"choices": ["1"]}}]}]},
                                              {"data": {"image": "b"}, "annotations": [{"result": [{"value": {"choices": ["1"]}}]}]}])");
  });
  expect_error(ErrorKind::unsupported, {"labels.xml", ".csv"}, [&] { parse("", "labels.xml"); });
}

}  // namespace
}  // namespace pith
