import { afterEach, vi } from 'vitest';

// Files share a process: a variable that one test sets is not there for the next.
afterEach(() => {
  vi.unstubAllEnvs();
});
