import { type Terminal, iterationName } from '../terminal.ts';
import type { CampaignProgress } from './progress.ts';
import { durationText, magnitudeText, roundRateText } from '../../report/numbers.ts';
import { colours } from '../colours.ts';
import { cutTo, widthOf } from '../layout.ts';

/** Time between two drawings on a terminal, and between two lines in a log, in ms. */
const REDRAWN_EVERY = 500;
const LOGGED_EVERY = 30_000;

/** Time between two lines in a log during a wait, in ms. */
const STILL_WAITING_EVERY = 10_000;

type Shown = Pick<Terminal, 'note' | 'screen'>;

/**
 * Shows the progress of a campaign: redrawn in place if the terminal can, else in a line now and then.
 * @returns ends and erases it
 */
export function showProgress(progressNow: () => CampaignProgress, terminal: Shown): () => void {
  const { screen } = terminal;
  if (screen !== undefined) return redrawn(screen, () => progressLines(progressNow(), screen.size));
  const timer = setInterval(() => {
    terminal.note(progressSentence(progressNow()));
  }, LOGGED_EVERY);
  return () => {
    clearInterval(timer);
  };
}

/** Shows a wait: redrawn in place if the terminal can, else in a line every ten seconds. */
export async function whileWaiting<T>(phase: string, terminal: Shown, work: () => Promise<T>): Promise<T> {
  const end = showWaiting(phase, terminal);
  try {
    return await work();
  } finally {
    end();
  }
}

function showWaiting(phase: string, { screen, note }: Shown): () => void {
  const begun = performance.now();
  const now = () => ({ phase, total: 0, done: 0, phaseMs: performance.now() - begun });
  if (screen !== undefined) return redrawn(screen, () => [phaseLine(now(), screen.size.columns)]);
  const timer = setInterval(() => {
    note(phaseText(now()));
  }, STILL_WAITING_EVERY);
  return () => {
    clearInterval(timer);
  };
}

function redrawn(screen: NonNullable<Shown['screen']>, lines: () => string[]): () => void {
  const draw = (): void => {
    screen.show(lines);
  };
  draw();
  const timer = setInterval(draw, REDRAWN_EVERY);
  const erase = (): void => {
    clearInterval(timer);
    screen.show(() => []);
  };
  // A second Ctrl-C ends the process at once.
  process.once('exit', erase);
  return () => {
    process.off('exit', erase);
    erase();
  };
}

/** Columns from which each worker has its own line. */
const ROOMY = 100;
/** Most lines of workers; the others are counted. */
const MAX_WORKERS = 8;
/** Columns of the bar, by the least columns of the terminal. */
const BARS: readonly (readonly [columns: number, bar: number])[] = [
  [ROOMY, 24],
  [60, 10],
];
const GAP = '  ';

/** Draws the progress of a campaign: one line, and on a wide terminal one for each worker. */
export function progressLines(
  progress: CampaignProgress,
  { columns, rows }: { columns: number; rows: number },
): string[] {
  // A character in the last column would start another line on some terminals.
  const width = Math.max(1, columns - 1);
  if (progress.phase !== null) return [phaseLine(progress, columns)];
  if (columns < ROOMY) return [statusLine(progress, width, doingText(progress))];
  const most = Math.max(1, Math.min(MAX_WORKERS, rows - 4));
  const shown = progress.atWork.length > most ? progress.atWork.slice(0, most - 1) : progress.atWork;
  const more = progress.atWork.length - shown.length;
  return [
    statusLine(progress, width),
    ...workerLines({ ...progress, atWork: shown }).map((line) => colours.dim(cutTo(width, line))),
    ...(more === 0 ? [] : [colours.dim(cutTo(width, `     and ${more} more episodes`))]),
  ];
}

/** States the progress in a line for a log. */
export function progressSentence(progress: CampaignProgress): string {
  if (progress.phase !== null) return phaseText(progress);
  const doing = doingText(progress);
  return [...statusParts(progress), ...(doing === '' ? [] : [`doing ${doing}`])].join('; ');
}

type Busy = Pick<CampaignProgress, 'phase' | 'done' | 'total' | 'phaseMs'>;

/** Draws the work before the first episode and after the last. */
export function phaseLine(busy: Busy, columns: number): string {
  return colours.dim(cutTo(Math.max(1, columns - 1), phaseText(busy)));
}

export function phaseText({ phase, done, total, phaseMs }: Busy): string {
  const place = total === 0 ? '' : `${done}/${total}${GAP}`;
  return `${place}${phase ?? ''}${GAP}${durationText(phaseMs)}`;
}

/** Draws a bar, the figures, and in the rest of the line the current work. */
function statusLine(progress: CampaignProgress, width: number, doing = ''): string {
  const [, barWidth = 0] = BARS.find(([columns]) => columns <= width + 1) ?? [];
  const bar = barWidth === 0 ? '' : `${barOf(progress, barWidth)}${GAP}`;
  const room = width - (barWidth === 0 ? 0 : barWidth + GAP.length);
  const status = cutTo(room, statusParts(progress).join(GAP));
  const rest = room - widthOf(status) - GAP.length;
  return `${bar}${status}${doing === '' || rest < 1 ? '' : colours.dim(`${GAP}${cutTo(rest, doing)}`)}`;
}

function barOf({ done, total }: CampaignProgress, width: number): string {
  const full = total === 0 ? 0 : Math.floor((done / total) * width);
  return `${colours.cyan('━'.repeat(full))}${colours.dim('─'.repeat(width - full))}`;
}

/** Lists the known figures, the most important first, since a narrow terminal cuts the line. */
function statusParts({
  done,
  total,
  success,
  leftMs,
  perMinute,
  usd,
  unpricedTokens: tokens,
}: CampaignProgress): string[] {
  const { rate, interval } = success;
  return [
    `${done}/${total}`,
    ...(rate === null ? [] : [`${roundRateText(rate, interval)} passed`]),
    ...(leftMs === null || leftMs < 500 ? [] : [`${durationText(leftMs)} left`]),
    ...(perMinute === null ? [] : [`${perMinute < 10 ? perMinute.toFixed(1) : Math.round(perMinute)}/min`]),
    ...(usd === null ? [] : [`${usd.toFixed(usd < 1 ? 4 : 2)} USD`]),
    ...(tokens === 0 ? [] : [`${magnitudeText(tokens)} tokens`]),
  ];
}

/** Describes one worker in words, or several by their tasks: `send ×3, checkout`. */
function doingText({ atWork }: CampaignProgress): string {
  const [first, ...others] = atWork;
  if (first === undefined) return '';
  if (others.length === 0) return `${first.task}: ${first.doing.words}`;
  const counts = new Map<string, number>();
  for (const { task } of atWork) counts.set(task, (counts.get(task) ?? 0) + 1);
  return [...counts].map(([task, count]) => (count === 1 ? task : `${task} ×${count}`)).join(', ');
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}

function workerLines({ atWork, iterations }: CampaignProgress): string[] {
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
      doing.words,
    ].join(GAP),
  );
}
