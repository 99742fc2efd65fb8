import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { canBubblewrap } from '../../src/process/sandbox/bubblewrap.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const OWN = ['basics', '--task', 'example-h1', '--agent', path.join(packageRoot(), 'examples/exec/agent.mjs')];
const TOOL_SERVER = ['basics', '--task', 'example-h1', '--agent', 'reference', '--surface', 'playwright-mcp'];
const INSIDE = ['basics', '--task', 'example-h1', '--agent', 'reference'];
const NO_SANDBOX =
  /(?:as a separate user|(?:agents|tool servers) can reach all).*; "touchstone doctor" gives the reason and the remedy/;

beforeEach(() => {
  // A run reports it before it looks for its browser, and ends if that is missing.
  vi.stubEnv('TOUCHSTONE_BROWSER', '/nowhere/chromium');
});

async function noted(...of: string[]): Promise<string> {
  return (await touchstone('run', ...of, '--out', path.join(await temporaryFolder(), 'bundle'))).err;
}

describe('without Bubblewrap', () => {
  beforeEach(() => {
    vi.stubEnv('PATH', '/nowhere');
  });

  test.each([
    ['an agent of the user', OWN, 'agents', 'tool servers'],
    ['a tool server', TOOL_SERVER, 'tool servers', 'agents'],
  ])('run and plan name what %s can reach, with the page that explains it', async (_, of, named, other) => {
    const { out } = await touchstone('plan', ...of);
    const planned = out.split('\n').find((line) => line.startsWith('isolation   ')) ?? '';
    for (const text of [await noted(...of), planned]) {
      expect(text).toMatch(NO_SANDBOX);
      expect(text).toContain(named);
      expect(text).not.toContain(other);
    }
    const { kept_apart: json } = JSON.parse((await touchstone('plan', ...of, '--json')).out);
    expect(json).toMatchObject({
      by: expect.stringMatching(/^(?:user|none)$/),
      text: expect.stringMatching(NO_SANDBOX),
    });
  });
});

test('run and plan do not mention it if no program of others starts', async () => {
  expect(await noted(...INSIDE)).not.toContain('doctor" says why');
  expect(JSON.parse((await touchstone('plan', ...INSIDE, '--json')).out)).toMatchObject({ kept_apart: null });
  expect((await touchstone('plan', ...INSIDE)).out).not.toMatch(/^isolation/m);
});

test.runIf(canBubblewrap())('a run whose agent is in a sandbox does not mention it', async () => {
  expect(await noted(...OWN)).not.toContain('doctor" says why');
});
