/** Signals that come this close together, in ms, are one: of a Ctrl-C, `tsx` and `npx` may pass on what we got already. */
const SAME_KEY_MS = 300;

/** Tells the first wish to stop from the second. */
export class Interruption {
  readonly #now: () => number;
  #last: number | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** What a signal that comes now asks for. */
  signalled(): 'stop' | 'stop at once' | 'nothing new' {
    const [before, now] = [this.#last, this.#now()];
    if (before === null) {
      this.#last = now;
      return 'stop';
    }
    return now - before < SAME_KEY_MS ? 'nothing new' : 'stop at once';
  }
}

/**
 * Calls `stop` at the first SIGINT or SIGTERM; the second has its usual effect, which is to end the process.
 * @returns what ends all this.
 */
export function onInterruption(stop: () => void): () => void {
  const interruption = new Interruption();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const onSignal = (signal: NodeJS.Signals): void => {
    const wish = interruption.signalled();
    if (wish === 'stop') stop();
    if (wish !== 'stop at once') return;
    forget();
    process.kill(process.pid, signal);
  };
  const forget = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return forget;
}
