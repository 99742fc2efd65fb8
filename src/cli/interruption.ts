import { constants } from 'node:os';

/** Signals that come this close together, in ms, are one: of a Ctrl-C, `tsx` and `npx` may pass on what we got already. */
const SAME_KEY_MS = 300;

/** Tells the first wish to stop from the second. */
export class Interruption {
  readonly #now: () => number;
  #last: number | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Decides what a signal that arrives now asks for. */
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

/** Number of waiters for a first signal; while there is one, a signal does not end the process. */
let waiting = 0;

/** At a signal this process ends in order: what it has started ends, and its folders go. */
export function endInOrder(): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (waiting === 0) end(signal);
    });
  }
}

/**
 * Calls `stop` at the first SIGINT, SIGTERM or SIGHUP; the second ends the process, in order.
 * @returns what ends all this.
 */
export function onInterruption(stop: () => void): () => void {
  const interruption = new Interruption();
  const onSignal = (signal: NodeJS.Signals): void => {
    const wish = interruption.signalled();
    if (wish === 'stop') stop();
    if (wish === 'stop at once') end(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  waiting += 1;
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    waiting -= 1;
  };
}

/** Returns a signal that fires at the first SIGINT, SIGTERM or SIGHUP, until it is disposed of; `note` is called before it fires. */
export function stopOnInterruption(note: () => void): Disposable & { signal: AbortSignal } {
  const stop = new AbortController();
  const forget = onInterruption(() => {
    note();
    stop.abort();
  });
  return { signal: stop.signal, [Symbol.dispose]: forget };
}

/** Exits as a shell reports a process that a signal ended, after what is registered for the exit of this one. */
function end(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}
