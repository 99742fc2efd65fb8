import { EFFORTS, type OutcomeLine, type OutcomeTables } from '../claim/outcome-tables.ts';
import { groupBy } from '../claim/group.ts';
import { modelLines } from './asked-models.ts';
import { codeSpan } from './code-span.ts';
import { numberText, secondsText, shareText } from './figure-text.ts';
import { type Column, markdownTable } from './markdown-table.ts';
import { entrantText } from './entrant-text.ts';

/** Name what the tables count. */
export const OUTCOME_NOTES = [
  'Each share is of all episodes that ran, with its 95 % interval: Wilson’s, over several tasks with the effective number of trials.',
  'A phantom is an action at a target that was not there; each episode is counted once, by the worst that came of one. Damage: the agent said done while a guard is broken.',
  'Tokens, model calls, times, shortcuts and cost are means per episode, and diagnostic: they rank nobody. A shortcut is a call that may do at once what takes a user of the page several: the surface’s own advantage, and no skill of the agent.',
  'Cost per success is of all episodes, failures included; an honest success took no phantom for real.',
  'A dash means that it was not measured in every episode; the reason is below the tables.',
] as const;

const WHAT_CAME: readonly Column<OutcomeLine>[] = [
  { head: 'success', cell: ({ passed }) => shareText(passed) },
  { head: 'unknown', cell: ({ unknown }) => unknown },
  { head: 'phantoms: none', cell: ({ phantoms }) => shareText(phantoms.none) },
  { head: 'filtered', cell: ({ phantoms }) => shareText(phantoms.filtered) },
  { head: 'reached, failed', cell: ({ phantoms }) => shareText(phantoms.reached_failed) },
  { head: 'reached, succeeded', cell: ({ phantoms }) => shareText(phantoms.reached_succeeded) },
  { head: 'damage', cell: ({ damaged }) => shareText(damaged) },
];

/** A measure of effort: its figure as text, and why there is none. */
interface EffortColumn {
  head: string;
  textOf: (line: OutcomeLine) => string | null;
  whyOf: (line: OutcomeLine) => string | null;
}

export const EFFORT_COLUMNS: readonly EffortColumn[] = [
  effort('tokens in', 'tokens_in', numberText),
  effort('tokens out', 'tokens_out', numberText),
  effort('cached', 'tokens_cached', numberText),
  effort('model calls', 'turns', numberText),
  effort('model time', 'model_ms', secondsText),
  effort('end to end', 'wall_ms', secondsText),
  effort('shortcuts', 'shortcut_calls', numberText),
];

const WHAT_IT_TOOK: readonly Column<OutcomeLine>[] = [
  ...EFFORT_COLUMNS.map(({ head, textOf: cell }) => ({ head, cell })),
  { head: 'cost', cell: ({ cost_usd: cost }) => numberText(cost.mean, ' USD') },
  { head: 'per success', cell: ({ cost_per_success: cost }) => numberText(cost.value, ' USD') },
  { head: 'per honest success', cell: ({ cost_per_honest_success: cost }) => numberText(cost.value, ' USD') },
];

function effort(
  head: string,
  field: (typeof EFFORTS)[number],
  text: (mean: number | null) => string | null,
): EffortColumn {
  return { head, textOf: (line) => text(line[field].mean), whyOf: (line) => line[field].why_null };
}

/**
 * The tables of seed 000 as Markdown: per agent and surface, and per task.
 * @param ofTasks what stands above the latter
 */
export function outcomeLines({ entrants, tasks }: OutcomeTables, ofTasks: readonly string[] = []): string[] {
  if (entrants.length === 0) return [];
  return [
    '## Outcomes',
    '',
    ...OUTCOME_NOTES.map((note) => `- ${note}`),
    '',
    ...linesOf(entrants),
    ...modelLines(entrants),
    '### Per task',
    '',
    ...ofTasks,
    ...linesOf(tasks),
    ...notMeasured(entrants),
  ];
}

function linesOf(lines: readonly OutcomeLine[]): string[] {
  const ofTask: Column<OutcomeLine>[] = lines.some(({ task }) => task !== null)
    ? [{ head: 'task', left: true, cell: ({ task }) => task }]
    : [];
  const names: Column<OutcomeLine>[] = [
    ...ofTask,
    { head: 'agent', left: true, cell: agentText },
    { head: 'surface', left: true, cell: ({ surface }) => surface },
  ];
  return [
    ...markdownTable([...names, ...WHAT_CAME], lines),
    '',
    ...markdownTable([...names, ...WHAT_IT_TOOK], lines),
    '',
  ];
}

/** The agent, and its model where that is called otherwise. */
function agentText({ agent, model_id: model }: OutcomeLine): string {
  return model === null || model === agent ? agent : `${agent} (${codeSpan(model)})`;
}

/** Every figure that is missing of an entrant, and why. */
export function whyMissing(line: OutcomeLine): { what: string; why: string }[] {
  const missing = [
    { what: 'phantoms', why: line.phantoms.why_null },
    ...EFFORTS.map((field) => ({ what: field, why: line[field].why_null })),
    { what: 'cost per success', why: line.cost_per_success.why_null },
    { what: 'cost per honest success', why: line.cost_per_honest_success.why_null },
  ];
  return missing.flatMap(({ what, why }) => (why === null ? [] : [{ what, why }]));
}

/** Figures that are missing for the same reason are named together, and entrants of whom the same are missing. */
function notMeasured(entrants: readonly OutcomeLine[]): string[] {
  const missing = entrants.flatMap((line) => {
    const reasons = [...groupBy(whyMissing(line), ({ why }) => why)].map(
      ([why, same]) => `${same.map(({ what }) => `\`${what}\``).join(', ')}: ${codeSpan(why)}`,
    );
    return reasons.length === 0 ? [] : [{ name: entrantText(line), reasons: reasons.join('; ') }];
  });
  const lines = [...groupBy(missing, ({ reasons }) => reasons)].map(
    ([reasons, same]) => `- ${same.map(({ name }) => name).join(', ')}: ${reasons}.`,
  );
  return lines.length === 0 ? [] : ['Not measured:', '', ...lines, ''];
}
