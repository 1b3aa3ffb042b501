#include <fmt/format.h>

#include "data/delimited.h"
#include "data/text.h"
#include "handover/export.h"

namespace pith {
namespace {

/// XML 1.0: markup becomes entities, and what is no character at all becomes U+FFFD.
std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t bytes = utf8_sequence_bytes(text);
    const char c = text[0];
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (bytes == 0 || (static_cast<unsigned char>(c) < 0x20 && c != '\t'))
      out += "\xef\xbf\xbd";
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

}  // namespace

std::string write_csv(std::span<const ExportRow> rows, const ExportNames& /*names*/,
                      std::uint32_t /*classes*/) {
  std::string out = "rank,index,id,path,class,class_name,score,uncertainty,boundary,represents,label\n";
  for (const ExportRow& row : rows)
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},\n", row.rank, row.item, csv_field(row.id),
                       csv_field(row.path), row.class_label, csv_field(row.class_name),
                       row.score ? fmt::format("{}", *row.score) : "", row.uncertainty, row.boundary,
                       row.represents);
  return out;
}

std::string write_txt(std::span<const ExportRow> rows, const ExportNames& /*names*/,
                      std::uint32_t /*classes*/) {
  std::string out;
  for (const ExportRow& row : rows) out += row.path + "\n";
  return out;
}

std::string write_cvat(std::span<const ExportRow> rows, const ExportNames& names, std::uint32_t classes) {
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<annotations>\n  <version>1.1</version>\n  <meta>\n"
      "    <task>\n      <size>{}</size>\n      <mode>annotation</mode>\n      <labels>\n",
      rows.size());
  for (std::uint32_t label = 0; label < classes; ++label)
    out += fmt::format(
        "        <label><name>{}</name><type>tag</type><attributes>"
        "<attribute><name>score</name><mutable>False</mutable><input_type>text</input_type></attribute>"
        "<attribute><name>pith_rank</name><mutable>False</mutable><input_type>text</input_type></attribute>"
        "</attributes></label>\n",
        escaped(class_name_of(names, label)));
  out += "      </labels>\n    </task>\n  </meta>\n";
  for (const ExportRow& row : rows) {
    out += fmt::format("  <image id=\"{}\" name=\"{}\">\n    <tag label=\"{}\" source=\"auto\">",
                       row.rank - 1, escaped(row.path), escaped(row.class_name));
    if (row.score) out += fmt::format("<attribute name=\"score\">{:.6f}</attribute>", *row.score);
    out += fmt::format("<attribute name=\"pith_rank\">{}</attribute></tag>\n  </image>\n", row.rank);
  }
  return out + "</annotations>\n";
}

}  // namespace pith
