import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { Json } from '../../contract/json.ts';
import { fact } from '../../messages/messages.ts';
import { onPath, variablesNamed } from '../../process/environment.ts';
import { OwnedProcess } from '../../process/owned-process.ts';
import { PACKAGE_APPS } from '../../task/suite-paths.ts';
import { DatasetError } from '../dataset-error.ts';

/** Runs upstream's own Python: it cannot reach the network, and writes no files. */
const SCRIPT = path.join(PACKAGE_APPS, 'webarena-infinity/ends.py');
const MAX_ERROR_LENGTH = 2_000;

export interface UpstreamEnds {
  seed: Json;
  /** The right end of each task. */
  ends: Map<string, Json>;
}

const Seed = z.object({ seed: Json });
const End = z.object({ task: z.string(), end: Json });

/** The states that the sanity check of an app constructs. @throws DatasetError if it cannot be run */
export async function upstreamEnds(folder: string): Promise<UpstreamEnds> {
  const [seed, ...ends] = await printed(folder, 'ends', []);
  return {
    seed: Seed.parse(seed).seed,
    ends: new Map(ends.map((line) => End.parse(line)).map(({ task, end }) => [task, end])),
  };
}

const Verdict = z.object({ accepted: z.boolean() });

/** Whether the verifiers of an app accept states, in their order. @throws DatasetError if they cannot be run */
export async function upstreamVerdicts(
  folder: string,
  states: readonly { task: string; state: Json }[],
): Promise<boolean[]> {
  return (await printed(folder, 'verdicts', states)).map((line) => Verdict.parse(line).accepted);
}

async function printed(folder: string, what: 'ends' | 'verdicts', input: readonly object[]): Promise<unknown[]> {
  const python = onPath('python3');
  if (python === null) throw new DatasetError(fact('python_missing'));
  const child = new OwnedProcess({
    program: python,
    args: ['-I', '-B', SCRIPT, path.resolve(folder), what],
    cwd: path.dirname(SCRIPT),
    env: variablesNamed(['PATH']),
  });
  const lines: unknown[] = [];
  let error = '';
  child.stderr.on('data', (bytes: Buffer) => {
    error = `${error}${bytes.toString()}`.slice(-MAX_ERROR_LENGTH);
  });
  const reading = (async () => {
    for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line));
  })();
  for (const each of input) {
    if (!child.stdin.write(`${JSON.stringify(each)}\n`)) await Promise.race([once(child.stdin, 'drain'), child.ended]);
  }
  child.stdin.end();
  await reading;
  const { code } = await child.ended;
  if (code !== 0) throw new DatasetError(fact('infinity_not_run', { folder, what, why: error.trim() }));
  return lines;
}
