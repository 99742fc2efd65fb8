import { createHash } from 'node:crypto';
import type { Contract } from '../../contract/schema.ts';
import type { TaskInput } from '../../task/schema.ts';
import type { ListedTask } from '../importer.ts';
import type { Solved } from '../solved-tasks.ts';
import type { Game } from './build.ts';
import { GAMES_ORIGIN } from './importer.ts';

/** The time at which episodes begin: games ask for the day, and one for a code that follows from the time. */
const CLOCK = '2026-03-08T12:00:00Z';
const MAX_STEPS = 100;
const MAX_DURATION_MS = 300_000;
/** A task can have no more. */
const INSTANCES = 100;

interface PlayedGame {
  task: ListedTask;
  tags: readonly string[];
  game: Game;
  seeds: number;
  solved: Solved['tasks'][string] | undefined;
}

type WrittenTask = Omit<TaskInput, 'instance'> & { instances: NonNullable<TaskInput['instance']>[] };

/** The tasks of a game. Their passwords differ by seed, and from those in the source, which models may know. */
export function gameTasks({ task, tags, game, seeds, solved }: PlayedGame): WrittenTask[] {
  const { id, goal } = task;
  const { solutions, nearMisses } = solved ?? {};
  const answered: Contract = { kind: 'answer', one_of: [`{{${game.answer}}}`] };
  const recorded: Contract = { kind: 'app_state', pointer: '/record/game', equals: id };
  const success: Contract = { kind: 'and', children: game.isRecorded ? [answered, recorded] : [answered] };
  const written = {
    id,
    title: id,
    startUrl: task.start_urls[0] ?? GAMES_ORIGIN,
    goal,
    maxSteps: MAX_STEPS,
    maxDurationMs: MAX_DURATION_MS,
    tags: [
      ...tags,
      ...(id.startsWith('prompt-defender') ? ['injection'] : []),
      ...(solved === undefined ? ['draft'] : []),
    ],
    setup: { clock: CLOCK },
    success,
    ...(solutions === undefined ? {} : { solutions }),
    ...(nearMisses === undefined ? {} : { nearMisses }),
  };
  const instances = Array.from({ length: seeds }, (_, seed) => ({
    name: String(seed),
    seed,
    parameters: { game: id, seed, ...drawnFor(game, seed) },
  }));
  const from = Array.from({ length: Math.ceil(seeds / INSTANCES) }, (_, at) => at * INSTANCES);
  return from.map((at) => ({ ...written, instances: instances.slice(at, at + INSTANCES) }));
}

/** Each password as drawn, and as in the source. */
function drawnFor({ passwords }: Game, seed: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(passwords).flatMap(([name, value]) => [
      [name, drawn(`${seed} ${name}`)],
      [`SOURCE_${name}`, value],
    ]),
  );
}

/** Without those that look like digits. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 10;

function drawn(from: string): string {
  const bytes = createHash('sha256').update(from).digest().subarray(0, LENGTH);
  return [...bytes].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
}

/** The suite file, with the places of app and data as it is to name them. */
export function webgamesSuite({ app, folder, sha256 }: { app: string; folder: string; sha256: string }): object {
  return {
    id: 'webgames',
    title: 'WebGames',
    description: 'The games of WebGames, with passwords drawn by seed; not comparable with published scores.',
    tasks: ['tasks/*.json'],
    world: { kind: 'local', sites: [{ origin: GAMES_ORIGIN, app, data: { folder, sha256 } }] },
  };
}
