import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { builtIn } from '../suite-files.ts';
import { performed } from './performed.ts';

const suite = await builtIn('basics');
const suiteWorld = await loadSuiteWorld(suite);

describe.each(suite.tasks)('$task.id', ({ task }) => {
  test.each(task.nearMisses ?? [])('does not pass when $why', async ({ why, steps }) => {
    const result = await performed(suiteWorld, task, referenceAgent(why, steps, 'breaks'));
    expect(result).toMatchObject({ status: 'failed', stop: 'done' });
  });
});

test('reference passes all of basics, null and parrot none, and every verdict holds when judged again', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', 'basics', '--agent', 'reference,null,parrot', '--out', bundle);
  expect(ran).toMatchObject({ exit: 0, err: expect.stringMatching(/^24 episodes planned; /) });
  const { entrants } = JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'));
  const passed = entrants.map((entrant: { agent: string; passed: number }) => [entrant.agent, entrant.passed]);
  expect(Object.fromEntries(passed)).toEqual({ reference: 8, null: 0, parrot: 0 });
  expect(await touchstone('rejudge', bundle)).toMatchObject({ exit: 0, out: '24 episodes judged again, 24 agree\n' });
});
