import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

const SCRIPT = path.resolve('scripts/list-reports.mjs');

async function printed(bundles: readonly string[], suites: readonly string[]): Promise<string> {
  const cwd = await temporaryFolder();
  for (const bundle of bundles) {
    const folder = path.join(cwd, 'bundles', bundle);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'report.html'), '');
  }
  return (await promisify(execFile)(process.execPath, [SCRIPT, ...suites], { cwd })).stdout;
}

test('the newest report of each suite is listed, in the order of the names given', async () => {
  const bundles = [
    '20260101T000000-basics',
    '20260102T000000-basics',
    '20260103T000000-my-basics',
    '20260104T000000-protocols',
  ];
  expect(await printed(bundles, ['protocols', 'basics', 'realapps'])).toBe(
    [
      '',
      'reports of all runs, to open in a browser:',
      '  protocols  bundles/20260104T000000-protocols/report.html',
      '  basics     bundles/20260102T000000-basics/report.html',
      '',
    ].join('\n'),
  );
});

test('prints nothing without a report', async () => {
  expect(await printed([], ['basics'])).toBe('');
});

test('bench lists the reports of the suites that it runs last, and only if each run has met its gates', async () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(await readFile('package.json', 'utf8'));
  const parts = (scripts['bench'] ?? '').split(' && ');
  const suites = parts.flatMap((part) => / run (\w+)/.exec(part)?.[1] ?? []);
  expect(parts.at(-1)).toBe(`node scripts/list-reports.mjs ${suites.join(' ')}`);
});
