import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { touchstone } from '../cli/touchstone.ts';
import { calls, fakeAnthropic } from '../model/fake-anthropic.ts';
import { ready, status } from '../model/fake-provider.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { commandsIn } from './command-line.ts';
import { blocksOf } from './pages.ts';

const name = 'docs/publish-a-result.md';
const page = { name, text: readFileSync(name, 'utf8') };
const OWN = 'npm run touchstone -- ';
const commands = blocksOf(page)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => commandsIn(text))
  .filter((command) => command.startsWith(OWN))
  .map((command) => command.slice(OWN.length));

const shownTexts = blocksOf(page)
  .filter(({ language }) => language === 'text')
  .map(({ text }) => text.trim());

beforeEach(() => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-test-0123456789');
});
async function smallCampaign(folder: string): Promise<string> {
  const text = await readFile('campaigns/first-claim.yaml', 'utf8');
  const small = text
    .replace(/tasks:\s*\[[^\]]*\]/, 'tasks: [example-h1]')
    .replace('surfaces: [aria, dom]', 'surfaces: [aria]')
    .replace('iterations: 10', 'iterations: 2')
    // The fake answers in the order of its script.
    .concat('times: true\n');
  const file = path.join(folder, 'first-claim.yaml');
  await writeFile(file, small);
  return file;
}

test('the page leads from its plan to a signed bundle that verifies', { timeout: 300_000 }, async () => {
  const folder = await temporaryFolder();
  const campaign = await smallCampaign(folder);
  const here = (command: string) =>
    command
      .split(' ')
      .map((word) =>
        word === 'campaigns/first-claim.yaml'
          ? campaign
          : word.replace(/^(?=bundles\/|reports$|key\.pem$|first-claim\.zip$)/, `${folder}/`),
      );
  const go = [calls(['navigate', { url: 'https://example.com/' }]), calls(['done', { answer: 'Example Domain' }])];
  await using fake = await fakeAnthropic([...go, ...go]);
  vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', path.join(folder, 'key.pem')]);

  const printed = new Map<string, string>();
  for (const command of commands.filter((each) => !each.startsWith('doctor'))) {
    // A fake can become no claim, so that --claim would rightly refuse it.
    const ran = await touchstone(...here(command.replace(' --claim', '')));
    expect(`${command}: ${ran.exit} ${ran.exit === 0 ? '' : ran.err}`).toBe(`${command}: 0 `);
    printed.set(command.split(' ')[0] ?? '', ran.out);
  }
  const planHash = /plan hash +(\w{64})/;
  expect(planHash.exec(printed.get('verify') ?? '')?.[1]).toBe(planHash.exec(printed.get('plan') ?? '')?.[1]);
  const [verified, rejudged] = (shownTexts[1] ?? '').replaceAll('140', '2').split('\n');
  expect(printed.get('verify')?.split('\n')).toContain(verified);
  expect(printed.get('rejudge')?.split('\n')).toContain(rejudged);
  expect(printed.get('publish')).toContain('`harness_mode`');
  expect(printed.get('sign')).toMatch(/signed by \w{64}/);
  expect(existsSync(path.join(folder, 'first-claim.zip'))).toBe(true);
  expect([...printed.keys()]).toEqual(['plan', 'run', 'verify', 'rejudge', 'show', 'publish', 'sign', 'pack']);

  const claim = commands.find((each) => each.includes('--claim')) ?? '';
  const refused = await touchstone(...here(claim.replace('bundles/first-claim', 'bundles/refused')));
  expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('harness_mode') });
});

test('the page shows the plan as plan prints it', { timeout: 120_000 }, async () => {
  vi.stubEnv('ANTHROPIC_BASE_URL', '');
  const { out } = await touchstone('plan', '--campaign', 'campaigns/first-claim.yaml');
  const shown = shownTexts[0] ?? '';
  expect(shown.split('\n')).toHaveLength(5);
  expect(`\n${out}`).toContain(`\n${shown}\nplan hash`);
});

test('the plan against fakes matches the page', { timeout: 120_000 }, async () => {
  vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
  const { out } = await touchstone('plan', '--campaign', 'campaigns/first-claim.yaml');
  expect(page.text).toContain('`plan` reports that it costs `nothing` and could claim nothing');
  expect(out).toMatch(/^cost +nothing/m);
  expect(out).toMatch(/^could claim nothing; --claims lists [23] reasons/m);
});

test(
  'a wrong key pauses before the first episode, and the right one finishes it, as documented',
  { timeout: 300_000 },
  async () => {
    const folder = await temporaryFolder();
    const [campaign, bundle] = [await smallCampaign(folder), path.join(folder, 'a bundle')];
    const go = [calls(['navigate', { url: 'https://example.com/' }]), calls(['done', { answer: 'Example Domain' }])];
    let first = status(401);
    await using fake = await fakeAnthropic([...go, ...go], (response) => first(response));
    vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
    const run = ['run', '--campaign', campaign, '--out', bundle];
    expect(await touchstone(...run)).toMatchObject({ exit: 4, out: expect.stringContaining('no episode has run') });
    expect(await touchstone(...run)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('already contains a bundle'),
    });
    expect(await touchstone('verify', bundle)).toMatchObject({ exit: 1, out: expect.stringContaining('not finished') });
    first = ready('/v1/messages');
    // The fake answers in the order of its script.
    expect(await touchstone('run', '--resume', bundle, '--times')).toMatchObject({ exit: 0 });
    expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  },
);
