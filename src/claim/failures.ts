import { z } from 'zod';
import { rowFields } from '../bundle/row-fields.ts';
import { FailureCategory } from '../bundle/row-words.ts';
import { Whole } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { Entrant } from './figures.ts';
import { templateOf } from './group.ts';

const Failure = FailureCategory.exclude(['none']);
type Failure = z.infer<typeof Failure>;

/** Failures of one model, surface and task by category, the most frequent first. */
export const FailureTally = z.strictObject({
  ...Entrant.shape,
  model_id: rowFields.model_id,
  suite: rowFields.suite,
  task: rowFields.task,
  counts: z.array(z.strictObject({ category: Failure, episodes: Whole })),
});
export type FailureTally = z.infer<typeof FailureTally>;

/** Counts failures for each agent, model, surface and task, without a list of the rows. */
export function failureTallies(rows: readonly FiguredRow[]): FailureTally[] {
  const tallies = new Map<string, { first: FiguredRow; counts: Map<Failure, number> }>();
  for (const row of rows) {
    const { failure_category: category } = row;
    if (category === null || category === 'none') continue;
    const name = JSON.stringify([row.agent, row.model_id, row.surface, templateOf(row)]);
    const { counts } = tallies.get(name) ?? { counts: new Map<Failure, number>() };
    if (counts.size === 0) tallies.set(name, { first: row, counts });
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  return [...tallies.values()].map(({ first: { agent, model_id, surface, suite, task }, counts }) => ({
    agent,
    model_id,
    surface,
    suite,
    task,
    counts: [...counts]
      .map(([category, episodes]) => ({ category, episodes }))
      .toSorted((one, other) => other.episodes - one.episodes),
  }));
}
