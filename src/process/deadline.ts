export type Bounded<T> = { finished: true; value: T } | { finished: false };

/**
 * Runs work with a limit in time. When the time is up the signal fires and the wait is over, even if the work goes on. Rejects if
 * the work rejects in time.
 * @param overtime asked when the time is up: extends it until its promise resolves; null: not
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
  // Turns a synchronous throw into a rejection.
  const working = Promise.resolve()
    .then(() => work(controller.signal))
    .then((value): Bounded<T> => ({ finished: true, value }));
  // Cancelled work may reject after the wait.
  working.catch(() => {});
  try {
    return await Promise.race([working, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
