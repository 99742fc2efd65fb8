import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Situations } from '../src/report/situations.ts';

const CELLS = fileURLToPath(new URL('../suites/web/cells.yaml', import.meta.url));

export const Cause = z.strictObject({
  source: z.enum(['server', 'binding', 'touchstone', 'page']),
  why: z.string(),
  bare: z.literal(true).optional(),
  /** Ids of tasks, by surface. */
  cells: z.record(z.string(), z.array(z.string()).min(1)),
});
export type Cause = z.infer<typeof Cause>;

/** Reads why cells of the committed bundle did not pass. */
export function readCauses(): Cause[] {
  return z.array(Cause).parse(parse(readFileSync(CELLS, 'utf8')));
}

/** The causes by cell; `causeOf(causes)('aria', 'moving')`. */
export function causeOf(causes: readonly Cause[]): (surface: string, task: string) => Cause | undefined {
  const found = new Map(causes.flatMap((cause) => cellsOf(cause).map((cell) => [cell, cause])));
  return (surface, task) => found.get(`${surface}/${task}`);
}

/** Lists failed cells without a cause, and causes of cells that passed, do not exist or have another cause. */
export function causeProblems(causes: readonly Cause[], { surfaces }: Situations): string[] {
  const failed = surfaces.flatMap(({ surface, cells }) =>
    Object.entries(cells).flatMap(([task, { end }]) => (end === 'passed' ? [] : [`${surface}/${task}`])),
  );
  const named = causes.flatMap(cellsOf);
  return [
    ...failed.filter((cell) => !named.includes(cell)).map((cell) => `${cell} has no cause`),
    ...named.filter((cell) => !failed.includes(cell)).map((cell) => `${cell} did not fail`),
    ...named.filter((cell, at) => named.indexOf(cell) !== at).map((cell) => `${cell} has two causes`),
  ];
}

function cellsOf({ cells }: Cause): string[] {
  return Object.entries(cells).flatMap(([surface, tasks]) => tasks.map((task) => `${surface}/${task}`));
}
