import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { FakeRunner } from './composite-action.ts';

const INPUTS = { suites: '.', agent: 'reference', 'install-browser': 'false' };
const PULL = { GITHUB_BASE_REF: 'main', GITHUB_REF_NAME: '7/merge' };

const TASK = `id: read-heading
title: Open the terms
startUrl: http://repository.localhost/
goal: Open the terms.
maxSteps: 10
maxDurationMs: 60000
success: { kind: dom_count, selector: h1, op: eq, value: 1 }
solutions:
  - steps:
      - { do: click, role: link, name: Terms }
`;

test('a push leaves a bundle; a pull request that breaks the app fails against it, and reports so', async () => {
  const runner = new FakeRunner(await temporaryFolder());
  runner.install();
  await touchstone('init', runner.workspace, '--yes');
  writeFileSync(path.join(runner.workspace, 'site/index.html'), '<a href="/terms.html">Terms</a>');
  const terms = path.join(runner.workspace, 'site/terms.html');
  writeFileSync(terms, '<h1>Our terms</h1>');
  writeFileSync(path.join(runner.workspace, 'tasks/read-heading.yaml'), TASK);
  const archive = path.join(runner.temp, 'touchstone/bundle.zip');

  runner.step('settings', INPUTS);
  const pushed = runner.step('run', {}, {});
  expect(pushed).toMatchObject({ code: 0, outputs: { result: 'met' } });
  expect(pushed.summary).toContain('## Touchstone: met');
  expect(pushed.summary).toContain('no bundle of the base branch was found');
  expect(existsSync(archive)).toBe(true);

  // The runner’s cache would restore these, so they lie there already.
  writeFileSync(terms, '<h2>Our terms</h2>');
  runner.step('settings', INPUTS, PULL);
  rmSync(path.join(runner.temp, 'touchstone/bundle'), { recursive: true });
  const pulled = runner.step('run', {}, PULL);
  expect(pulled).toMatchObject({ code: 1, outputs: { result: 'not met' } });
  expect(pulled.summary).toContain('## What changed');
  expect(pulled.summary).toMatch(/reference through aria *\| *1 of 1 *\| *0 of 1/);
  expect(pulled.summary).toContain('success (dom_count): expected');
});
