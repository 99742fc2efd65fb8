import type { ReplyProgress } from '../surface/surface.ts';

export interface StepTrace {
  tool: string;
  ok: boolean;
  url: string;
  /** The surface's own status after the step; null if it has none. */
  progress: ReplyProgress | null;
}

const WINDOW = 3;

/**
 * Counts stretches without progress. If the surface reports a status, each step with `stalling` or `stuck` counts. Otherwise windows
 * of three steps count, without overlap, in which every call failed, or the same tool succeeded each time at the same URL.
 */
export function countNoProgress(steps: readonly StepTrace[]): number {
  if (steps.some(({ progress }) => progress !== null)) {
    return steps.filter(({ progress }) => progress === 'stalling' || progress === 'stuck').length;
  }
  let count = 0;
  for (let start = 0; start + WINDOW <= steps.length;) {
    const stuck = isStuck(steps.slice(start, start + WINDOW));
    if (stuck) count += 1;
    start += stuck ? WINDOW : 1;
  }
  return count;
}

function isStuck(window: readonly StepTrace[]): boolean {
  const [first] = window;
  if (window.every(({ ok }) => !ok)) return true;
  return window.every(({ ok, tool, url }) => ok && tool === first?.tool && url === first.url);
}
