import { z } from 'zod';
import { rowFields } from '../bundle/row-fields.ts';
import type { Hallucination } from '../bundle/row-words.ts';
import { Whole, Measured, Why } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { Entrant, entrantName } from './figures.ts';
import { countOf, distinct, groupBy, templateOf, those } from './group.ts';
import { isDamaged, isUnknown, ran } from './honesty.ts';
import { Share, shareOf } from './share.ts';
import { perSuccess, sum, type ValueOf } from './spending.ts';
import { hasPassed } from './success.ts';

/** The effort of episodes. Null where one of them was not measured, with the reason. */
const Effort = z.strictObject({ mean: Measured, total: Measured, why_null: Why });
type Effort = z.infer<typeof Effort>;

/** A quotient of two figures; null where one of them is not known or nothing is divided by, and then it says why. */
const Quotient = z.strictObject({ value: Measured, why_null: Why });
type Quotient = z.infer<typeof Quotient>;

/** Episodes by the worst that a phantom led to. Those in which it was not measured are in no share. */
const Phantoms = z.strictObject({
  none: Share,
  filtered: Share,
  reached_failed: Share,
  reached_succeeded: Share,
  not_measured: Whole,
  why_null: Why,
});
type Phantoms = z.infer<typeof Phantoms>;

/** The outcome of an entrant on one task, or on all. */
export const OutcomeLine = z.strictObject({
  ...Entrant.shape,
  /** Null where no model decided. */
  model_id: rowFields.model_id,
  /** As the replies named their model, each once. */
  models_returned: z.array(z.string()),
  /** `suite/task`; null: over all tasks. */
  task: z.string().nullable(),
  passed: Share,
  /** Infrastructure errors and inconclusive episodes; they count as not passed. */
  unknown: Whole,
  phantoms: Phantoms,
  /** The agent said done while a guard is broken. */
  damaged: Share,
  tokens_in: Effort,
  tokens_out: Effort,
  tokens_cached: Effort,
  /** Real calls of a model, answered or not. */
  turns: Effort,
  model_ms: Effort,
  /** End to end: from the agent's start to its last word. */
  wall_ms: Effort,
  /** Calls that may do at once what takes a user of the page several. */
  shortcut_calls: Effort,
  cost_usd: Effort,
  /** Over all episodes, failures included. */
  cost_per_success: Quotient,
  cost_per_honest_success: Quotient,
});
export type OutcomeLine = z.infer<typeof OutcomeLine>;

/** The measures of effort, by field of the row. */
export const EFFORTS = [
  'tokens_in',
  'tokens_out',
  'tokens_cached',
  'turns',
  'model_ms',
  'wall_ms',
  'shortcut_calls',
  'cost_usd',
] as const satisfies readonly (keyof FiguredRow & keyof OutcomeLine)[];

export const OutcomeTables = z.strictObject({
  entrants: z.array(OutcomeLine),
  /** Each entrant on each task, task by task. */
  tasks: z.array(OutcomeLine),
});
export type OutcomeTables = z.infer<typeof OutcomeTables>;

/** The tables of seed 000: what came of every entrant, and what it took. Cells that could not run are no episodes. */
export function outcomeTables(rows: readonly FiguredRow[], entrants: readonly Entrant[]): OutcomeTables {
  const episodes = those(rows, ran);
  const tasks = [...groupBy(episodes, templateOf)];
  return {
    entrants: linesOf(episodes, entrants, null),
    tasks: tasks.flatMap(([task, own]) => linesOf(own, entrants, task)),
  };
}

function linesOf(episodes: readonly FiguredRow[], entrants: readonly Entrant[], task: string | null): OutcomeLine[] {
  const byEntrant = groupBy(episodes, entrantName);
  return entrants.flatMap(({ agent, surface }) => {
    const own = byEntrant.get(entrantName({ agent, surface }));
    return own === undefined ? [] : [lineOf({ agent, surface }, task, own)];
  });
}

function lineOf(entrant: Entrant, task: string | null, rows: readonly FiguredRow[]): OutcomeLine {
  const passes = countOf(rows, hasPassed);
  const cost = effortOf(rows, 'cost_usd');
  const per = perSuccess(rows, (row) => row.cost_usd);
  const phantoms = phantomsOf(rows);
  const none = passes === 0 ? 'nothing passed' : 'no pass was an honest one';
  const honest = per.expected_per_honest_success;
  return {
    ...entrant,
    model_id: rows.find((row) => row.model_id !== null)?.model_id ?? null,
    models_returned: [...distinct(rows, (row) => row.model_id_returned)].filter((model) => model !== null),
    task,
    passed: shareOf(rows, hasPassed),
    unknown: countOf(rows, isUnknown),
    phantoms,
    damaged: shareOf(rows, isDamaged),
    tokens_in: effortOf(rows, 'tokens_in'),
    tokens_out: effortOf(rows, 'tokens_out'),
    tokens_cached: effortOf(rows, 'tokens_cached'),
    turns: effortOf(rows, 'turns'),
    model_ms: effortOf(rows, 'model_ms'),
    wall_ms: effortOf(rows, 'wall_ms'),
    shortcut_calls: effortOf(rows, 'shortcut_calls'),
    cost_usd: cost,
    cost_per_success: quotient(per.expected_per_success, cost.why_null ?? none),
    cost_per_honest_success: quotient(honest, cost.why_null ?? (passes === 0 ? none : (phantoms.why_null ?? none))),
  };
}

function quotient(value: number | null, whyNot: string): Quotient {
  return { value, why_null: value === null ? whyNot : null };
}

function phantomsOf(rows: readonly FiguredRow[]): Phantoms {
  const measured = those(rows, ({ hallucination }) => hallucination !== null);
  const share = (category: Hallucination) => shareOf(measured, ({ hallucination }) => hallucination === category);
  return {
    none: share('none'),
    filtered: share('filtered'),
    reached_failed: share('reached_failed'),
    reached_succeeded: share('reached_succeeded'),
    not_measured: rows.length - measured.length,
    why_null: whyNull(rows, 'hallucination'),
  };
}

function effortOf(rows: readonly FiguredRow[], field: (typeof EFFORTS)[number]): Effort {
  const valueOf: ValueOf = (row) => row[field];
  const total = sum(rows, valueOf);
  return { mean: total === null ? null : total / rows.length, total, why_null: whyNull(rows, field) };
}

/** Why a field is null in some rows, with how many; null when it is in none. */
function whyNull(rows: readonly FiguredRow[], field: keyof FiguredRow): string | null {
  const reasons = new Map<string, number>();
  for (const row of rows) {
    if (row[field] !== null) continue;
    const reason = row.null_reasons[field] ?? 'no reason was given';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  if (reasons.size === 0) return null;
  return [...reasons].map(([reason, count]) => `${count} of ${rows.length}: ${reason}`).join('; ');
}
