/**
 * Fifty form tasks, against fifty tests of Playwright Test that take the same steps on the same app, with traces and screenshots on:
 * the comparison for users with tests of their own. Playwright runs with 1 and with 2 workers and counts with the better; ours
 * with `--workers auto`. In turn, starts of both programs included; prints the ratio of medians.
 *
 *   npm run bench:playwright-test [-- --tasks 50 --rounds 3]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { requireBrowser } from '../src/browser/find.ts';
import { packageRoot } from '../src/plan/package-root.ts';
import { median } from '../src/stats/resampling.ts';
import { measured } from './measured-process.ts';
import { serveApp } from './served-app.ts';

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '50' }, rounds: { type: 'string', default: '3' } },
});
const root = packageRoot();
const count = Number(values.tasks);
const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-forms-'));
const people = Array.from({ length: count }, (_, at) => ({
  name: `Person ${at + 1}`,
  email: `person-${at + 1}@example.org`,
}));
const app = await serveApp(path.join(root, 'apps/basics/app.ts'));
const suite = await writeSuite();
const config = await writeTests(app.address);
const bundleIn = (round: number) => path.join(folder, `bundle-${round}`);
const RUNS: Readonly<Record<string, (round: number) => Promise<number>>> = {
  'Playwright Test, 1 worker': () => secondsOf(playwright('1')),
  'Playwright Test, 2 workers': () => secondsOf(playwright('2')),
  'touchstone, workers auto': async (round) =>
    (await measured(['run', suite, '--workers', 'auto', '--out', bundleIn(round)])).seconds,
};
const times = new Map<string, number[]>(Object.keys(RUNS).map((name) => [name, []]));
try {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [name, run] of Object.entries(RUNS)) times.get(name)?.push(await run(round));
  }
} finally {
  app.close();
  await rm(folder, { recursive: true });
}
const medians = [...times].map(([name, all]) => ({ name, seconds: median(all) ?? Number.NaN }));
for (const { name, seconds } of medians) console.log(`${name.padEnd(28)} ${seconds.toFixed(1)} s`);
const [one, two, ours] = medians.map(({ seconds }) => seconds);
const ratio = (ours ?? Number.NaN) / Math.min(one ?? Number.NaN, two ?? Number.NaN);
console.log(`ratio to the better          ${ratio.toFixed(2)}   (${count} tasks, ${availableParallelism()} cores)`);

function playwright(workers: string): string[] {
  return [path.join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config', config, '--workers', workers];
}

/** @throws Error with the output, unless all of them passed */
async function secondsOf(line: readonly string[]): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, line, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${line.join(' ')} ended with ${child.exitCode}\n${said}`);
  return (performance.now() - begun) / 1_000;
}

async function writeSuite(): Promise<string> {
  const place = path.join(folder, 'forms');
  await mkdir(path.join(place, 'tasks'), { recursive: true });
  await cp(path.join(root, 'apps/basics'), path.join(place, 'app'), { recursive: true });
  const world = 'world: { kind: local, sites: [{ origin: http://forms.localhost, app: app/app.ts }] }';
  await writeFile(path.join(place, 'suite.yaml'), `id: forms\ntitle: Forms\ntasks: [tasks/*]\n${world}\n`);
  for (const [at, { name, email }] of people.entries()) {
    const task = `id: form-${at + 1}
title: Send the contact form
startUrl: http://forms.localhost/contact
goal: Send the contact form as ${name}, ${email}, about Support.
success:
  kind: and
  children:
    - { kind: dom_text, selector: '#status', contains: received your message }
    - { kind: app_state, pointer: /submissions, equals: [{ name: ${name}, email: ${email}, topic: Support }] }
guards: { kind: unchanged, except: [/submissions] }
solutions:
  - steps:
      - { do: fill, label: Name, text: ${name} }
      - { do: fill, label: Email, text: ${email} }
      - { do: choose, label: Topic, option: Support }
      - { do: click, role: button, name: Send }
`;
    await writeFile(path.join(place, `tasks/form-${at + 1}.yaml`), task);
  }
  return place;
}

async function writeTests(address: string): Promise<string> {
  const place = path.join(folder, 'playwright');
  await mkdir(place);
  const program = path.join(root, 'node_modules/@playwright/test/index.mjs');
  const spec = `import { test, expect } from ${JSON.stringify(program)};
for (const { name, email } of ${JSON.stringify(people)}) {
  test('send the contact form as ' + name, async ({ page }) => {
    await page.goto(${JSON.stringify(address)} + '/contact');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Topic').selectOption('Support');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.locator('#status')).toContainText('received your message');
  });
}
`;
  await writeFile(path.join(place, 'forms.spec.mjs'), spec);
  const launchOptions = { executablePath: requireBrowser('full').path, args: ['--no-sandbox'] };
  const use = { launchOptions, trace: 'on', screenshot: 'on', viewport: { width: 1280, height: 720 } };
  const options = { testDir: place, testMatch: '*.spec.mjs', reporter: 'line', fullyParallel: true, use };
  const file = path.join(folder, 'playwright.config.mjs');
  await writeFile(file, `export default ${JSON.stringify({ ...options, outputDir: path.join(folder, 'results') })};\n`);
  return file;
}
