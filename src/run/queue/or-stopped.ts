/** Waits for a promise, as long as the signal does not fire. @throws whatever the signal was fired with */
export async function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const heard = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    signal.addEventListener('abort', stop, { signal: heard.signal });
  });
  // Nobody is there any more for what comes of it later.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    heard.abort();
  }
}
