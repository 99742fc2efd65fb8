import { constants } from 'node:os';

/** Signals within this time, in ms, count as one, since `tsx` and `npx` pass on a Ctrl-C that we received already. */
const SAME_KEY_MS = 300;

/** Distinguishes the first request to stop from the second. */
export class Interruption {
  readonly #now: () => number;
  #last: number | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  signalled(): 'stop' | 'stop at once' | 'nothing new' {
    const [before, now] = [this.#last, this.#now()];
    if (before === null) {
      this.#last = now;
      return 'stop';
    }
    return now - before < SAME_KEY_MS ? 'nothing new' : 'stop at once';
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Number of handlers of a first signal; while there is one, a signal does not end the process. */
let waiting = 0;

/** Makes a signal end this process cleanly: its children end, and its folders are removed. */
export function exitCleanly(): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (waiting === 0) end(signal);
    });
  }
}

/**
 * Calls `stop` at the first SIGINT, SIGTERM or SIGHUP; the second ends the process cleanly.
 * @returns removes the handlers
 */
export function onInterruption(stop: () => void): () => void {
  const interruption = new Interruption();
  const onSignal = (signal: NodeJS.Signals): void => {
    const request = interruption.signalled();
    if (request === 'stop') stop();
    if (request === 'stop at once') end(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  waiting += 1;
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    waiting -= 1;
  };
}

/** Returns an abort signal that fires at the first SIGINT, SIGTERM or SIGHUP; `note` is called before. */
export function stopOnInterruption(note: () => void): Disposable & { signal: AbortSignal } {
  const stop = new AbortController();
  const forget = onInterruption(() => {
    note();
    stop.abort();
  });
  return { signal: stop.signal, [Symbol.dispose]: forget };
}

/** Exits with the code of a process that a signal ended, after all exit handlers. */
function end(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}
