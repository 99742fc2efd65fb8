import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CampaignRequest } from '../../src/cli/campaign-request.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);

const ONE_TASK = ['--suite', 'examples/outside-app'];

/** The least that each can do, and its output. Figures of a busy machine mean nothing, and are ignored. */
const BENCHES: readonly [file: string, args: readonly string[], says: readonly RegExp[]][] = [
  ['overhead.ts', ['2'], [/^ratio of medians {7}\d\.\d{3}$/m, /^ {2}without the waits {4}\d\.\d{3}$/m]],
  ['playwright-test.ts', ['--tasks', '2', '--rounds', '1'], [/^ratio to the better {10}\d+\.\d\d /m]],
  [
    'campaigns.ts',
    ['--option', 'workers', '--values', '1,2', '--rounds', '1', '--iterations', '1', ...ONE_TASK],
    [/^--workers 1 .* 1\.00×$/m, /^--workers 2 .* \d+\.\d\d×$/m],
  ],
  [
    'campaigns.ts',
    ['--option', 'browser', '--values', 'full,shell', '--rounds', '1', '--iterations', '1', ...ONE_TASK],
    [/^--browser full .* 1\.00×$/m, /^--browser shell .* \d+\.\d\d×$/m],
  ],
  [
    'model-workers.ts',
    ['--workers', '2', '--answer-ms', '100', '--iterations', '2', '--task', 'local-form-submit'],
    [/ 2 workers .* of 2 {2}\d+\.\d×$/m, /^an episode with one worker: model [1-9]/m, /^memory a worker: \d+ MB/m],
  ],
  ['verify.ts', ['--megabytes', '8', '--rounds', '1'], [/ratio/]],
  ['rejudge.ts', ['--rounds', '1', '--iterations', '1', ...ONE_TASK], [/^rejudge {2}.*\(\d+\.\d % of the run\)$/m]],
  ['archive.ts', ['2'], [/ratio/]],
  [
    'faults.ts',
    ['--surface', 'aria', '--only-fault', 'net-503,page-covered'],
    [/^server_error\t1\/1\/1 of 1$/m, /^covered\t1\/1\/1 of 1$/m, /^offline\t-$/m],
  ],
  [
    'queue.ts',
    ['--task', 'dialog-delete,local-form-submit,add-monitor', '--iterations', '2', '--every', '4', '--workers', '1'],
    [
      /^12 episodes, 1 workers; outcome hash [0-9a-f]{64} in both runs: true$/m,
      /^killed: 1 workers, 1 coordinators, Redis 1 times; /m,
    ],
  ],
  [
    'memory.ts',
    ['--episodes', '40', '--every', '4'],
    [
      /^40 episodes, 0 of them did not pass$/m,
      /MB at the end; -?\d+\.\d\d ± \d+\.\d\d kB an episode$/m,
      /^left behind: nothing$/m,
    ],
  ],
];

test.each(BENCHES)('bench/%s %j measures what it prints', async (file, args, says) => {
  const line = ['--import', 'tsx', path.join(packageRoot(), 'bench', file), ...args];
  const { stdout } = await run(process.execPath, line, { cwd: packageRoot() });
  for (const said of says) expect(stdout.replaceAll('\r', '')).toMatch(said);
});

async function smaller(campaign: string): Promise<string> {
  const request: unknown = parse(await readFile(path.join(packageRoot(), campaign), 'utf8'));
  const { tasks = [], ...rest } = CampaignRequest.parse(request);
  const file = path.join(await temporaryFolder(), path.basename(campaign));
  await writeFile(file, JSON.stringify({ ...rest, tasks: tasks.slice(0, 2), iterations: 1 }));
  return file;
}

test('bench/campaign-mock.ts runs tasks of the campaign on WebVoyager with a fake, and its bundle verifies', async () => {
  const campaign = ['--campaign', await smaller('campaigns/webvoyager.yaml')];
  const line = ['--import', 'tsx', path.join(packageRoot(), 'bench/campaign-mock.ts'), ...campaign];
  const { stdout, stderr } = await run(process.execPath, line, { cwd: packageRoot() });
  expect(stderr).toMatch(/^4 episodes sealed in/m);
  expect(stdout).toMatch(/^world +facsimile; mode mock$[^]*^holds: 4 episodes$/m);
});

test('a bench whose runs have different outcomes fails', async () => {
  // Another suite for one of both: their speed could not be compared.
  const line = [
    '--import',
    'tsx',
    path.join(packageRoot(), 'bench/campaigns.ts'),
    '--option',
    'task',
    '--values',
    'dialog-delete,local-form-submit',
  ];
  const ran = run(process.execPath, [...line, '--rounds', '1', '--iterations', '1'], { cwd: packageRoot() });
  await expect(ran).rejects.toThrow(/the runs came to 2 outcome hashes/);
});
