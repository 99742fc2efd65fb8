import { z } from 'zod';
import type { Row } from '../bundle/row.ts';
import type { EntrantAxes } from '../claim/axes.ts';
import type { Task } from '../task/schema.ts';
import { type Column, type Section, section, table } from './document.ts';
import { failureOf } from './failure.ts';
import { integerText, millisecondsText } from './numbers.ts';

/**
 * The end of a situation through a surface: `no_call`: the surface has no call for a step; `stuck`: a step was not made, since the surface
 * did not show its element or its text; `other_end`: every step was tried, and the page ended otherwise; `unknown`: not judged.
 */
export const SituationEnd = z.enum(['passed', 'no_call', 'stuck', 'other_end', 'too_long', 'unknown']);
export type SituationEnd = z.infer<typeof SituationEnd>;

const Cell = z.strictObject({ passed: z.int(), of: z.int(), end: SituationEnd, why: z.string().nullable() });
type Cell = z.infer<typeof Cell>;

const SurfaceResult = z.strictObject({
  surface: z.string(),
  version: z.string().nullable(),
  /** Tokens of the tool list, and of the replies for each situation that passed. */
  tool_list_tokens: z.number().nullable(),
  reply_tokens: z.number().nullable(),
  /** Medians, in ms. */
  call_ms: z.number().nullable(),
  episode_ms: z.number().nullable(),
  /** By id of the task. */
  cells: z.record(z.string(), Cell),
});
type SurfaceResult = z.infer<typeof SurfaceResult>;

/** The situations of a suite, and the end of each through surfaces. The groups are the first tags of its tasks. */
export const Situations = z.strictObject({
  suite: z.string(),
  day: z.iso.date(),
  groups: z.array(
    z.strictObject({ group: z.string(), tasks: z.array(z.strictObject({ id: z.string(), title: z.string() })) }),
  ),
  surfaces: z.array(SurfaceResult),
});
export type Situations = z.infer<typeof Situations>;

interface Campaign {
  created_at: string;
  plan: { tasks: readonly { suite: string; task: Pick<Task, 'id' | 'title' | 'tags'> }[] };
}

/** Sums up the episodes of the reference. @param axes of the same rows */
export function situationsOf(
  { created_at, plan }: Campaign,
  rows: readonly Row[],
  axes: readonly EntrantAxes[],
): Situations {
  const groups = new Map<string, { id: string; title: string }[]>();
  const tasks = plan.tasks.map(({ task }) => task);
  for (const task of tasks) {
    const [group = 'others'] = task.tags ?? [];
    groups.set(group, [...(groups.get(group) ?? []), { id: task.id, title: task.title }]);
  }
  const surfaces = axes.map((each): SurfaceResult => {
    const own = rows.filter(({ surface }) => surface === each.surface);
    const ids = [...new Set(own.map(({ task }) => task))];
    return {
      surface: each.surface,
      version: each.surface_version,
      tool_list_tokens: each.tool_list_tokens,
      reply_tokens: each.response_tokens_per_completed,
      call_ms: each.call_p50_ms,
      episode_ms: each.median_wall_ms,
      cells: Object.fromEntries(ids.map((id) => [id, cellOf(own.filter(({ task }) => task === id))])),
    };
  });
  const suite = plan.tasks[0]?.suite ?? '';
  return {
    suite,
    day: created_at.slice(0, 10),
    groups: [...groups].map(([group, own]) => ({ group, tasks: own })),
    surfaces: surfaces.toSorted((a, b) => situationCount(b, tasks).passed - situationCount(a, tasks).passed),
  };
}

function cellOf(rows: readonly Row[]): Cell {
  const failed = rows.find(({ status }) => status !== 'passed');
  const why = failed === undefined ? null : (failureOf(failed)?.sentence ?? null);
  const passed = rows.filter(({ status }) => status === 'passed').length;
  return { passed, of: rows.length, end: failed === undefined ? 'passed' : ENDS[failed.status], why };
}

const ENDS: Readonly<Record<Row['status'], SituationEnd>> = {
  passed: 'passed',
  failed: 'other_end',
  agent_error: 'stuck',
  gave_up: 'stuck',
  replay_drift: 'stuck',
  max_steps: 'too_long',
  max_turns: 'too_long',
  timeout: 'too_long',
  budget_exceeded: 'too_long',
  not_applicable: 'no_call',
  unavailable: 'unknown',
  infra_error: 'unknown',
  invalid_task: 'unknown',
  inconclusive: 'unknown',
};

const HEADS: Readonly<Record<Exclude<SituationEnd, 'passed'>, string>> = {
  no_call: 'no tool is bound to a step',
  stuck: 'no element or text was found for a step',
  other_end: 'every step was tried, and the page ended otherwise',
  too_long: 'out of steps or time',
  unknown: 'not judged',
};

export interface SituationCount {
  passed: number;
  of: number;
}

/** Counts those of these situations that passed each time. */
export function situationCount({ cells }: SurfaceResult, tasks: readonly { id: string }[]): SituationCount {
  const own = tasks.flatMap(({ id }) => cells[id] ?? []);
  return { passed: own.filter(({ passed, of }) => passed === of).length, of: own.length };
}

const NAME: Column<SurfaceResult> = { head: 'surface', words: true, text: ({ surface }) => surface };

function shareOf({ passed, of }: SituationCount): string {
  return of === 0 ? '–' : `${passed}/${of}`;
}

/** The tables of the situations: each surface's share, its cost, and those that it did not pass. @param markOf a footnote mark */
export function situationsSection(
  { groups, surfaces }: Situations,
  markOf: (surface: string, task: string) => string = () => '',
): Section {
  const lines = groups.flatMap(({ tasks }) => tasks);
  const missed = SituationEnd.exclude(['passed']).options.filter((end) =>
    surfaces.some(({ cells }) => lines.some(({ id }) => cells[id]?.end === end)),
  );
  const byEnd = missed.map((end): Column<SurfaceResult> => ({
    head: HEADS[end],
    words: true,
    text: ({ surface, cells }) =>
      lines
        .flatMap(({ id }) => (cells[id]?.end === end ? [nameOf(`${id}${markOf(surface, id)}`, cells[id])] : []))
        .join(', '),
  }));
  return section(
    'situations',
    'Situations',
    table(
      'Passed, and cost',
      [
        NAME,
        { head: 'passed', text: (each) => shareOf(situationCount(each, lines)) },
        { head: 'version', words: true, text: ({ version }) => version },
        { head: 'tokens of the tool list', text: (each) => tokensText(each.tool_list_tokens) },
        { head: 'tokens of replies per pass', text: (each) => tokensText(each.reply_tokens) },
        { head: 'median call', text: (each) => millisecondsText(each.call_ms) },
        { head: 'median episode', text: (each) => millisecondsText(each.episode_ms) },
      ],
      surfaces,
    ),
    byEnd.length === 0 ? null : table('Not passed', [NAME, ...byEnd], surfaces),
  );
}

function tokensText(tokens: number | null): string | null {
  return tokens === null ? null : integerText(Math.round(tokens));
}

/** With its share if it passed sometimes. */
function nameOf(id: string, { passed, of }: Cell): string {
  return passed === 0 ? id : `${id} (${passed}/${of} passed)`;
}
