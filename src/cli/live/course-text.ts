import { printable } from '../../report/printable.ts';
import { durationText, magnitudeText, roundRateText } from '../../report/numbers.ts';
import { colours } from '../colours.ts';
import { iterationName } from '../terminal.ts';
import type { Course } from './course.ts';
import { cutTo, widthOf } from '../layout.ts';

/** Columns from which each worker has a line of its own. */
const ROOMY = 100;
/** Most lines of workers; the rest is counted. */
const MOST_WORKERS = 8;
/** Columns of the bar, by the fewest that a terminal has for it: it moves only when an episode ends. */
const BARS: readonly (readonly [columns: number, bar: number])[] = [
  [ROOMY, 24],
  [60, 10],
];
/** Fewest columns in which it is worth saying who is at what. */
const LEAST_DOING = 12;
/** Columns that are left for that beside the longest form. */
const BESIDE_WORDY = 24;
const GAP = '  ';

/** Draw how far a campaign has come for a terminal of this size: one line, and in a wide one a line for each worker. */
export function courseLines(course: Course, { columns, rows }: { columns: number; rows: number }): string[] {
  // A character in the last column would make some terminals begin another line.
  const width = Math.max(1, columns - 1);
  if (course.phase !== null) return [phaseLine(course, columns)];
  if (columns < ROOMY) return [statusLine(course, width)];
  const most = Math.max(1, Math.min(MOST_WORKERS, rows - 4));
  const shown = course.atWork.length > most ? course.atWork.slice(0, most - 1) : course.atWork;
  const more = course.atWork.length - shown.length;
  return [
    statusLine({ ...course, atWork: [] }, width),
    ...workerLines({ ...course, atWork: shown }).map((line) => colours.dim(cutTo(width, line))),
    ...(more === 0 ? [] : [colours.dim(cutTo(width, `     and ${more} more episodes`))]),
  ];
}

/** Say it in a line of a log, where nothing is drawn over. */
export function courseSentence(course: Course): string {
  if (course.phase !== null) return phaseText(course);
  const { done, total, success, perMinute } = course;
  const spent = spentText(course);
  const left = leftText(course);
  return [
    `${done} of ${total} done`,
    ...(success.rate === null
      ? []
      : [`${success.successes} of ${success.trials} passed: ${roundRateText(success.rate, success.interval)}`]),
    ...(perMinute === null ? [] : [`${paceText(perMinute)} a minute`]),
    ...(spent === null ? [] : [spent.long]),
    ...(left === null ? [] : [`about ${left} left`]),
    ...(course.atWork.length === 0 ? [] : [`doing ${course.atWork.map(doingShort).join(', ')}`]),
  ].join('; ');
}

type Busy = Pick<Course, 'phase' | 'done' | 'total' | 'phaseMs'>;

/** Draw what a campaign is busy with beside its episodes. */
export function phaseLine(busy: Busy, columns: number): string {
  return colours.dim(cutTo(Math.max(1, columns - 1), phaseText(busy)));
}

/** Say what is waited for, and for how long so far. */
export function phaseText({ phase, done, total, phaseMs }: Busy): string {
  const place = total === 0 ? '' : `${done}/${total}${GAP}`;
  return `${place}${phase ?? ''}${GAP}${durationText(phaseMs)}`;
}

/** A bar, the longest form that fits beside it, and in the room that is left what is done. */
function statusLine(course: Course, width: number): string {
  const [, barWidth = 0] = BARS.find(([columns]) => columns <= width + 1) ?? [];
  const beside = barWidth === 0 ? width : width - barWidth - GAP.length;
  const hasDoing = course.atWork.length > 0;
  const [wordy = '', ...forms] = formsOf(course);
  const status =
    widthOf(wordy) + (hasDoing ? BESIDE_WORDY : 0) <= beside
      ? wordy
      : (forms.find((form) => widthOf(form) <= beside) ?? cutTo(beside, wordy));
  const room = beside - widthOf(status) - GAP.length;
  const doing = hasDoing && room >= LEAST_DOING ? `${GAP}${doingText(course, room)}` : '';
  const bar = barWidth === 0 ? '' : `${barOf(course, barWidth)}${GAP}`;
  return `${bar}${status}${colours.dim(doing)}`;
}

function barOf({ done, total }: Course, width: number): string {
  const full = total === 0 ? 0 : Math.floor((done / total) * width);
  return `${colours.cyan('━'.repeat(full))}${colours.dim('─'.repeat(width - full))}`;
}

/** The same from long to short: what tells least goes first. */
function formsOf(course: Course): string[] {
  const { success, perMinute } = course;
  const place = `${course.done}/${course.total}`;
  const spent = spentText(course);
  const left = leftText(course);
  const pace = perMinute === null ? null : `${paceText(perMinute)}/min`;
  const rate = success.rate === null ? null : roundRateText(success.rate, success.interval);
  const narrow = rate?.replaceAll(' %', '%') ?? null;
  const wordy = rate === null ? null : `${success.successes} of ${success.trials} passed, ${rate}`;
  const until = left === null ? null : `${left} left`;
  const brief = left?.replace(' ', '') ?? null;
  return [
    parts(place, wordy, pace, spent?.long, until).join(GAP),
    parts(place, rate, pace, spent?.long, until).join(GAP),
    parts(place, narrow, pace, spent?.short, brief).join(' '),
    parts(place, narrow, spent?.short, brief).join(' '),
    parts(place, narrow, brief).join(' '),
    parts(place, brief).join(' '),
    place,
  ];
}

function parts(...each: (string | null | undefined)[]): string[] {
  return each.filter((part) => typeof part === 'string');
}

function paceText(perMinute: number): string {
  return perMinute < 10 ? perMinute.toFixed(1) : String(Math.round(perMinute));
}

/** The money, where a price is known, and the tokens of whoever has none. */
function spentText({ usd, unpricedTokens: tokens }: Course): { long: string; short: string } | null {
  if (usd === null && tokens === 0) return null;
  const count = magnitudeText(tokens);
  const money = usd === null ? null : usd.toFixed(usd < 1 ? 4 : 2);
  const of = (unit: string, before = '') => (money === null ? [] : [`${before}${money}${unit}`]);
  return {
    long: [...of(' USD'), ...(tokens === 0 ? [] : [`${count} tokens`])].join(' + '),
    short: [...of('', '$'), ...(tokens === 0 ? [] : [`${count}tok`])].join('+'),
  };
}

/** Null where nobody knows, and where the time is up before the episodes are done. */
function leftText({ leftMs }: Course): string | null {
  return leftMs === null || leftMs < 500 ? null : durationText(leftMs);
}

/** Describes one worker in words, or several by their tasks, as many as fit, and where there is room by their steps. */
function doingText({ atWork }: Course, columns: number): string {
  const [first, ...others] = atWork;
  if (first === undefined) return '';
  if (others.length === 0) return cutTo(columns, `${first.task}: ${printable(first.doing.words)}`);
  const tasks = countedTasks(atWork);
  // Steps tell nothing of which of several agents has come how far with one task.
  const withSteps = tasks.length === atWork.length ? atWork.map(doingShort) : tasks;
  return (
    longestOf(withSteps, (more) => ` and ${more} more`, columns) ??
    longestOf(tasks, (more) => ` and ${more} more`, columns) ??
    longestOf(tasks, (more) => ` +${more}`, columns) ??
    cutTo(columns, `${atWork.length} episodes`)
  );
}

/** Each task once, with the number of agents or repetitions that are at it: `send ×3`. */
function countedTasks(atWork: Course['atWork']): string[] {
  const counts = new Map<string, number>();
  for (const { task } of atWork) counts.set(task, (counts.get(task) ?? 0) + 1);
  return [...counts].map(([task, count]) => (count === 1 ? task : `${task} ×${count}`));
}

/** Lists as many as fit, and counts the others; null where not even one fits. */
function longestOf(all: readonly string[], others: (more: number) => string, columns: number): string | null {
  for (let count = all.length; count > 0; count -= 1) {
    const text = `${all.slice(0, count).join(', ')}${count === all.length ? '' : others(all.length - count)}`;
    if (widthOf(text) <= columns) return text;
  }
  return null;
}

/** The task, and the step or turn that it is at: `send (step 3)`. */
function doingShort({ task, doing: { at } }: Course['atWork'][number]): string {
  return at === null ? task : `${task} (${at})`;
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}

function workerLines({ atWork, iterations }: Course): string[] {
  const named = atWork.map((each) => ({
    ...each,
    task: iterations > 1 ? `${each.task} ${iterationName(each.iteration)}` : each.task,
    entrant: `${each.agent}/${each.surface}`,
  }));
  const widths = { task: widest(named.map(({ task }) => task)), entrant: widest(named.map(({ entrant }) => entrant)) };
  return named.map(({ worker, task, entrant, doing, sinceMs }) =>
    [
      String(worker).padStart(3),
      task.padEnd(widths.task),
      entrant.padEnd(widths.entrant),
      durationText(sinceMs).padStart(6),
      printable(doing.words),
    ].join(GAP),
  );
}
