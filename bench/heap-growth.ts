import { studentQuantile975 } from '../src/stats/proportion.ts';

/** A look at the heap after a collection: episodes that were done by then, and bytes. */
export interface HeapLook {
  done: number;
  bytes: number;
}

/** Most bytes that an episode may leave in the heap: less than its row, let alone its evidence. */
const MAX_LEFT_BYTES = 4_000;

/** The slope of least squares in bytes an episode, half its 95 % interval, and whether all of that interval is more than may be left. */
export function heapGrowth(looks: readonly HeapLook[]): { slope: number; half: number; leaks: boolean } {
  const mean = (pick: (look: HeapLook) => number) => looks.reduce((sum, look) => sum + pick(look), 0) / looks.length;
  const [x, y] = [mean(({ done }) => done), mean(({ bytes }) => bytes)];
  const spread = looks.reduce((sum, { done }) => sum + (done - x) ** 2, 0);
  const slope = looks.reduce((sum, { done, bytes }) => sum + (done - x) * (bytes - y), 0) / spread;
  const off = looks.reduce((sum, { done, bytes }) => sum + (bytes - y - slope * (done - x)) ** 2, 0);
  const degrees = looks.length - 2;
  const half = studentQuantile975(degrees) * Math.sqrt(off / degrees / spread);
  return { slope, half, leaks: slope - half > MAX_LEFT_BYTES };
}
