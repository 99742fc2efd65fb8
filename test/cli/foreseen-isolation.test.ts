import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/program.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { canBubblewrap } from '../../src/process/sandbox/bubblewrap.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { terminalOf } from './terminal-of.ts';
import { touchstone } from './touchstone.ts';

const OWN = ['basics', '--task', 'example-h1', '--agent', path.join(packageRoot(), 'examples/exec/agent.mjs')];
const TOOL_SERVER = ['basics', '--task', 'example-h1', '--agent', 'reference', '--surface', 'playwright-mcp'];
const INSIDE = ['basics', '--task', 'example-h1', '--agent', 'reference'];
const NO_SANDBOX =
  /(?:as a user of their own|nothing keeps (?:agents|tool servers) from).*; "touchstone doctor" says why, and what helps/;

beforeEach(() => {
  // A run says it before it looks for its browser, and ends when that is not there.
  vi.stubEnv('TOUCHSTONE_BROWSER', '/nowhere/chromium');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

async function noted(...of: string[]): Promise<string> {
  return (await touchstone('run', ...of, '--out', path.join(await temporaryFolder(), 'bundle'))).err;
}

describe('where there is no Bubblewrap', () => {
  beforeEach(() => {
    vi.stubEnv('PATH', '/nowhere');
  });

  test('a run of an agent of one’s own says first what is in its reach, and who says why', async () => {
    expect(await noted(...OWN)).toMatch(NO_SANDBOX);
  });

  test('so does a run through a tool server', async () => {
    expect(await noted(...TOOL_SERVER)).toMatch(NO_SANDBOX);
    expect(await noted(...TOOL_SERVER)).not.toContain('agents');
  });

  test('in a terminal it is broken to the width, and in a pipe it is one line', async () => {
    const errOn = async (columns: number | null) => {
      const { terminal, err } = terminalOf(columns);
      await main(['run', ...OWN, '--out', path.join(await temporaryFolder(), 'bundle')], terminal);
      return err();
    };
    const lines = await errOn(80);
    expect(lines.filter((line) => line.length > 80 && line.includes(' '))).toEqual([]);
    expect(lines.join(' ')).toMatch(/agents.*"npm run touchstone -- doctor" says why, and what helps/);
    expect(await errOn(null)).toContainEqual(expect.stringMatching(/agents.*doctor" says why, and what helps$/));
  });

  test('a run that starts no program of others says nothing of it', async () => {
    expect(await noted(...INSIDE)).not.toContain('doctor" says why');
  });
});

test('plan says it of a plan that starts programs of others', async () => {
  vi.stubEnv('PATH', '/nowhere');
  const keptApart = { by: expect.stringMatching(/^(?:user|none)$/), text: expect.stringMatching(NO_SANDBOX) };
  expect(JSON.parse((await touchstone('plan', ...OWN, '--json')).out)).toMatchObject({ kept_apart: keptApart });
  expect((await touchstone('plan', ...OWN)).out.split('\n')).toContainEqual(
    expect.stringMatching(/^kept apart {2}.*"touchstone doctor" says why, and what helps$/),
  );
});

test('plan says of a plan through a tool server how that is kept apart', async () => {
  vi.stubEnv('PATH', '/nowhere');
  const line = (await touchstone('plan', ...TOOL_SERVER)).out.split('\n').find((each) => each.startsWith('kept apart'));
  expect(line).toContain('tool servers');
  expect(line).not.toContain('agents');
});

test('plan has nothing to say of it of any other', async () => {
  expect(JSON.parse((await touchstone('plan', ...INSIDE, '--json')).out)).toMatchObject({ kept_apart: null });
  expect((await touchstone('plan', ...INSIDE)).out).not.toMatch(/^kept apart/m);
});

test.runIf(canBubblewrap())('a run whose agent is kept in a sandbox says nothing of it beforehand', async () => {
  expect(await noted(...OWN)).not.toContain('doctor" says why');
});
