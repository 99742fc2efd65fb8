import type { Terminal } from '../terminal.ts';
import type { CampaignProgress } from './progress.ts';
import { progressLines, progressSentence, phaseLine, phaseText } from './progress-lines.ts';

/** Time between two drawings on a terminal, and between two lines in a log, in ms. */
const REDRAWN_EVERY = 500;
const LOGGED_EVERY = 30_000;

/** Time between two lines in a log about one thing that is waited for, in ms: nothing else is printed meanwhile. */
const STILL_WAITING_EVERY = 10_000;

type Shown = Pick<Terminal, 'note' | 'screen'>;

/**
 * Shows how far a campaign has come: drawn in place where the terminal can, else a line now and then.
 * @returns what ends it, and leaves nothing drawn
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

/** Shows what somebody waits for: in place where the terminal can draw it, else in a line every ten seconds. */
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
  // A second Ctrl-C ends the process right away, and what it prints then stands alone.
  process.once('exit', erase);
  return () => {
    process.off('exit', erase);
    erase();
  };
}
