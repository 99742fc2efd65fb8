import { z } from 'zod';
import { rowFields } from '../bundle/row-fields.ts';
import { Whole, Measured } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { countOf, groupBy, templateOf, those } from './group.ts';
import { ran as hasRun } from './honesty.ts';
import { median } from '../stats/resampling.ts';

export const Entrant = z.strictObject({ agent: rowFields.agent, surface: rowFields.surface });
export type Entrant = z.infer<typeof Entrant>;

/** An entrant on one task or on all. Medians are null if nothing was measured. */
const CellFigures = z.strictObject({
  episodes: Whole,
  passed: Whole,
  statuses: z.record(z.string(), Whole),
  median_steps: Measured,
  median_tool_errors: Measured,
  median_wall_ms: Measured,
});
type CellFigures = z.infer<typeof CellFigures>;

export const EntrantFigures = z.strictObject({
  ...Entrant.shape,
  ...CellFigures.shape,
  tasks: z.record(z.string(), CellFigures),
});
export type EntrantFigures = z.infer<typeof EntrantFigures>;

/** Figures per entrant, in the order of the plan. Cells that could not run are not episodes. */
export function entrantFigures(rows: readonly FiguredRow[], entrants: readonly Entrant[]): EntrantFigures[] {
  const byEntrant = groupBy(rows, entrantName);
  const names = new Set([...entrants.map(entrantName), ...byEntrant.keys()]);
  return [...names].flatMap((name) => {
    const ofEntrant = byEntrant.get(name) ?? [];
    const [first] = ofEntrant;
    if (first === undefined) return [];
    const byTask = groupBy(ofEntrant, templateOf);
    const tasks = Object.fromEntries([...byTask].map(([task, ofTask]) => [task, figuresOf(ofTask)]));
    return [{ agent: first.agent, surface: first.surface, ...figuresOf(ofEntrant), tasks }];
  });
}

export function isOf({ agent, surface }: Entrant, row: Entrant): boolean {
  return row.agent === agent && row.surface === surface;
}

/** A key to group by. */
export function entrantName({ agent, surface }: Entrant): string {
  return `${agent} ${surface}`;
}

export function namesOf(entrants: readonly Entrant[]): string[] {
  return entrants.map(({ agent, surface }) => `${agent}/${surface}`);
}

function figuresOf(rows: readonly FiguredRow[]): CellFigures {
  const ran = those(rows, hasRun);
  const statuses: Record<string, number> = {};
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    episodes: ran.length,
    passed: countOf(ran, ({ status }) => status === 'passed'),
    statuses,
    median_steps: median(ran.map(({ steps }) => steps)),
    median_tool_errors: median(ran.map(({ tool_errors: errors }) => errors)),
    median_wall_ms: median(ran.map(({ wall_ms: wall }) => wall)),
  };
}
