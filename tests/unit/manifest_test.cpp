#include "data/manifest.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using namespace testing;
using Ids = std::vector<std::string>;

class ManifestTest : public ::testing::Test {
 protected:
  Ids ids(std::string_view name, std::string_view contents, std::size_t expected) const {
    return read_ids(dir_.write(name, contents), expected);
  }
  void expect_refused(std::string_view name, std::string_view contents, std::size_t expected,
                      std::initializer_list<std::string_view> parts) const {
    expect_bad_input({dir_.path(name) + ": "}, [&] { (void)ids(name, contents, expected); });
    expect_bad_input(parts, [&] { (void)ids(name, contents, expected); });
  }

  TempDir dir_;
};

TEST_F(ManifestTest, TextHasOneIdALine) {
  EXPECT_EQ(ids("ids.txt", "a.png\nb, c.png\r\n d\n\n", 3), (Ids{"a.png", "b, c.png", " d"}));
  EXPECT_EQ(ids("ids", "\xef\xbb\xbfx\ny", 2), (Ids{"x", "y"}));
  EXPECT_EQ(ids("ids.txt", "", 0), Ids{});
}

TEST_F(ManifestTest, CsvTakesTheNamedColumn) {
  EXPECT_EQ(ids("ids.csv", "label,Path\n1,a.png\n2,\"b,\"\"c\"\".png\"\n", 2), (Ids{"a.png", "b,\"c\".png"}));
  EXPECT_EQ(ids("ids.csv", "name,id\nx,1\ny,2\n", 2), (Ids{"1", "2"}));
  for (const char* name : {"id", "path", "file", "filename", "image", "name"})
    EXPECT_EQ(ids("ids.tsv", "label\t" + std::string(name) + "\r\n1\tz\r\n", 1), Ids{"z"});
}

TEST_F(ManifestTest, CsvWithoutSuchANameTakesTheFirstColumn) {
  EXPECT_EQ(ids("ids.csv", "a.png,1\nb.png,2\n", 2), (Ids{"a.png", "b.png"}));
}

TEST_F(ManifestTest, JsonLinesTakeStringsNumbersAndObjects) {
  EXPECT_EQ(
      ids("ids.jsonl", "\"a\"\n{\"x\": [1], \"path\": \"b\"}\r\n{\"name\": \"n\", \"id\": 7}\n-3\n\n", 4),
      (Ids{"a", "b", "7", "-3"}));
  EXPECT_EQ(ids("ids.ndjson", "\"caf\\u00e9\"", 1), Ids{"caf\xc3\xa9"});
}

TEST_F(ManifestTest, CountsMustAgree) {
  expect_refused("ids.txt", "a\nb\n", 3, {"2 ids for 3 items", "one id per row"});
  expect_refused("ids.csv", "picture\na\n", 1, {"2 ids for 1 items", "'picture', a header?", "column id"});
}

TEST_F(ManifestTest, ClassNamesAreCalledSo) {
  EXPECT_EQ(read_class_names(dir_.write("names.txt", "cat\nwild dog\n"), 2), (Ids{"cat", "wild dog"}));
  EXPECT_EQ(read_class_names(dir_.write("names.csv", "name,x\ncat,1\ndog,2\n"), std::nullopt),
            (Ids{"cat", "dog"}));
  const auto refuse = [&](std::string_view contents, std::initializer_list<std::string_view> parts) {
    const std::string path = dir_.write("names.txt", contents);
    expect_bad_input({path}, [&] { (void)read_class_names(path, 3); });
    expect_bad_input(parts, [&] { (void)read_class_names(path, 3); });
  };
  refuse("cat\ndog\n", {"2 names for 3 classes", "columns"});
  refuse("cat\ndog\ncat\n", {"lines 1 and 3 have the same name, 'cat'; names must be unique"});
  refuse("cat\n\ndog\n", {"line 2: the name is empty; every class needs one"});
  refuse("cat\nd\xffg\nbird\n", {"line 2: name 'd\\xffg' is not UTF-8"});
}

TEST_F(ManifestTest, IdsMustBeUnique) {
  expect_refused("ids.txt", "a\nb\nc\nb\n", 4, {"lines 2 and 4 have the same id, 'b'"});
  expect_refused("ids.csv", "id\na\n\"b\nc\"\n", 2, {"line 3", "control character"});
}

TEST_F(ManifestTest, EmptyIdsAreRefused) {
  expect_refused("ids.txt", "a\n\nb\n", 3, {"line 2: the id is empty"});
  expect_refused("ids.csv", "id,x\n ,1\n", 1, {"line 2: the id is empty"});
  expect_refused("ids.jsonl", "{\"id\": \"\"}\n", 1, {"line 1: the id is empty"});
}

TEST_F(ManifestTest, IdsMustBeCleanText) {
  expect_refused("ids.txt", "a\nb\xff\n", 2, {"line 2: id 'b\\xff' is not UTF-8"});
  expect_refused("ids.txt", "a\tb\n", 1, {"line 1: id 'a\\x09b' holds a control character"});
}

TEST_F(ManifestTest, BadCsvAndJsonNameTheLine) {
  expect_refused("ids.csv", "id,x\na,1\nb\n", 2, {"line 3: expected 2 columns", "found 1"});
  expect_refused("ids.jsonl", "\"a\"\n{\"id\":\n", 2, {"line 2 is not valid JSON"});
  expect_refused("ids.jsonl", "\"a\"\n\n\"b\"\n", 3, {"line 2 is blank"});
  expect_refused("ids.jsonl", "{\"x\": 1}\n", 1, {"line 1: the object has none of the keys id, path"});
  expect_refused("ids.jsonl", "{\"id\": null}\n", 1, {"line 1: the id is neither text nor a whole number"});
  expect_refused("ids.jsonl", "[1]\n", 1, {"line 1: the id is neither"});
  expect_refused("ids.jsonl", std::string(100, '['), 1, {"line 1 nests deeper than 16 levels"});
}

TEST_F(ManifestTest, MissingFilesAreIoErrors) {
  expect_error(ErrorKind::io, {dir_.path("none.txt")}, [&] { (void)read_ids(dir_.path("none.txt"), 1); });
}

class ItemListTest : public ::testing::Test {
 protected:
  ItemList list(std::string_view name, std::string_view contents, const Ids& ids = {}) const {
    return read_item_list(dir_.write(name, contents), 5, ids);
  }
  void expect_refused(std::string_view name, std::string_view contents, const Ids& ids,
                      std::initializer_list<std::string_view> parts) const {
    expect_bad_input({dir_.path(name) + ": "}, [&] { (void)list(name, contents, ids); });
    expect_bad_input(parts, [&] { (void)list(name, contents, ids); });
  }

  TempDir dir_;
  const Ids names_ = {"a", "b", "c", "d", "e"};
  const Ids numbers_ = {"10", "11", "0", "13", "14"};
};

using Items = std::vector<Item>;
using Labels = std::vector<std::optional<std::uint32_t>>;

TEST_F(ItemListTest, TextOfIndices) {
  const ItemList read = list("l.txt", "3\n0\r\n 4 \n\n");
  EXPECT_EQ(read.items, (Items{3, 0, 4}));
  EXPECT_EQ(read.labels, Labels(3));
  EXPECT_TRUE(list("l.txt", "").items.empty());
}

TEST_F(ItemListTest, TextOfIds) {
  EXPECT_EQ(list("l.txt", "b\ne\n", names_).items, (Items{1, 4}));
  EXPECT_EQ(list("l.txt", "b\n4\n", names_).items, (Items{1, 4}));
}

TEST_F(ItemListTest, NumbersAreIdsWhereIdsAreNumbers) {
  EXPECT_EQ(list("l.txt", "0\n14\n", numbers_).items, (Items{2, 4}));
  expect_refused("l.txt", "1\n", numbers_, {"line 1: '1' is no item's id"});
  EXPECT_EQ(list("l.csv", "index\n0\n1\n", numbers_).items, (Items{0, 1}));
}

TEST_F(ItemListTest, CsvWithLabels) {
  const ItemList read = list("l.csv", "index,label\n3,7\n1,\n2\n");
  EXPECT_EQ(read.items, (Items{3, 1, 2}));
  EXPECT_EQ(read.labels, (Labels{7, std::nullopt, std::nullopt}));
  const ItemList bare = list("l.csv", "3,7\n1\n");
  EXPECT_EQ(bare.items, (Items{3, 1}));
  EXPECT_EQ(bare.labels, (Labels{7, std::nullopt}));
  const ItemList named = list("l.tsv", "Label\tsplit\tID\n2\ttrain\tc\n\ttrain\td\n", names_);
  EXPECT_EQ(named.items, (Items{2, 3}));
  EXPECT_EQ(named.labels, (Labels{2, std::nullopt}));
  EXPECT_TRUE(list("l.csv", "index,label\n").items.empty());
  EXPECT_TRUE(list("l.csv", "").items.empty());
}

TEST_F(ItemListTest, ANamedSecondColumnThatIsNoLabelIsLeftAlone) {
  const ItemList read = list("l.csv", "id,path\na,x.png\n", names_);
  EXPECT_EQ(read.items, Items{0});
  EXPECT_EQ(read.labels, Labels(1));
}

TEST_F(ItemListTest, AnItemCalledIdIsNoHeader) {
  EXPECT_EQ(list("l.csv", "id,3\n", Ids{"x", "id"}).items, Items{1});
}

TEST_F(ItemListTest, NpyOfIntegers) {
  for (const char* kind : {"i1", "u2", "i4", "u8"})
    EXPECT_EQ(read_item_list(corpus_path(std::string("item_list/") + kind + "_big.npy"), 4, {}).items,
              (Items{3, 0, 2}));
  EXPECT_EQ(read_item_list(corpus_path("item_list/i8_little.npy"), 4, {}).labels, Labels(3));
  expect_bad_input({"i8_little.npy: entry 0: item 3 is out of range; there are 3 items"},
                   [] { (void)read_item_list(corpus_path("item_list/i8_little.npy"), 3, {}); });
  expect_bad_input({"bad_negative.npy: entry 0: item -1 is out of range"},
                   [] { (void)read_item_list(corpus_path("item_list/bad_negative.npy"), 3, {}); });
}

TEST_F(ItemListTest, ErrorsNameLineAndValue) {
  expect_refused("l.txt", "0\n5\n", {}, {"line 2: item 5 is out of range; there are 5 items"});
  expect_refused("l.txt", "-1\n", {}, {"line 1: item -1 is out of range"});
  expect_refused("l.txt", "99999999999999999999999\n", {}, {"item 99999999999999999999999 is out of range"});
  expect_refused("l.txt", "1.5\n", {}, {"line 1: '1.5' is not an item index", "--ids"});
  expect_refused("l.txt", "0\n\n1\n", {}, {"line 2 names no item"});
  expect_refused("l.txt", "a\nz\n", names_, {"line 2: 'z' is no item's id"});
  expect_refused("l.txt", "2\n1\n2\n", {}, {"line 3: item 2 was already listed on line 1"});
  expect_refused("l.txt", "c\n2\n", names_, {"line 2: item 'c' was already listed on line 1"});
  expect_refused("l.csv", "id\na\n", {}, {"line 2: 'a' is an id, but the items have none", "--ids"});
  expect_refused("l.csv", "id\n3\n", names_, {"line 2: '3' is no item's id"});
  expect_refused("l.csv", "index\na\n", names_, {"line 2: 'a' is not an item index", "call the column id"});
  expect_refused("l.csv", "item,label\n0,1\n", {},
                 {"line 1: 'item' is not an item index", "header", "index or id"});
  expect_refused("l.csv", "name\na\n", names_, {"line 1: 'name' is no item's id", "header", "index or id"});
  expect_refused("l.csv", "index,label\n0,cat\n", {}, {"line 2: label 'cat' is not a class number"});
  expect_refused("l.csv", "0,-1\n", {}, {"line 1: label '-1'"});
  expect_refused("l.csv", "0,4294967295\n", {}, {"line 1: label '4294967295'"});
  expect_refused("l.csv", "0,1,2\n", {}, {"line 1: expected 2 columns but found 3"});
  expect_refused("l.csv", "label,index\n0\n", {}, {"line 2: expected 2 columns but found 1"});
}

}  // namespace
}  // namespace pith
