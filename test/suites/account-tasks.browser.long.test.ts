import { describe, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { withCredentials } from '../../src/task/auth.ts';
import type { Intent } from '../../src/task/intent.ts';
import type { Task } from '../../src/task/schema.ts';
import { signedIn } from './signed-in.ts';
import { builtIn } from '../suite-files.ts';
import { performed } from './performed.ts';

const suite = await builtIn('account');
const suiteWorld = await loadSuiteWorld(suite);
const tasks = suite.tasks.map(({ task }) => withCredentials(task, suite.credentials));

async function statusOf(task: Task, name: string, steps: readonly Intent[]): Promise<string> {
  return (await performed(suiteWorld, task, referenceAgent(name, steps), await signedIn(suite, suiteWorld, task)))
    .status;
}

describe.each(tasks)('$id', (task) => {
  test('passes by its solution', async () => {
    expect(await statusOf(task, 'solution', task.solutions?.[0]?.steps ?? [])).toBe('passed');
  });

  test.each(task.nearMisses ?? [])('and does not pass when $why', async ({ why, steps }) => {
    expect(await statusOf(task, why, steps)).toBe('failed');
  });
});
