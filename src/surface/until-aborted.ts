/** Waits for work until the signal fires. @throws Error when it does, or what the work throws */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  // It may fail when nothing waits for it any more.
  work.catch(() => {});
  const settled = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => {
      reject(new Error('the call was cancelled'));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { signal: settled.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}
