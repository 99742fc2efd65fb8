import { afterEach, vi } from 'vitest';

// Files share a process: what one test sets or replaces is not there for the next.
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
