import type { ReplyProgress } from '../surface/surface.ts';

/** The facts of one step that the rule looks at. */
export interface StepTrace {
  tool: string;
  ok: boolean;
  /** URL of the active page after the step. */
  url: string;
  /** The surface's own status after the step, where it has one. */
  progress: ReplyProgress | null;
}

const WINDOW = 3;

/**
 * Counts stretches without progress in an episode. Where the surface has a progress status, each step after which it says
 * `stalling` or `stuck` counts. Else each window of three steps counts in which every call failed, or the same tool
 * succeeded every time and the URL stayed the same; windows do not overlap.
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
