// Not among the browser tests, whose browsers are kept: here one that is left is a finding.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Remains, remains } from '../../bench/left-behind.ts';
import { randomProfile } from '../../bench/random-profile.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const GRID = { builtIn: 1, servers: 1, each: 1 };

function since(before: Remains, folder: string): string[] {
  return [...remains(folder)].filter((each) => !before.has(each));
}

test('a leftover process, port or file is found', async () => {
  const folder = await temporaryFolder();
  const before = remains(folder);
  expect(since(before, folder)).toEqual([]);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', folder], {
    detached: true,
    stdio: 'ignore',
  });
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await Promise.all([once(child, 'spawn'), once(server, 'listening'), writeFile(path.join(folder, 'left'), '')]);
  expect(since(before, folder)).toEqual([
    expect.stringMatching(/^process \d+ /),
    expect.stringMatching(/^port \d+$/),
    'file left',
  ]);
  child.kill('SIGKILL');
  server.close();
  await Promise.all([once(child, 'exit'), once(server, 'close'), rm(path.join(folder, 'left'))]);
  expect(since(before, folder)).toEqual([]);
});

test('random faults are the same for the same seed, and as many as needed', () => {
  const { faults } = randomProfile(1, 100, GRID);
  expect(randomProfile(1, 100, GRID).faults).toEqual(faults);
  expect(randomProfile(2, 100, GRID).faults).not.toEqual(faults);
  expect(faults.length).toBeGreaterThanOrEqual(49);
});

test('episodes with faults leave no process, port or file, and their bundle verifies and rejudges', async () => {
  const folder = await temporaryFolder();
  const temporary = path.join(folder, 'temporary');
  await mkdir(temporary);
  const profile = path.join(folder, 'few.yaml');
  const faults = [
    '{ id: gone, kind: server_killed, call: 2 }',
    '{ id: cut, kind: connection_cut, call: 2 }',
    '{ id: crash, kind: tab_crash, call: 3 }',
  ];
  await writeFile(profile, `id: few\nabout: Faults that end something.\nfaults: [${faults.join(', ')}]\n`);
  vi.stubEnv('TMPDIR', temporary);
  const before = remains(temporary);
  const bundle = path.join(folder, 'bundle');
  const surfaces = ['--surface', 'aria,playwright-mcp'];
  const { exit } = await touchstone(
    'run',
    'account',
    '-t',
    'sign-in',
    ...surfaces,
    '--fault',
    profile,
    '--out',
    bundle,
  );
  // A fault that the reference does not recover from is a gate that is not met, and no more.
  expect(exit).toBeLessThanOrEqual(1);
  await vi.waitFor(
    () => {
      expect(since(before, temporary)).toEqual([]);
    },
    { timeout: 120_000 },
  );
  expect((await touchstone('verify', bundle)).exit).toBe(0);
  expect((await touchstone('rejudge', bundle)).exit).toBe(0);
});
