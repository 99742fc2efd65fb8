import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { loadSuiteWorld, raiseWorld, sitesFor, worldKindOf } from '../../src/run/suite-world.ts';
import { runEpisode } from '../../src/episode/run-episode.ts';
import { aria } from '../../src/surface/aria/aria.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import type { Intent } from '../../src/task/intent.ts';
import { loadApp } from '../../src/world/load-app.ts';
import { realAppOf } from '../../src/world/real-app/define-real-app.ts';
import { installApp } from '../../src/world/real-app/install.ts';
import { isInstalled } from '../../src/world/real-app/cache.ts';
import { heardSink } from '../episode/heard-sink.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';

// One application and one task stand for all: `npm run bench:realapps` and `touchstone qualify realapps` run the others.
const TASK = 'tw-delete-note';

const root = path.resolve(import.meta.dirname, '../..');
const loaded = await loadSuite(path.join(root, 'suites/realapps'));
if (!loaded.ok) throw new Error('suite realapps does not load');
const suiteWorld = await loadSuiteWorld(loaded.suite);
if (suiteWorld.kind !== 'local') throw new Error('the world of realapps is not local');
const task = loaded.suite.tasks.map((placed) => placed.task).find(({ id }) => id === TASK);
if (task === undefined) throw new Error(`there is no task ${TASK}`);

beforeAll(async () => {
  const app = realAppOf(await loadApp(path.join(root, 'apps/tiddlywiki/app.ts')));
  if (app === null) throw new Error('TiddlyWiki is no real application');
  if (!isInstalled(app)) await installApp(app);
  if (!isInstalled(app)) throw new Error('TiddlyWiki is not installed');
});

async function statusOf(name: string, steps: readonly Intent[]): Promise<string> {
  if (task === undefined) throw new Error('there is no task');
  const world = await raiseWorld(suiteWorld, task, { identity: await sharedIdentity(), live: false });
  const { status } = await runEpisode({
    task,
    agent: referenceAgent(name, [...steps]),
    surface: aria,
    browser: await sharedBrowser(),
    world,
    sink: heardSink(),
  });
  await world.close();
  return status;
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
