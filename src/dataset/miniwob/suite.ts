import type { TaskInput } from '../../task/schema.ts';
import { contractFor, GUARDS } from './contract.ts';
import { thresholdOf } from './pages.ts';
import type { SeenPage } from './seen-page.ts';

export const ORIGIN = 'http://miniwob.localhost';
/** The time at which episodes begin. It runs on: without that, jQuery's animations never end. */
export const CLOCK = '2016-12-15T12:00:00Z';
/** The page is 160 × 210, at its own size and without the display of rewards. */
export const VIEWPORT = { width: 500, height: 320 };

export interface SeededPage {
  id: string;
  seed: number;
  seen: SeenPage;
}

/** A task as its file has it: one for each seed, since their contracts differ. */
type WrittenTask = Omit<TaskInput, 'instance'> & { instances: NonNullable<TaskInput['instance']>[] };

export function taskOf({ id, seed, seen }: SeededPage): WrittenTask {
  const fields = Object.entries(seen.fields).map(([name, value]) => [`field_${name}`, value]);
  return {
    id,
    title: id,
    startUrl: pageAddress(id),
    goal: '{{utterance}}',
    maxSteps: 30,
    maxDurationMs: 60_000,
    tags: ['draft'],
    setup: { viewport: VIEWPORT, clock: CLOCK },
    success: contractFor(id, seen).success,
    guards: GUARDS,
    instances: [
      {
        name: String(seed),
        seed,
        parameters: {
          page: id,
          seed,
          threshold: thresholdOf(id),
          utterance: seen.utterance,
          ...Object.fromEntries(fields),
        },
      },
    ],
  };
}

export function pageAddress(id: string): string {
  return `${ORIGIN}/miniwob/${id}.html`;
}

/** The suite file, with the places of app and data as it is to name them. */
export function suiteOf({ app, folder, sha256 }: { app: string; folder: string; sha256: string }): object {
  return {
    id: 'miniwob',
    title: 'MiniWoB++',
    description: 'The registered pages of MiniWoB++, seeded. Full rewards only; not comparable with published scores.',
    tasks: ['tasks/*.json'],
    world: { kind: 'local', sites: [{ origin: ORIGIN, app, data: { folder, sha256 } }] },
  };
}
