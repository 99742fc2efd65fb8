import { availableParallelism, freemem } from 'node:os';

/** The workers that somebody asks for; `auto`: as many as the machine carries. */
export type Workers = number | 'auto';

/** A machine's room for workers: cores, and free memory in bytes. */
export interface Machine {
  cores: number;
  freeBytes: number;
}

/** Needs of the episodes, as far as they decide the number of workers. */
export interface Needs {
  episodes: number;
  /** Whether a process of the world's own, such as a real application, runs in each. */
  hasProcesses: boolean;
  /** Whether a model decides in all of them: then nothing happens here for most of the time. */
  areOfModels: boolean;
  /** Whether several may run at once: `if_asked` by a number, or `never`. */
  together: 'fine' | 'if_asked' | 'never';
  /** Number of browsers that run already, one for each worker; null: each worker starts its own. */
  browsers: number | null;
}

/** Per core: half of a scripted episode is waiting for pages to settle, and nearly all of one with a model is waiting for it. */
const PER_CORE = { scripted: 2, model: 8 };
/** Scripted episodes that each worker must have to do: its browser takes as much of the processor to start as two or three of them. */
const EPISODES_EACH = 4;
/** Memory of a worker in bytes: its Chromium with a page, and beside it the processes of its world. */
const BYTES = { browser: 500e6, processes: 700e6 };

/** Decides how many episodes run at once: never more than there are, and at least one. */
export function workerCount(asked: Workers, needs: Needs, machine: Machine = thisMachine()): number {
  const most = Math.max(1, Math.min(needs.episodes, needs.browsers ?? needs.episodes));
  if (needs.together === 'never') return 1;
  if (asked !== 'auto') return Math.min(asked, most);
  if (needs.together === 'if_asked') return 1;
  // They run already, whatever the machine carries.
  if (needs.browsers !== null) return most;
  const byCores = machine.cores * (needs.areOfModels ? PER_CORE.model : PER_CORE.scripted);
  const byMemory = Math.floor(machine.freeBytes / (BYTES.browser + (needs.hasProcesses ? BYTES.processes : 0)));
  const byWork = needs.areOfModels ? most : Math.floor(most / EPISODES_EACH);
  return Math.max(1, Math.min(byWork, byCores, byMemory));
}

function thisMachine(): Machine {
  // A container may have less than its host has free.
  const limit = process.constrainedMemory();
  const unused = limit > 0 ? limit - process.memoryUsage.rss() : Number.POSITIVE_INFINITY;
  return { cores: availableParallelism(), freeBytes: Math.min(freemem(), unused) };
}
