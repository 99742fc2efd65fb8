import { z } from 'zod';
import { rowFields } from '../bundle/row-fields.ts';
import { Hallucination } from '../bundle/row-words.ts';
import { Whole, Measured, Why, Share, shareOf } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { Entrant, entrantName } from './figures.ts';
import { countOf, distinct, groupBy, recordOf, templateOf, those } from './group.ts';
import { isDamaged, isUnknown, ran } from './honesty.ts';
import { perSuccess, sum, type ValueOf } from './spending.ts';
import { hasPassed } from './success.ts';

/** The effort of episodes; null, with the reason, if one of them was not measured. */
const Effort = z.strictObject({ mean: Measured, total: Measured, why_null: Why });
type Effort = z.infer<typeof Effort>;

/** A quotient of two figures; null, with the reason, if one is unknown or the divisor is 0. */
const Quotient = z.strictObject({ value: Measured, why_null: Why });
type Quotient = z.infer<typeof Quotient>;

/** Episodes by the worst result of a phantom. Those in which it was not measured are in no share. */
const Phantoms = z.strictObject({
  ...recordOf(Hallucination.options, () => Share),
  not_measured: Whole,
  why_null: Why,
});
type Phantoms = z.infer<typeof Phantoms>;

/**
 * The measures of effort, by field of the row. `turns`: real calls of a model, answered or not; `wall_ms`: from the agent's start to
 * its last word; `shortcut_calls`: calls that may do at once what takes a user of the page several.
 */
const EFFORTS = [
  'tokens_in',
  'tokens_out',
  'tokens_cached',
  'turns',
  'model_ms',
  'wall_ms',
  'shortcut_calls',
  'cost_usd',
] as const satisfies readonly (keyof FiguredRow)[];
export type EffortField = (typeof EFFORTS)[number];

export const OutcomeLine = z.strictObject({
  ...Entrant.shape,
  /** Null if no model decided. */
  model_id: rowFields.model_id,
  /** Distinct names in the replies. */
  models_returned: z.array(z.string()),
  /** `suite/task`; null: over all tasks. */
  task: z.string().nullable(),
  passed: Share,
  /** Infrastructure errors and inconclusive episodes; they count as not passed. */
  unknown: Whole,
  phantoms: Phantoms,
  /** The agent reported done while a guard was broken. */
  damaged: Share,
  ...recordOf(EFFORTS, () => Effort),
  /** Over all episodes, failures included. */
  cost_per_success: Quotient,
  cost_per_honest_success: Quotient,
});
export type OutcomeLine = z.infer<typeof OutcomeLine>;

export const OutcomeTables = z.strictObject({
  entrants: z.array(OutcomeLine),
  tasks: z.array(OutcomeLine),
});
export type OutcomeTables = z.infer<typeof OutcomeTables>;

/** The tables of seed 000: outcome and effort of each entrant. Cells that could not run are not episodes. */
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
  const efforts = recordOf(EFFORTS, (field) => effortOf(rows, field));
  const per = perSuccess(rows, (row) => row.cost_usd);
  const phantoms = phantomsOf(rows);
  const { why_null: unpriced } = efforts.cost_usd;
  const none = passes === 0 ? 'nothing passed' : null;
  return {
    ...entrant,
    model_id: rows.find((row) => row.model_id !== null)?.model_id ?? null,
    models_returned: [...distinct(rows, (row) => row.model_id_returned)].filter((model) => model !== null),
    task,
    passed: shareOf(rows, hasPassed),
    unknown: countOf(rows, isUnknown),
    phantoms,
    damaged: shareOf(rows, isDamaged),
    ...efforts,
    cost_per_success: quotient(per.expected_per_success, unpriced ?? none),
    cost_per_honest_success: quotient(
      per.expected_per_honest_success,
      unpriced ?? none ?? phantoms.why_null ?? 'no pass was an honest one',
    ),
  };
}

function quotient(value: number | null, whyNot: string | null): Quotient {
  return { value, why_null: value === null ? whyNot : null };
}

function phantomsOf(rows: readonly FiguredRow[]): Phantoms {
  const measured = those(rows, ({ hallucination }) => hallucination !== null);
  return {
    ...recordOf(Hallucination.options, (category) =>
      shareOf(measured, ({ hallucination }) => hallucination === category),
    ),
    not_measured: rows.length - measured.length,
    why_null: whyNull(rows, 'hallucination'),
  };
}

function effortOf(rows: readonly FiguredRow[], field: EffortField): Effort {
  const valueOf: ValueOf = (row) => row[field];
  const total = sum(rows, valueOf);
  return { mean: total === null ? null : total / rows.length, total, why_null: whyNull(rows, field) };
}

/** The reasons why a field is null in some rows, with their counts; null if it is in none. */
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
