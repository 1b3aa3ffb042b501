// The current choice as a file, and the command line that makes it again.
import { section } from "../report/parts";
import { h } from "../shared/dom";
import { get_command, get_export, Overtaken } from "./api";
import type { Made, Model } from "./model";

export function take_away_section(model: Model): HTMLElement {
  const format = h("select", { id: "format" }, ...model.session.formats.map((one) => h("option", { value: one.name, title: one.summary }, `${one.name}: ${one.summary}`)));
  const said = h("p", { class: "hint", role: "status" });
  const line = h("pre", { class: "command", tabindex: 0, "aria-label": "Command line" });
  const copy = h("button", { type: "button", click: () => {
    navigator.clipboard.writeText(line.textContent!).then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "Select it and copy"; });
  } }, "Copy");
  const lists = h("p", { class: "hint" });
  /** What to show in place of the answer. */
  const trouble = (error: unknown, made: Made) => {
    if (error instanceof Overtaken) model.note_lost(made);
    return (error as Error).message;
  };
  let wanted = 0;
  const refresh = async () => {
    const number = ++wanted;
    const made = model.current!;
    try {
      const command = await get_command(model.place, made.answer.number);
      if (number !== wanted) return;
      line.textContent = command.line;
      copy.textContent = "Copy";
      lists.textContent = command.note ?? (command.files.length === 0 ? "" : `The items you forced or excluded are listed in ${command.files.join(" and ")}.`);
    } catch (error) {
      if (number === wanted) line.textContent = trouble(error, made);
    }
  };
  model.on("choice", () => {
    said.textContent = "";
    void refresh();
  });
  const save = async () => {
    const made = model.current;
    if (made === null) return;
    try {
      const { name, blob } = await get_export(model.place, made.answer.number, format.value);
      const link = h("a", { href: URL.createObjectURL(blob), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      said.textContent = `Saved ${name}.`;
    } catch (error) {
      said.textContent = trouble(error, made);
    }
  };
  return section("take-away", "Take it away", "The choice that is shown, as a file for a labelling tool or a program, and the command that makes exactly this choice again.",
    h("div", { class: "controls" }, h("p", { class: "control wide" }, h("label", { for: "format" }, "Format"), format), h("button", { type: "button", click: () => void save() }, "Save")), said,
    h("h3", {}, "The same on the command line"), line, h("p", {}, copy), lists);
}
