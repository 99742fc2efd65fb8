import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bundleLayout } from '../src/bundle/layout.ts';
import { readSealedRows } from '../src/bundle/sealed-rows.ts';
import { hashJson } from '../src/contract/canonical.ts';
import { packageRoot } from '../src/plan/package-root.ts';
import { startRedisServer } from './redis-server.ts';

/** Those that a queue can lose. */
const VICTIMS = ['worker', 'coordinator', 'redis'] as const;
export type Victim = (typeof VICTIMS)[number];

/** One thing that is killed while a campaign runs. */
export interface Kill {
  what: Victim;
  /** It waits until so many attempts are sealed, and then so long, in ms. */
  sealed: number;
  lateMs: number;
  /** Which of the workers, counted from 0. */
  worker: number;
  /** Time for which Redis is away, in ms. */
  awayMs: number;
}

/** Draws kills by a seed, one in every stretch of so many episodes; of three in a row each has another victim. */
export function killsOf(seed: number, { episodes, every, workers }: Record<'episodes' | 'every' | 'workers', number>) {
  const draw = (index: number, what: string, below: number): number =>
    Number.parseInt(hashJson({ seed, index, what }).slice(0, 8), 16) % below;
  const count = Math.floor(episodes / every);
  return Array.from({ length: count }, (_, index): Kill => {
    const turn = index - (index % VICTIMS.length);
    const order = VICTIMS.toSorted((a, b) => draw(turn, a, 1_000_000) - draw(turn, b, 1_000_000));
    return {
      what: order[index % VICTIMS.length] ?? 'worker',
      sealed: index * every + 1 + draw(index, 'sealed', Math.max(1, every - 1)),
      lateMs: draw(index, 'late', 1_500),
      worker: draw(index, 'worker', workers),
      awayMs: draw(index, 'away', 3_000),
    };
  });
}

export interface Disturbed {
  /** The words of `touchstone run` that select the episodes: suites, agents and iterations. */
  run: readonly string[];
  bundle: string;
  /** File that takes what processes print. */
  folder: string;
  workers: number;
  kills: readonly Kill[];
  /** Receives each kill. */
  note: (line: string) => void;
}

/**
 * Runs a campaign through a real Redis with workers in their own processes, and kills as requested.
 * @returns with which code the last coordinator ended, and how many of each were killed
 */
export async function runDisturbed({ run, bundle, folder, workers: count, kills, note }: Disturbed) {
  const redis = await startRedisServer({ folder });
  const place = ['--queue', redis.address];
  const begin = (name: string, ...words: string[]): Program => startProgram(path.join(folder, `${name}.log`), words);
  const worker = (index: number): Program => begin(`worker-${index}`, 'worker', ...place, '--lost-after', '5');
  const workers = Array.from({ length: count }, (_, index) => worker(index));
  let coordinator = begin('coordinator', 'run', ...run, ...place, '--out', bundle);
  const killed: Record<Victim, number> = { worker: 0, coordinator: 0, redis: 0 };
  const disturb: Record<Victim, (kill: Kill) => Promise<void>> = {
    worker: async ({ worker: index }) => {
      await workers[index]?.end('SIGKILL');
      workers[index] = worker(index);
    },
    coordinator: async () => {
      await coordinator.end('SIGKILL');
      coordinator = begin('coordinator', 'run', '--resume', bundle, ...place);
    },
    redis: async ({ awayMs }) => {
      await redis.stop('SIGKILL');
      await pause(awayMs);
      await redis.start();
    },
  };
  try {
    for (const kill of kills) {
      while (coordinator.isRunning() && sealedIn(bundle) < kill.sealed) await pause(50);
      await pause(kill.lateMs);
      // Nothing is left to be disturbed.
      if (!coordinator.isRunning()) break;
      note(`${kill.what} is killed after ${sealedIn(bundle)} attempts`);
      await disturb[kill.what](kill);
      killed[kill.what] += 1;
    }
    return { exit: await coordinator.ended, killed };
  } finally {
    await Promise.all([coordinator, ...workers].map(async (each) => each.end('SIGKILL')));
    await redis.stop('SIGKILL');
  }
}

/** Describes what a bundle lacks: one counted row for each episode, and this outcome hash. */
export async function problemsOf(bundle: string, outcomeHash: string): Promise<string[]> {
  const report = reportOf(bundle);
  const counted = new Map<string, number>();
  for (const { row } of await readSealedRows(bundleLayout(bundle))) {
    const { episode_id: id, counts } = row;
    if (counts) counted.set(id, (counted.get(id) ?? 0) + 1);
  }
  return [
    ...(counted.size === report.planned ? [] : [`${counted.size} of ${report.planned} episodes have a row`]),
    ...[...counted].filter(([, rows]) => rows !== 1).map(([id, rows]) => `${id} has ${rows} counted rows`),
    ...(report.outcomeHash === outcomeHash ? [] : [`the outcome hash is ${report.outcomeHash}, not ${outcomeHash}`]),
  ];
}

/** Totals that a report has of a campaign. */
export function reportOf(bundle: string): { planned: number; outcomeHash: string } {
  const { planned, outcome_hash: hash } = JSON.parse(readFileSync(path.join(bundle, 'report.json'), 'utf8'));
  return { planned: Number(planned), outcomeHash: String(hash) };
}

function sealedIn(bundle: string): number {
  const { ledger } = bundleLayout(bundle);
  return existsSync(ledger) ? readFileSync(ledger, 'utf8').split('"sealed"').length - 1 : 0;
}

/** Counts the attempts in a ledger that came to nothing. */
export function voidedIn(bundle: string): number {
  return readFileSync(bundleLayout(bundle).ledger, 'utf8').split('"voided"').length - 1;
}

interface Program {
  ended: Promise<number | null>;
  isRunning(): boolean;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts Touchstone as a process of its own. */
export function startProgram(log: string, words: readonly string[]): Program {
  const said = openSync(log, 'a');
  const line = ['--import', 'tsx', path.join(packageRoot(), 'src/cli/main.ts'), ...words];
  const child: ChildProcess = spawn(process.execPath, line, { cwd: packageRoot(), stdio: ['ignore', said, said] });
  closeSync(said);
  const killed = (): void => void child.kill('SIGKILL');
  process.once('exit', killed);
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      process.off('exit', killed);
      resolve(code);
    });
  });
  return {
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    end: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}
