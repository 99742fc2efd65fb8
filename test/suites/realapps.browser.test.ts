import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld, sitesFor, worldKindOf } from '../../src/run/suite-world.ts';
import type { Intent } from '../../src/task/intent.ts';
import { loadApp } from '../../src/world/load-app.ts';
import { realAppOf } from '../../src/world/real-app/define-real-app.ts';
import { installApp } from '../../src/world/real-app/install.ts';
import { isInstalled } from '../../src/world/real-app/cache.ts';
import { performed } from './performed.ts';
import { builtIn } from '../suite-files.ts';

// One application and one task stand for all: `npm run bench:realapps` and `touchstone qualify realapps` run the others.
const TASK = 'tw-delete-note';

const root = path.resolve(import.meta.dirname, '../..');
const suite = await builtIn('realapps');
const suiteWorld = await loadSuiteWorld(suite);
if (suiteWorld.kind !== 'local') throw new Error('the world of realapps is not local');
const task = suite.tasks.map((placed) => placed.task).find(({ id }) => id === TASK);
if (task === undefined) throw new Error(`there is no task ${TASK}`);

beforeAll(async () => {
  const app = realAppOf(await loadApp(path.join(root, 'apps/tiddlywiki/app.ts')));
  if (app === null) throw new Error('TiddlyWiki is no real application');
  if (!isInstalled(app)) await installApp(app);
  if (!isInstalled(app)) throw new Error('TiddlyWiki is not installed');
});

async function statusOf(name: string, steps: readonly Intent[]): Promise<string> {
  if (task === undefined) throw new Error('there is no task');
  return (await performed(suiteWorld, task, referenceAgent(name, [...steps]))).status;
}

test('a task on a real application passes by its solution', async () => {
  expect(await statusOf('solution', task.solutions?.[0]?.steps ?? [])).toBe('passed');
});

test.each(task.nearMisses ?? [])('and does not pass when $why', async ({ why, steps }) => {
  expect(await statusOf(why, steps)).toBe('failed');
});

test('its world is a real application, and has no other', () => {
  expect(worldKindOf(suiteWorld, task.startUrl, false)).toBe('real_app');
  expect(sitesFor(suiteWorld, task.startUrl).map(({ origin }) => origin)).toEqual(['http://tiddlywiki.localhost']);
  expect(worldKindOf(suiteWorld, 'http://elsewhere.localhost/', false)).toBe('fixture_app');
});
