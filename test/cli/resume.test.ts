import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { writeCampaignFile } from '../../src/plan/campaign-file.ts';
import { resumeLine } from '../../src/cli/paste.ts';
import { shellWord } from '../../src/report/shell-word.ts';
import { suitesToResume } from '../../src/cli/resumed-plan.ts';
import { SMALL_CAMPAIGN } from '../plan/sample-plan.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

async function bundleOf(suites: string[]): Promise<string> {
  const layout = bundleLayout(path.join(await temporaryFolder(), 'bundle'));
  await mkdir(layout.root);
  await writeCampaignFile(layout, { ...SMALL_CAMPAIGN, suites });
  return layout.root;
}

async function suiteWithCode(): Promise<{ suite: string; hasRun: () => boolean }> {
  const suite = await temporaryFolder();
  const trace = path.join(suite, 'ran');
  await mkdir(path.join(suite, 'site'));
  await writeFile(
    path.join(suite, 'suite.yaml'),
    `id: other
title: Other
tasks: [task.ts]
world: { kind: local, sites: [{ origin: http://other.localhost, static: site }] }
`,
  );
  await writeFile(
    path.join(suite, 'task.ts'),
    `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(trace)}, '');
export default { id: 'a', title: 'A', startUrl: 'http://other.localhost/', goal: 'A', success: { kind: 'no_dialog' } };
`,
  );
  return { suite, hasRun: () => existsSync(trace) };
}

describe('the code of a suite', () => {
  test('does not run because a bundle names it', async () => {
    const { suite, hasRun } = await suiteWithCode();
    const bundle = await bundleOf(['basics', suite]);
    const { exit, err } = await touchstone('run', '--resume', bundle);
    expect(exit).toBe(2);
    expect(err).toContain(`the campaign ran ${JSON.stringify(suite)}, which is not built in`);
    expect(err).toContain(`name it again: touchstone run --resume ${bundle} ${suite}\n`);
    expect(hasRun()).toBe(false);
  });

  test('does not run because a bundle names it, nor is its program started; validate starts none either', async () => {
    const suite = await temporaryFolder();
    const trace = path.join(suite, 'ran');
    await mkdir(path.join(suite, 'app'));
    const command = `[node, -e, 'require("node:fs").writeFileSync(${JSON.stringify(trace)}, "")', '{{port}}']`;
    const program = `{ folder: app, command: ${command}, state: /__state }`;
    const sites = `[{ origin: http://other.localhost, program: ${program} }]`;
    await writeFile(
      path.join(suite, 'suite.yaml'),
      `{ id: other, title: Other, tasks: [task.json], world: { kind: local, sites: ${sites} } }`,
    );
    const task = {
      id: 'a',
      title: 'A',
      startUrl: 'http://other.localhost/',
      goal: 'A',
      success: { kind: 'no_dialog' },
    };
    await writeFile(path.join(suite, 'task.json'), JSON.stringify(task));
    expect(await touchstone('validate', suite)).toMatchObject({ exit: 0 });
    expect(await touchstone('run', '--resume', await bundleOf(['basics', suite]))).toMatchObject({ exit: 2 });
    expect(existsSync(trace)).toBe(false);
    expect((await touchstone('run', suite, '--out', path.join(suite, 'bundle'))).err).toContain(
      'it exited before it was ready',
    );
    expect(existsSync(trace)).toBe(true);
  });

  test('runs when the user names it again; one that the campaign did not run is refused', async () => {
    const { suite, hasRun } = await suiteWithCode();
    const { exit, err } = await touchstone('run', '--resume', await bundleOf(['basics', suite]), suite);
    expect(hasRun()).toBe(true);
    expect(exit).toBe(2);
    expect(err).toContain('the campaign did not run the suite "other"');
  });
});

function sources(...suiteNames: string[]) {
  return { suiteNames, entrantFiles: { agents: [], surfaces: [] } };
}

describe('the line that finishes a campaign', () => {
  const files = { agents: ['./a.mjs', './b.yaml'], surfaces: ['./my server.yaml'] };
  test.each([
    ['leaves out built-in suites', sources('basics'), ''],
    ['names suites of the user', sources('basics', './mine'), ' ./mine'],
    ['leaves out the default prompt', { ...sources('basics'), prompt: 'default' }, ''],
    ['names another prompt', { ...sources('basics'), prompt: 'brief' }, ' --prompt brief'],
    [
      'names files of entrants',
      { suiteNames: ['basics'], entrantFiles: files },
      " --agent ./a.mjs,./b.yaml --surface './my server.yaml'",
    ],
    [
      'names cassettes',
      { ...sources('basics'), cassette: 'c', prompt: './my prompt.md' },
      " --cassette c --prompt './my prompt.md'",
    ],
  ])('%s', (_, of, words) => {
    expect(resumeLine('bundles/x', of)).toBe(`touchstone run --resume bundles/x${words}`);
  });

  test('is one that a shell reads as intended, whatever the names', () => {
    expect(resumeLine('my bundle', sources("it's; rm -rf *"))).toBe(
      String.raw`touchstone run --resume 'my bundle' 'it'\''s; rm -rf *'`,
    );
    expect(shellWord('')).toBe("''");
  });
});

describe('the suites of a resumed campaign are', () => {
  test('the built-in ones, by their names alone', () => {
    expect(suitesToResume('b', sources('basics'), [])).toEqual(['basics']);
    for (const name of ['./basics', 'suites/basics', '/suites/basics', '..', '']) {
      expect(() => suitesToResume('b', sources(name), [])).toThrow('which is not built in');
    }
  });

  test('and those that are named again, and no path of the bundle', () => {
    expect(suitesToResume('b', sources('basics', './mine'), ['/home/me/mine'])).toEqual(['basics', '/home/me/mine']);
  });
});

test('a suite of the plan that is not named again is named', async () => {
  const { suite } = await suiteWithCode();
  const { exit, err } = await touchstone('run', '--resume', await bundleOf(['./mine']), suite);
  expect(exit).toBe(2);
  expect(err).toContain('the campaign ran the suite "basics", which is not among those named');
});

test('options that would change the plan are refused', async () => {
  const { exit, err } = await touchstone('run', '--resume', await bundleOf(['basics']), '--agent', 'null');
  expect(exit).toBe(2);
  expect(err).toContain('--agent cannot be changed');
  expect(err).toContain('leave out --agent');
});
