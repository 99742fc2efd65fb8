import type { Row } from '../bundle/row.ts';
import { type Changes, type NotCompared, type TaskChange, withoutControls } from '../claim/changes.ts';
import { type Entrant, entrantName } from '../claim/figures.ts';
import { cellOf, cellText, groupBy } from '../claim/group.ts';
import { episodeLine } from './counted-rows.ts';
import { type Block, type Blocks, bullets, type Content, heading, quote, sentence, strong, text } from './document.ts';
import { counted } from './numbers.ts';
import { blameText, didNotPass, type Result, type StateChanges, usualFailure } from './sentence.ts';
import { entrantText } from './title.ts';

/** A task that an entrant passes less or more often than before. */
export interface MovedTask extends Entrant, Pick<TaskChange, 'task' | 'before' | 'after' | 'difference' | 'direction'> {
  /** Why most of its episodes fail now; null if none does. */
  why: string | null;
}

/** Changes between two bundles, the most important first. */
export interface Moves {
  worse: MovedTask[];
  better: MovedTask[];
  /** Tasks and entrants that only the later bundle has. */
  added: string[];
  gone: string[];
  /** Tasks whose contract or definition changed. */
  not_compared: string[];
  /** Names of what else differs; new and missing tasks have lines of their own. */
  differs: string[];
  /** Files of agents and tool servers that both bundles name. */
  files: { changed: string[]; same: string[] };
}

interface After {
  rows: readonly Row[];
  state: StateChanges;
}

/** @param controls agents that must not pass */
export function movesIn(
  all: readonly Changes[],
  { rows, state }: After,
  controls: ReadonlySet<string>,
): Omit<Moves, 'files' | 'differs'> {
  const compared = all.map((each) => withoutControls(each, controls));
  const failed = groupBy(rows.filter(didNotPass), (row) =>
    placeOf(row, [cellOf(row), ...row.faults.map(({ id }) => id)].join(' + ')),
  );
  const moved = compared.flatMap(({ entrants }) =>
    entrants.flatMap(({ agent, surface, tasks }) =>
      tasks
        .filter(({ difference }) => difference !== 0)
        .map(({ task, before, after, direction, difference }) => {
          const [example] = usualFailure(failed.get(placeOf({ agent, surface }, task)) ?? []);
          const why = example === undefined ? null : blameText(episodeLine(example), state.get(example.episode_id));
          return { agent, surface, task: cellText(task), before, after, direction, why, difference };
        }),
    ),
  );
  const those = (isWorse: boolean): MovedTask[] =>
    moved
      .filter(({ difference }) => difference < 0 === isWorse)
      .toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  return {
    worse: those(true),
    better: those(false),
    added: compared.flatMap(({ added, only_after: entrants }) => namesOf(added, entrants)),
    not_compared: [...new Set(compared.flatMap(({ other_contract: tasks }) => namesOf(tasks, [])))],
    gone: compared.flatMap(({ missing, only_before: entrants }) => namesOf(missing, entrants)),
  };
}

function placeOf(entrant: Entrant, cell: string): string {
  return `${entrantName(entrant)} ${cell}`;
}

/** Names tasks, and an entrant once instead of each of its tasks. */
function namesOf(tasks: readonly NotCompared[], entrants: readonly Entrant[]): string[] {
  const whole = new Set(entrants.map(entrantName));
  const others = tasks.filter((each) => !whole.has(entrantName(each))).map(({ task }) => cellText(task));
  return [...new Set([...entrants.map(entrantText), ...others])];
}

/** `8 of 10 passed. Before: 10 of 10 passed. 2 tasks worse, 1 task better; 1 task changed and is not compared.` */
export function comparedSentence(
  before: Result,
  after: Result,
  { worse, better, not_compared: { length: others } }: Pick<Moves, 'worse' | 'better' | 'not_compared'>,
): string {
  const moved = [
    ...(worse.length === 0 ? [] : [`${tasksOf(worse)} worse`]),
    ...(better.length === 0 ? [] : [`${tasksOf(better)} better`]),
  ];
  const all = moved.length === 0 ? 'No task passes more or less often than before' : moved.join(', ');
  const rest = others === 0 ? '' : `; ${counted(others, 'task changed and is', 'tasks changed and are')} not compared`;
  return [`${after.counts} Before: ${before.counts} ${all}${rest}.`, ...after.controls].join(' ');
}

function tasksOf(moved: readonly MovedTask[]): string {
  return counted(new Set(moved.map(({ task }) => task)).size, 'task');
}

const MAX = { names: 4, tasks: 12 };

/** The lines after both lists: `New: iframe-vote.` */
export function moveLines({
  worse,
  added,
  gone,
  not_compared: others,
  files: { changed, same },
}: Moves): [label: string, text: string][] {
  const unchanged = worse.length > 0 && changed.length === 0 && same.length > 0;
  return [
    ...(added.length === 0 ? [] : [['new', few(added)] as [string, string]]),
    ...(gone.length === 0 ? [] : [['gone', few(gone)] as [string, string]]),
    ...(others.length === 0 ? [] : [['not compared', `${few(others)}: contract or task changed`] as [string, string]]),
    ...(changed.length === 0 ? [] : [['changed', `the file of ${few(changed)}`] as [string, string]]),
    ...(unchanged ? [['unchanged', `the file of ${few(same)}`] as [string, string]] : []),
  ];
}

export function few(names: readonly string[]): string {
  const left = names.length - MAX.names;
  return left <= 0 ? names.join(', ') : `${names.slice(0, MAX.names).join(', ')} and ${left} more`;
}

/** Tasks to list, and a line about the others. */
export function shownMoves(tasks: readonly MovedTask[]): { shown: readonly MovedTask[]; more: string | null } {
  const left = tasks.length - MAX.tasks;
  return { shown: tasks.slice(0, MAX.tasks), more: left <= 0 ? null : `and ${left} more` };
}

export function countsText({ before, after }: MovedTask): string {
  return `${before.passed} of ${before.episodes} → ${after.passed} of ${after.episodes}`;
}

/** Whether a change may be chance; a single task can only show a regression with more repetitions. */
export function chanceText({ direction }: MovedTask): string {
  return direction === 'not significant' || direction === null ? 'may be chance' : direction;
}

export function movesBlocks(result: string, moves: Moves): Blocks {
  const lines = moveLines(moves).map(([label, named]): Content => [`${label}: `, sentence(named)]);
  return [text(strong(result)), ...list('Worse', moves.worse), ...list('Better', moves.better), bullets(lines)];
}

function list(title: string, tasks: readonly MovedTask[]): Blocks {
  const { shown, more } = shownMoves(tasks);
  const items = shown.map((each): Content => {
    const why = each.why === null ? '' : [' ', sentence(each.why)];
    return [quote(each.task), ` by ${entrantText(each)}: ${countsText(each)} (${chanceText(each)}).`, why];
  });
  const block: Block | null = bullets([...items, ...(more === null ? [] : [more])]);
  return block === null ? [] : [heading(title), block];
}
