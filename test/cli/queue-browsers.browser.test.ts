import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { theirBrowser } from '../browser/their-browser.ts';
import { startRedis } from '../queue/redis-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { rowsOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';
import { startTouchstone } from './touchstone-process.ts';

const RUN = ['run', 'basics', '--agent', 'transcript'];

function started(...words: string[]) {
  const running = startTouchstone(...words);
  onTestFinished(async () => {
    running.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

test('rows of a worker with a browser that is not ours record that, and are diagnostic', async () => {
  const { address } = await startRedis();
  const browser = await theirBrowser();
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const coordinator = started(...RUN, '--task', 'example-h1,late-order', '--queue', address, '--out', bundle);
  started('worker', '--queue', address, '--browser-endpoint', browser.socket);
  expect(await coordinator.ended).toBe(0);
  const rows = await rowsOf(bundle);
  expect(rows.map(({ status }) => status)).toEqual(['passed', 'passed']);
  expect(rows.map((row) => row.browser)).toEqual([
    expect.objectContaining({ ours: false, sandbox: null, kind: 'full' }),
    expect.objectContaining({ ours: false, sandbox: null, kind: 'full' }),
  ]);
  const report = await readFile(path.join(bundle, 'report.md'), 'utf8');
  expect(report).toContain('not launched by Touchstone: all rows are diagnostic');
  expect(report).toContain('the browser is not one that Touchstone launched');
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  expect(await browser.titles()).toEqual(['Mine']);
});

test('a worker with another build of the browser, or one that cannot run a surface, reports it and runs nothing', async () => {
  const { address } = await startRedis();
  const [full, shell] = [await theirBrowser('full'), await theirBrowser('shell')];
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const coordinator = started('run', 'basics', '--surface', 'playwright-mcp', '--queue', address, '--out', bundle);
  const other = started('worker', '--queue', address, '--browser-endpoint', shell.address);
  await other.says('the browser at kind was "full" and is "shell"');
  const unable = started('worker', '--queue', address, '--browser-endpoint', full.address);
  await unable.says('surface playwright-mcp: it attaches to a browser');
  await coordinator.says('runs nothing of this campaign: surface playwright-mcp');
  expect(`${other.said()}${unable.said()}`).not.toContain('run in');
});

test('a worker whose browser does not answer ends before it waits for anything', async () => {
  const words = ['worker', '--queue', 'redis://127.0.0.1:1', '--browser-endpoint'];
  const none = await touchstone(...words, 'http://127.0.0.1:10');
  expect(none).toMatchObject({ exit: 3, err: expect.stringContaining('no browser answers at http://127.0.0.1:10') });
  const more = await touchstone(...words, 'http://127.0.0.1:10', '--workers', '2');
  expect(more).toMatchObject({ exit: 2, err: expect.stringContaining('2 workers need 2 browsers') });
});

test('each row names its browser if there are two, and a browser that ended takes no more episodes', async () => {
  const { address } = await startRedis();
  const browser = await theirBrowser();
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const tasks = ['--task', 'example-h1,late-order,dialog-delete,local-form-submit'];
  const coordinator = started(...RUN, ...tasks, '--queue', address, '--out', bundle);
  const worker = started('worker', '--queue', address, '--browser-endpoint', browser.address);
  await worker.says('run in');
  await browser.end();
  await worker.says('nothing is run of campaign');
  expect(worker.said()).toContain(`no browser answers at ${browser.address}`);
  expect(worker.said().match(/a job failed/gu)).toHaveLength(1);
  started('worker', '--queue', address);
  expect(await coordinator.ended).toBeLessThanOrEqual(1);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  const ours = (await rowsOf(bundle)).map((row) => row.browser?.ours);
  expect(new Set(ours)).toEqual(new Set([true, false]));
  const notOurs = ours.filter((each) => each === false).length;
  const report = await readFile(path.join(bundle, 'report.md'), 'utf8');
  expect(report).toContain(`not launched by Touchstone in ${notOurs} of 4 episodes: their rows are diagnostic`);
  expect(report).toContain('the browser is not one that Touchstone launched');
});
