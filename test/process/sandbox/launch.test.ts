import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AgentReport } from '../../../src/agent/agent.ts';
import { canBubblewrap } from '../../../src/process/sandbox/bubblewrap.ts';
import { confinedCommand, type ExecCommand } from '../../../src/agent/exec/command.ts';
import { execAgent } from '../../../src/agent/exec/exec-agent.ts';
import { NOTHING_HIDDEN } from '../../../src/process/sandbox/confined.ts';
import { isolationHere, prepareLaunch } from '../../../src/process/sandbox/launch.ts';
import { asOrdinaryUser } from '../ordinary-user.ts';
import { NEVER, seatWith } from '../../agent/seat.ts';

const SCRIPT = fileURLToPath(new URL('../../agent/exec/fixtures/agent.mjs', import.meta.url));
const isRootHere = process.getuid?.() === 0;
const root = mkdtempSync(path.join(tmpdir(), 'isolation-'));
/** A suite that a user keeps next to their agent. */
const hidden = path.join(path.dirname(SCRIPT), 'hidden');
const servers: Server[] = [];

function serverSaying(text: string): Promise<string> {
  const server = createServer((_request, response) => response.end(text));
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '');
    });
  });
}

let gateway = '';
let other = '';

beforeAll(async () => {
  mkdirSync(hidden, { mode: 0o700 });
  writeFileSync(path.join(hidden, 'contract.yaml'), '');
  [gateway, other] = await Promise.all([serverSaying('the gateway'), serverSaying('something else')]);
});

afterAll(() => {
  for (const server of servers) server.close();
  // A process of our user can write next to its script.
  for (const folder of [root, hidden, path.join(path.dirname(SCRIPT), 'written.txt')])
    rmSync(folder, { recursive: true, force: true });
});

async function lookingAround(sandbox: boolean, parts: Partial<ExecCommand> = {}, hide = [hidden]) {
  const reports: AgentReport[] = [];
  const args = [SCRIPT, 'looks around', 'word', hidden, root, other];
  const own = { id: 'small', program: process.execPath, args, folder: path.dirname(SCRIPT), files: [SCRIPT] };
  const command: ExecCommand = { ...own, readable: [], env: [], secrets: [], network: 'gateway', ...parts };
  const agent = execAgent(command, {
    hidden: { contracts: hide, around: [] },
    prepare: (asked, cdpUrl, places) => prepareLaunch(asked, cdpUrl, places, sandbox),
  });
  const seat = { brief: seatWith().brief, cdpUrl: gateway, redact: (text: string) => text };
  await agent.drive(seat, (report) => reports.push(report), NEVER);
  const looked = reports.find(({ kind }) => kind === 'step');
  const isolation = reports.find(({ kind }) => kind === 'isolation');
  return {
    saw: looked?.kind === 'step' ? looked.args : null,
    isolation: isolation?.kind === 'isolation' ? isolation.isolation : null,
  };
}

const SANDBOXES = canBubblewrap() ? [true] : [];

describe.each(SANDBOXES)('in a sandbox', (sandbox) => {
  test('a command sees its own folder and the gateway, and nothing else of this machine', async () => {
    expect(await lookingAround(sandbox)).toEqual({
      isolation: { by: 'bubblewrap', network: 'gateway' },
      saw: {
        own: true,
        hidden: [],
        written: 'EROFS',
        home: 'written',
        gateway: 'the gateway',
        reached: 'ENOENT',
        elsewhere: 'refused',
      },
    });
  });

  // As root it would own them: a core pattern is a program that the kernel starts as root, in no sandbox.
  test('a command cannot change any setting of the kernel', async () => {
    const { saw } = await lookingAround(sandbox, { args: [SCRIPT, 'looks for settings of the kernel', 'word'] });
    expect(saw).toEqual({ settings: expect.any(Number), writable: [] });
    expect(saw?.['settings']).toBeGreaterThan(100);
  });

  test('a command reaches what it asks for: the network, and other folders', async () => {
    writeFileSync(path.join(root, 'library'), '');
    expect(await lookingAround(sandbox, { network: 'shared', readable: [root] })).toMatchObject({
      isolation: { by: 'bubblewrap', network: 'shared' },
      saw: { gateway: 'the gateway', reached: true, elsewhere: 'something else' },
    });
  });

  test('a script in a hidden folder can still be run', async () => {
    expect(await lookingAround(sandbox, {}, [path.dirname(SCRIPT)])).toMatchObject({
      saw: { own: true, hidden: 'ENOENT' },
    });
  });
});

describe('without a sandbox', () => {
  test('a command that can read our files is reported as not isolated', async () => {
    const everybodys = [path.dirname(SCRIPT)];
    expect(await lookingAround(false, {}, everybodys)).toMatchObject({
      isolation: { by: 'none', network: 'shared' },
      saw: { elsewhere: 'something else' },
    });
  });

  const isRoot = process.getuid?.() === 0;

  test('root can make it another user, which cannot read our private files', async () => {
    expect(await lookingAround(false)).toMatchObject({
      isolation: { by: isRoot ? 'user' : 'none', network: 'shared' },
      saw: { hidden: isRoot ? 'EACCES' : ['contract.yaml'] },
    });
  });

  test('runs as our user, and is reported so, if its home would be in a folder that only we can enter', async () => {
    vi.stubEnv('TMPDIR', root);
    try {
      expect(await lookingAround(false)).toMatchObject({
        isolation: { by: 'none', network: 'shared' },
        saw: { hidden: ['contract.yaml'] },
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

async function madeDuring(work: (made: () => string[]) => Promise<unknown>): Promise<void> {
  vi.stubEnv('TMPDIR', root);
  try {
    await work(() => readdirSync(root).filter((name) => name.startsWith('touchstone-')));
  } finally {
    vi.unstubAllEnvs();
  }
}

const GIVES_UP: ExecCommand = {
  id: 'small',
  program: process.execPath,
  args: [SCRIPT, 'gives up', 'word'],
  folder: hidden,
  files: [SCRIPT],
  readable: [],
  env: [],
  secrets: [],
  network: 'gateway',
};

test('no home or socket of a command is left', async () => {
  await madeDuring(async (made) => {
    let during: string[] = [];
    const agent = execAgent(GIVES_UP, {
      prepare: async (...args) => {
        const launch = await prepareLaunch(...args);
        during = made();
        return launch;
      },
    });
    await agent.drive({ brief: seatWith().brief, cdpUrl: gateway, redact: (text: string) => text }, () => {}, NEVER);
    expect(during).not.toEqual([]);
    expect(made()).toEqual([]);
  });
});

test.each(SANDBOXES)('a sandbox that cannot be made ready leaves nothing', async (sandbox) => {
  await madeDuring(async (made) => {
    await expect(prepareLaunch(() => confinedCommand(GIVES_UP), 'no address', NOTHING_HIDDEN, sandbox)).rejects.toThrow(
      'Invalid URL',
    );
    expect(made()).toEqual([]);
  });
});

test('a read-only folder that a command leaves breaks nothing and is removed', async () => {
  await asOrdinaryUser(async () => {
    const launch = await prepareLaunch(() => confinedCommand(GIVES_UP), gateway, NOTHING_HIDDEN, false);
    const home = launch.env['HOME'] ?? '';
    const locked = path.join(home, 'locked');
    mkdirSync(path.join(locked, 'below'), { recursive: true });
    for (const folder of [path.join(locked, 'below'), locked]) chmodSync(folder, 0o500);
    expect(existsSync(locked)).toBe(true);
    await launch.clear();
    expect(existsSync(home)).toBe(false);
  });
});

describe('without Bubblewrap, the isolation of the paths of a run is predicted', () => {
  beforeEach(() => {
    vi.stubEnv('PATH', '/nowhere');
  });

  const foreseen = (mode: number, kept: 'places' | 'contracts') => {
    const folder = mkdtempSync(path.join(tmpdir(), 'foreseen-'));
    chmodSync(folder, mode);
    try {
      return isolationHere({
        places: [],
        contracts: [],
        [kept]: [path.join(folder, kept === 'places' ? '' : 'later')],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test.runIf(isRootHere)('that a separate user cannot read a private suite', () => {
    expect(foreseen(0o700, 'contracts')).toMatchObject({ by: 'user', noUser: null });
  });

  test.runIf(isRootHere)('that it could read a public one, even before it exists', () => {
    const noUser = expect.stringMatching(
      /^it could read \/.*foreseen-\w+, where suites or bundles lie \(chmod o-rx on it, or on a folder above it, keeps it out\)$/,
    );
    expect(foreseen(0o755, 'contracts')).toMatchObject({ by: 'none', noUser });
  });

  test.runIf(isRootHere)('that it could not read its own program', () => {
    const noUser = expect.stringMatching(/^it could not read \/.*foreseen-\w+\/?, which it needs: /);
    expect(foreseen(0o700, 'places')).toMatchObject({ by: 'none', noUser });
  });

  test.each(isRootHere ? [] : ['only root can choose one'])('that there is no separate user: %s', (noUser) => {
    expect(foreseen(0o700, 'contracts')).toMatchObject({ by: 'none', noUser });
  });
});
