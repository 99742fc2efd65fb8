import path from 'node:path';
import { expect, test } from 'vitest';
import { theirBrowser } from '../browser/their-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { rowsOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';

async function runIn(...endpoints: string[]) {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const named = endpoints.flatMap((each) => ['--browser-endpoint', each]);
  return { bundle, ...(await touchstone('run', 'basics', ...named, '--out', bundle)) };
}

test('a tool server is not applicable in a running browser, and never starts', async () => {
  const { address, titles } = await theirBrowser();
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const asked = ['--task', 'example-h1', '--surface', 'aria,playwright-mcp', '--agent', 'reference'];
  await touchstone('run', 'basics', ...asked, '--browser-endpoint', address, '--out', bundle);
  const rows = await rowsOf(bundle);
  expect(rows.find(({ surface }) => surface === 'aria')?.status).toBe('passed');
  const row = rows.find(({ surface }) => surface === 'playwright-mcp');
  expect(row?.status).toBe('not_applicable');
  expect(row?.null_reasons['steps']).toContain('attaches to a browser');
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  expect(await titles()).toEqual(['Mine']);
});

test('each of two running browsers serves one worker', async () => {
  const [one, other] = [await theirBrowser(), await theirBrowser()];
  const [inOne, inOther] = [await one.contexts(), await other.contexts()];
  const ran = await runIn(one.address, other.socket);
  expect(ran.exit).toBe(0);
  expect(ran.out).toContain('not launched by Touchstone: all rows are diagnostic');
  const rows = await rowsOf(ran.bundle);
  expect(rows).toHaveLength(8);
  for (const row of rows) {
    expect(row).toMatchObject({ status: 'passed', browser: { ours: false }, concurrency: { workers: 2 } });
  }
  expect(inOne.size).toBeGreaterThan(0);
  expect(inOther.size).toBeGreaterThan(0);
  expect(inOne.size + inOther.size).toBeGreaterThanOrEqual(rows.length);
  expect(await touchstone('verify', ran.bundle)).toMatchObject({ exit: 0 });
  expect([...(await one.titles()), ...(await other.titles())]).toEqual(['Mine', 'Mine']);
});

test('a browser named in two ways is refused as the same', async () => {
  const { address, socket, titles } = await theirBrowser();
  const { exit, err } = await runIn(address, socket);
  expect(exit).toBe(2);
  expect(err).toContain(`${address} and ${new URL(socket).origin} are the same browser`);
  expect(await titles()).toEqual(['Mine']);
});

test('different browsers are refused, since rows would name only one', async () => {
  const [full, shell] = [await theirBrowser('full'), await theirBrowser('shell')];
  const { exit, err } = await runIn(full.address, shell.address);
  expect(exit).toBe(2);
  expect(err).toMatch(/the browsers differ: http:\S+ is Chrome \S+ \(.+\), and http:\S+ is HeadlessChrome/);
});
