import { EFFORTS, type OutcomeLine, type OutcomeTables } from '../claim/outcome-tables.ts';
import { groupBy } from '../claim/group.ts';
import { modelLines } from './asked-models.ts';
import { codeSpan } from './code-span.ts';
import { numberText, secondsText, shareText } from './figure-text.ts';
import { markdownTable } from './markdown-table.ts';

/** Name what the tables count. */
export const OUTCOME_NOTES = [
  'Each share is of all episodes that ran, with its 95 % interval: Wilson’s, over several tasks with the effective number of trials.',
  'A phantom is an action at a target that was not there; an episode stands under the worst that one led to. Damage: the agent said done while a guard is broken.',
  'Tokens, model calls, times, shortcuts and cost are means per episode, and diagnostic: nobody is ranked by them. A shortcut is a call that may do at once what takes a user of the page several: the surface’s own advantage, and no skill of the agent.',
  'Cost per success is of all episodes, failures included; an honest success took no phantom for real.',
  'A dash was not measured in every episode; why stands below.',
] as const;

const WHAT_CAME = [
  'success',
  'unknown',
  'phantoms: none',
  'filtered',
  'reached, failed',
  'reached, succeeded',
  'damage',
];
const WHAT_IT_TOOK = [
  'tokens in',
  'tokens out',
  'cached',
  'model calls',
  'model time',
  'end to end',
  'shortcuts',
  'cost',
  'per success',
  'per honest success',
];

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
  const ofTask = lines.some(({ task }) => task !== null);
  const head = [...(ofTask ? ['task'] : []), 'agent', 'surface'];
  const name = (line: OutcomeLine) => [...(ofTask ? [line.task] : []), agentText(line), line.surface];
  return [
    ...markdownTable(
      [...head, ...WHAT_CAME],
      lines.map((line) => [...name(line), ...whatCame(line)]),
      head.length,
    ),
    '',
    ...markdownTable(
      [...head, ...WHAT_IT_TOOK],
      lines.map((line) => [...name(line), ...whatItTook(line)]),
      head.length,
    ),
    '',
  ];
}

/** The agent, and its model where that is called otherwise. */
function agentText({ agent, model_id: model }: OutcomeLine): string {
  return model === null || model === agent ? agent : `${agent} (${codeSpan(model)})`;
}

function whatCame({ passed, unknown, phantoms, damaged }: OutcomeLine): (string | null)[] {
  return [
    shareText(passed),
    String(unknown),
    shareText(phantoms.none),
    shareText(phantoms.filtered),
    shareText(phantoms.reached_failed),
    shareText(phantoms.reached_succeeded),
    shareText(damaged),
  ];
}

function whatItTook(line: OutcomeLine): (string | null)[] {
  return [
    numberText(line.tokens_in.mean),
    numberText(line.tokens_out.mean),
    numberText(line.tokens_cached.mean),
    numberText(line.turns.mean),
    secondsText(line.model_ms.mean),
    secondsText(line.wall_ms.mean),
    numberText(line.shortcut_calls.mean),
    numberText(line.cost_usd.mean, ' USD'),
    numberText(line.cost_per_success.value, ' USD'),
    numberText(line.cost_per_honest_success.value, ' USD'),
  ];
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
    return reasons.length === 0 ? [] : [{ name: `${line.agent} through ${line.surface}`, reasons: reasons.join('; ') }];
  });
  const lines = [...groupBy(missing, ({ reasons }) => reasons)].map(
    ([reasons, same]) => `- ${same.map(({ name }) => name).join(', ')}: ${reasons}.`,
  );
  return lines.length === 0 ? [] : ['Not measured:', '', ...lines, ''];
}
