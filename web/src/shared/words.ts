// The run in sentences.
import type { Groups, Report, Run } from "./data";
import { capitalised, count, counted, number_at_least, number_at_most, percent, percent_at_least, percent_at_most, short } from "./format";

const listed = (parts: string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;

export const covered = (groups: Groups): number => Array.from(groups.selected).filter((value) => value > 0).length;
export function at_cap(groups: Groups): number {
  let number = 0;
  for (let at = 0; at < groups.count; ++at)
    if (groups.selected[at] > 0 && groups.selected[at] + groups.labelled[at] >= groups.cap[at]) ++number;
  return number;
}
export function raised(groups: Groups): number {
  let number = 0;
  for (let at = 0; at < groups.count; ++at) if (groups.cap[at] > groups.cap_requested[at]) ++number;
  return number;
}

/** What items are that were in the subset from the start. */
export const initial_words = (report: Report): string => (report.initial === "labelled" ? "labelled before" : report.initial);

function asked(report: Report, run: Run): string {
  const caps = listed([run.class_active ? "class" : "", run.boundary_active ? "decision boundary" : ""].filter((part) => part !== ""));
  const from = run.budget.labelled > 0 ? `, going on from ${counted(run.budget.labelled, `${report.initial} item`)}` : "";
  const budget = run.budget.cost_budget !== undefined ? `items for at most ${short(run.budget.cost_budget)}` : counted(run.budget.requested, "item");
  return `Asked for ${budget} out of ${count(run.items)} in ${count(run.classes)} classes${from}, by ${run.strategy}` +
    (caps === "" ? ", without caps." : `, with a cap on every ${caps.replace(" and ", " and every ")}.`);
}

function came_out(report: Report, run: Run): string {
  const { budget, coverage } = run;
  const why = run.feasible_size_exact ? "the caps admit no more" : "nothing more fits beside these, and whether other picks had left room is not decided";
  const missed = budget.selected < budget.requested ? `, fewer than asked for: ${why}` : "";
  return `It chose ${count(budget.selected)}${missed}: ${count(covered(report.classes))} of ${counted(run.classes, "class", "classes")} and ` +
    `${count(covered(report.boundaries))} of ${counted(report.boundaries.count, "boundary", "boundaries")} have a pick, and the picks' mean uncertainty is ` +
    `${coverage.mean_uncertainty.toFixed(2)}, against ${coverage.mean_uncertainty_of_all.toFixed(2)} of all items.`;
}

/** At least so much of the best possible; null where nothing is known of it: not measured, a bound that is not finite, or 0 for every set. */
export function certified_share(run: Run): number | null {
  return run.certificate === null || run.certificate.upper_bound === 0 ? null : run.certificate.ratio;
}

function how_good(report: Report, run: Run): string {
  const parts: string[] = [];
  const share = certified_share(run);
  if (share !== null && share > 0) parts.push(`no other choice within the caps can be better by more than ${percent_at_most(1 / share - 1)}`);
  if (run.coverage.represented !== undefined) parts.push(`${percent(run.coverage.represented / run.items, 0)} of all items are a pick or have one among their neighbours`);
  if (run.relaxed) parts.push(`the caps as asked admit only ${count(run.feasible_size)}, so ${caps_raised(report, run)}`);
  if (parts.length === 0) return "The run was not measured, so nothing is known of its quality.";
  const text = parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")}, and ${parts[parts.length - 1]}`;
  return `${capitalised(text)}.`;
}

function caps_raised(report: Report, run: Run): string {
  const parts: string[] = [];
  const were_raised = (caps: number, what: string) => `${counted(caps, what)} ${caps === 1 ? "was" : "were"} raised`;
  if (raised(report.classes) > 0) parts.push(`${were_raised(raised(report.classes), "class cap")} to ${count(run.class_level)}`);
  if (raised(report.boundaries) > 0) parts.push(`${were_raised(raised(report.boundaries), "boundary cap")} by a factor of ${short(run.boundary_factor)}`);
  return listed(parts);
}

/** What was asked, what came out, how good it is. */
export function three_sentences(report: Report): string[] {
  const run = report.run!;
  return [asked(report, run), came_out(report, run), how_good(report, run)];
}

export function certificate_words(run: Run): string[] {
  const certificate = run.certificate;
  if (certificate === null || certificate.ratio === null || certificate.upper_bound === null || run.objective === null)
    return ["This run was not measured (--measure), or its bound is not finite: there is no certificate."];
  if (certificate.upper_bound === 0) return ["The objective is 0 for every set of items, so it cannot tell a good choice from a bad one: its weights, or all that they weigh, are 0."];
  const out = [
    `The picks reach an objective of ${number_at_least(run.objective.total)}. A bound computed from the same data says that no set of as many items within the same caps reaches more than ${number_at_most(certificate.upper_bound)}.`,
    `So this choice is at least ${percent_at_least(certificate.ratio, 2)} as good as the best possible one, whatever that is.`,
  ];
  const rest = certificate.ratio_without_constant;
  if (rest !== null)
    out.push(`A part of the objective is the same for every set of this size. Without that part, which flatters every choice alike, ${rest < 0 ? "nothing is certain" : `the share is at least ${percent_at_least(rest)}`}.`);
  out.push("The certificate is about the objective, not about the accuracy of a model trained on the picks: that takes an experiment.");
  return out;
}
