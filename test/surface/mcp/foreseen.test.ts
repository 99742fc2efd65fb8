import { chmod, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { canBubblewrap, whyNoBubblewrap } from '../../../src/process/sandbox/bubblewrap.ts';
import { isolationHere, prepareLaunch, type ProcessIsolation } from '../../../src/process/sandbox/launch.ts';
import { mcpSurface } from '../../../src/surface/mcp/mcp-surface.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { smallServer } from './small-server.ts';

const SEAT = { cdpUrl: 'http://127.0.0.1:4909', cdpPort: 4909, tabs: () => [] };
const isRootHere = process.getuid?.() === 0;
type By = ProcessIsolation['by'];

/** The isolation that is foreseen of a server in a folder, and the one that it is started with, which its row has. */
async function bothOf(mode: number, beside: string[] = []): Promise<{ foreseen: By | null; own: By | null }> {
  const folder = await temporaryFolder();
  const { file, server } = await smallServer('none', { ready: [] });
  await copyFile(path.join(path.dirname(file), 'server.mjs'), path.join(folder, 'server.mjs'));
  for (const name of beside) await writeFile(path.join(folder, name), '{}', { mode: 0o644 });
  await chmod(folder, mode);
  let own: By | null = null;
  const surface = mcpSurface({ file: path.join(folder, 'small.yaml'), server }, async (confinedIn, cdpUrl, hidden) => {
    // A run asks once and for all whether there is Bubblewrap; here it goes.
    const launch = await prepareLaunch(confinedIn, cdpUrl, hidden, whyNoBubblewrap() === null);
    own = launch.isolation.by;
    await launch.clear();
    throw new Error('nobody needs it to run');
  });
  const foreseen = surface.foreseen?.() ?? null;
  await expect(surface.open(SEAT, new AbortController().signal)).rejects.toThrow('nobody needs it to run');
  return { foreseen: foreseen === null ? null : isolationHere(foreseen).by, own };
}

describe('where there is no Bubblewrap, what is foreseen of a tool server is what its row will have', () => {
  beforeEach(() => {
    vi.stubEnv('PATH', '/nowhere');
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('a user of its own, where no suite lies near it', async () => {
    const by = isRootHere ? 'user' : 'none';
    expect(await bothOf(0o755)).toEqual({ foreseen: by, own: by });
  });

  test('nothing, where it could read a suite beside it', async () => {
    expect(await bothOf(0o755, ['suite.yaml'])).toEqual({ foreseen: 'none', own: 'none' });
  });

  test('nothing, where no other user could read its program', async () => {
    expect(await bothOf(0o700)).toEqual({ foreseen: 'none', own: 'none' });
  });
});

test.runIf(canBubblewrap())('where there is Bubblewrap, both are that', async () => {
  expect(await bothOf(0o755, ['suite.yaml'])).toEqual({ foreseen: 'bubblewrap', own: 'bubblewrap' });
});

test('of a server that is not here nothing is foreseen', async () => {
  const { file, server } = await smallServer();
  const missing = { file, server: { ...server, launch: { by: 'command', command: './nobody.mjs' } as const } };
  expect(mcpSurface(missing).foreseen?.()).toBeNull();
});
