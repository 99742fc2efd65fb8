import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { FaultState } from '../../src/fault/schema.ts';
import { withCredentials } from '../../src/task/auth.ts';
import { loadApp } from '../../src/world/load-app.ts';
import { isInstalled } from '../../src/world/real-app/cache.ts';
import { realAppOf } from '../../src/world/real-app/define-real-app.ts';
import { installApp } from '../../src/world/real-app/install.ts';
import { signedIn } from './signed-in.ts';
import { performed } from './performed.ts';
import { builtIn } from '../suite-files.ts';

// That its faults are recovered from or not, `npm run bench:faults` shows; how, test/run/faults.browser.test.ts.
const root = path.resolve(import.meta.dirname, '../..');
const suite = await builtIn('stress');
const suiteWorld = await loadSuiteWorld(suite);
const tasks = suite.tasks.map(({ task }) => withCredentials(task, suite.credentials));

beforeAll(async () => {
  const app = realAppOf(await loadApp(path.join(root, 'apps/tiddlywiki/app.ts')));
  if (app === null) throw new Error('TiddlyWiki is no real application');
  if (!isInstalled(app)) await installApp(app);
});

test('there are twelve, and each has every kind of fault', () => {
  expect(tasks).toHaveLength(12);
  for (const { faults = [] } of tasks) {
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FaultState.shape.kind.options));
  }
});

describe.each(tasks)('$id', (task) => {
  test('passes clean by its solution, and not by nothing', async () => {
    const steps = task.solutions?.find((solution) => solution.for === 'page')?.steps ?? [];
    const ends = [];
    for (const followed of [steps, []]) {
      const { status, detail } = await performed(
        suiteWorld,
        task,
        referenceAgent('solution', followed),
        await signedIn(suite, suiteWorld, task),
      );
      ends.push({ status, detail });
    }
    expect(ends).toEqual([
      { status: 'passed', detail: null },
      { status: 'failed', detail: null },
    ]);
  });
});
