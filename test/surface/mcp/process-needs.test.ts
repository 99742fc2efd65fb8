import { chmod, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { canBubblewrap, whyNoBubblewrap } from '../../../src/process/sandbox/bubblewrap.ts';
import { isolationHere, prepareLaunch, type ProcessIsolation } from '../../../src/process/sandbox/launch.ts';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { smallServer } from './small-server.ts';

const SEAT = { cdpUrl: 'http://127.0.0.1:4909', cdpPort: 4909, tabs: () => [] };
type By = ProcessIsolation['by'];

/** The isolation that the needs of a server in a folder predict, and the one that it is started with, which its row has. */
async function isolationOf(
  mode: number,
  nextToIt: string[] = [],
): Promise<{ predicted: By | null; actual: By | null }> {
  const folder = await temporaryFolder();
  const { file, server } = await smallServer('none', { ready: [] });
  await copyFile(path.join(path.dirname(file), 'server.mjs'), path.join(folder, 'server.mjs'));
  for (const name of nextToIt) await writeFile(path.join(folder, name), '{}', { mode: 0o644 });
  await chmod(folder, mode);
  let actual: By | null = null;
  const surface = mcpSurface({ file: path.join(folder, 'small.yaml'), server }, async (confinedIn, cdpUrl, hidden) => {
    // A run looks for Bubblewrap once; here it may go.
    const launch = await prepareLaunch(confinedIn, cdpUrl, hidden, whyNoBubblewrap() === null);
    actual = launch.isolation.by;
    await launch.clear();
    throw new Error('not started in this test');
  });
  const needs = surface.processNeeds?.() ?? null;
  await expect(surface.open(SEAT, new AbortController().signal)).rejects.toThrow('not started in this test');
  return { predicted: needs === null ? null : isolationHere(needs).by, actual };
}

describe('without Bubblewrap, the predicted isolation of a tool server is the actual one', () => {
  beforeEach(() => {
    vi.stubEnv('PATH', '/nowhere');
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each<[string, By, number, string[]?]>([
    ['a user of its own, if no suite is near', process.getuid?.() === 0 ? 'user' : 'none', 0o755],
    ['none, if it could read a suite next to it', 'none', 0o755, ['suite.yaml']],
    ['none, if no other user could read its program', 'none', 0o700],
  ])('%s', async (_, by, mode, nextToIt) => {
    expect(await isolationOf(mode, nextToIt)).toEqual({ predicted: by, actual: by });
  });
});

test.runIf(canBubblewrap())('with Bubblewrap, both are Bubblewrap’s', async () => {
  expect(await isolationOf(0o755, ['suite.yaml'])).toEqual({ predicted: 'bubblewrap', actual: 'bubblewrap' });
});

test('a server that is not installed has no needs', async () => {
  const { file, server } = await smallServer();
  const missing = { file, server: { ...server, launch: { by: 'command', command: './nobody.mjs' } as const } };
  expect(mcpSurface(missing).processNeeds?.()).toBeNull();
});
