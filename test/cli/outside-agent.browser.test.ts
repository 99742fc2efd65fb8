import path from 'node:path';
import { expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readSealedRows } from '../../src/bundle/sealed-rows.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

test('the agent of the documentation has a judged row, with its own figures apart from the measured ones', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const agent = path.join(packageRoot(), 'examples/exec/agent.mjs');
  const task = ['--task', 'example-h1', '--agent', agent];
  const { exit, out } = await touchstone('run', 'basics', ...task, '--out', bundle, '--verbose');
  expect(exit).toBe(0);
  expect(out).toMatch(/^isolation {6}\w+, network \w+/m);
  const [sealed] = await readSealedRows(bundleLayout(bundle));
  expect(sealed?.row).toMatchObject({
    agent: 'exec',
    surface: 'own',
    surface_version: 'touchstone-exec/1',
    decider: 'process',
    status: 'passed',
    isolation: 'browser',
    process_isolation: { by: expect.stringMatching(/./), network: expect.stringMatching(/./) },
    self_reported: { steps: 1, tool_errors: 0, model_calls: 0, tokens_in: null, model: null },
    steps: null,
    tokens_in: null,
    null_reasons: { steps: expect.stringContaining('self_reported') },
  });
  expect(sealed?.row.cdp_commands).toBeGreaterThan(0);
  expect((await touchstone('rejudge', bundle)).exit).toBe(0);
});
