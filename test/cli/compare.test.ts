import { expect, test } from 'vitest';
import { touchstone } from './touchstone.ts';

const TOOL_SERVERS = 'docs/bundles/tool-servers';
const WEBVOYAGER = 'docs/bundles/webvoyager';

test('a bundle compared with itself has not changed, and meets the gate', async () => {
  const { exit, out } = await touchstone('compare', WEBVOYAGER, WEBVOYAGER, '--gate');
  expect(exit).toBe(0);
  expect(out).toContain('| transcript through playwright-mcp | 15 of 15 | 15 of 15 | 0.0 |');
  expect(out).toContain('No task passes more or less often than before.');
});

test('tasks that are missing are named, and fail the gate and nothing else', async () => {
  const gated = await touchstone('compare', TOOL_SERVERS, WEBVOYAGER, '--gate', '--json');
  expect(gated.exit).toBe(1);
  const { missing, problems }: { missing: object[]; problems: string[] } = JSON.parse(gated.out);
  expect(missing).toHaveLength(48);
  expect(problems).toContain(
    'missing: basics/iframe-vote/default by reference through stagehand: no episode of it is there',
  );
  expect(gated.err).toContain('missing: basics/iframe-vote/default');
  const { exit, out } = await touchstone('compare', TOOL_SERVERS, WEBVOYAGER);
  expect(exit).toBe(0);
  expect(out).toContain('\nNo task ran in both.\n');
});

test('--gate of one bundle is refused: there is nothing to compare it with', async () => {
  expect(await touchstone('compare', WEBVOYAGER, '--gate')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('--gate compares two bundles'),
  });
});
