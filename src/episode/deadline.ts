/** The result of work that had a limit in time. */
export type Bounded<T> = { finished: true; value: T } | { finished: false };

/**
 * Runs work that must end within `limitMs`. When the time is up the signal fires, and whether or not the work heeds
 * it, the wait is over. What it rejects with in time, this rejects with.
 * @param overtime when the time is up, a promise for which work may go on; null: for none
 */
export async function within<T>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  overtime: () => Promise<void> | null = () => null,
): Promise<Bounded<T>> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<Bounded<T>>((resolve) => {
    const end = (): void => {
      controller.abort(new Error(`not finished within ${limitMs} ms`));
      resolve({ finished: false });
    };
    timer = setTimeout(() => {
      const more = overtime();
      if (more === null) end();
      else void more.then(end);
    }, limitMs);
  });
  // A promise, even of work that throws before it has one.
  const working = Promise.resolve()
    .then(() => work(controller.signal))
    .then((value): Bounded<T> => ({ finished: true, value }));
  // Work that is cancelled may still reject later, when nobody waits for it any more.
  working.catch(() => {});
  try {
    return await Promise.race([working, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
