import { describe, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import type { Intent } from '../../src/task/intent.ts';
import type { Task } from '../../src/task/schema.ts';
import { builtIn } from '../suite-files.ts';
import { performed } from './performed.ts';

const suite = await builtIn('protocols');
const suiteWorld = await loadSuiteWorld(suite);
/** Of each template the first instance: the others differ in their values alone. */
const all = suite.tasks.map(({ task }) => task);
const firsts = all.filter(({ id }, index) => all.findIndex((each) => each.id === id) === index);

async function follow(task: Task, steps: readonly Intent[]) {
  return await performed(suiteWorld, task, referenceAgent('steps', steps));
}

/** Those of the seed's four tasks; `touchstone qualify protocols` runs all. */
function nearMissesOf(task: Task) {
  return task.id.startsWith('T') ? (task.nearMisses ?? []) : [];
}

describe.each(firsts)('$id', (task) => {
  test('passes on the page', async () => {
    const steps = task.solutions?.find((solution) => solution.for === 'page')?.steps ?? [];
    expect(await follow(task, steps)).toMatchObject({ status: 'passed', stop: 'done' });
  });

  test.each(nearMissesOf(task))('does not pass when $why', async ({ steps }) => {
    expect(await follow(task, steps)).toMatchObject({ status: 'failed', stop: 'done' });
  });
});
