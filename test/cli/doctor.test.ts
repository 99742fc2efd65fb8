import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { canBubblewrap } from '../../src/process/sandbox/bubblewrap.ts';
import { asOrdinaryUser } from '../process/ordinary-user.ts';
import { touchstone } from './touchstone.ts';

let programs = '';

beforeEach(() => {
  programs = mkdtempSync(path.join(tmpdir(), 'programs-'));
  // No test here needs a browser, and none is started when this one is not there.
  vi.stubEnv('TOUCHSTONE_BROWSER', '/nowhere/chromium');
});

afterEach(() => {
  rmSync(programs, { recursive: true });
});

function bwrapThat(script: string): void {
  const file = path.join(programs, 'bwrap');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  vi.stubEnv('PATH', programs);
}

async function keptApart() {
  const { out } = await touchstone('doctor', '--json');
  const { findings }: { findings: { what: string; ok: boolean; optional: boolean; found: string }[] } = JSON.parse(out);
  return findings.find(({ what }) => what === 'isolation');
}

describe('doctor reports what keeps agents and tool servers from our files', () => {
  test.runIf(canBubblewrap())('Bubblewrap, if a sandbox like those of a run starts', async () => {
    expect(await keptApart()).toMatchObject({ ok: true, found: expect.stringContaining('run in Bubblewrap') });
  });

  test('how to install Bubblewrap, if it is missing', async () => {
    vi.stubEnv('PATH', programs);
    const found = expect.stringMatching(/bwrap is not installed; .*apt-get install bubblewrap/);
    expect(await keptApart()).toMatchObject({ ok: false, found });
  });

  test.each([
    [
      'the error of Bubblewrap, and that it needs user namespaces',
      'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
      /bwrap reports “setting up uid map: Permission denied”; .*user namespaces/,
    ],
    [
      'the option of a container that masks what Bubblewrap has to mount',
      'echo "bwrap: Can\'t mount proc on /newroot/proc: Operation not permitted" >&2; exit 1',
      /Operation not permitted”; .*start the container .*systempaths=unconfined$/,
    ],
    [
      'a sandbox that was tried as in a run: no network, no capabilities, no terminal',
      'echo "$*" >&2; exit 1',
      /--unshare-all --cap-drop ALL --die-with-parent --new-session/,
    ],
  ])('%s', async (_, script, found) => {
    bwrapThat(script);
    expect(await keptApart()).toMatchObject({ ok: false, found: expect.stringMatching(found) });
  });

  test('only how to install Bubblewrap, if nothing else is known to be missing', async () => {
    vi.stubEnv('PATH', programs);
    const alone =
      /; not in Bubblewrap, because bwrap is not installed; what helps: install Bubblewrap \(Debian: apt-get install bubblewrap\)$/;
    expect(await keptApart()).toMatchObject({ found: expect.stringMatching(alone) });
    expect((await keptApart())?.found).not.toMatch(/not as a separate user|unshare|chmod/);
    writeFileSync(path.join(programs, 'unshare'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    expect((await keptApart())?.found).toMatch(alone);
  });

  test('without a sandbox, the separate user that only root can have, or why there is none', async () => {
    bwrapThat('echo "bwrap: No permissions to create new namespace" >&2; exit 1');
    const isRoot = process.getuid?.() === 0;
    const found = isRoot
      ? /run as a separate user|not as a separate user, because it could (?:not )?read \/.*; not in Bubblewrap/
      : /can reach all of your files.*not as a separate user, because only root can choose one; not in Bubblewrap/;
    expect(await keptApart()).toMatchObject({ found: expect.stringMatching(found) });
  });

  test('that installing Bubblewrap would not help yet, if another program finds that out', async () => {
    vi.stubEnv('PATH', programs);
    const script = '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2\nexit 1\n';
    writeFileSync(path.join(programs, 'unshare'), script, { mode: 0o755 });
    expect((await keptApart())?.found).toMatch(
      /first let it .* “unshare failed: Operation not permitted”: look at kernel\.unprivileged_userns_clone.*seccomp profile; then install Bubblewrap/,
    );
  });

  test('nothing, if no other user can reach the folder for temporary files', async () => {
    vi.stubEnv('PATH', programs);
    vi.stubEnv('TMPDIR', programs);
    expect(await keptApart()).toMatchObject({
      ok: false,
      found: expect.stringContaining('can reach all of your files'),
    });
  });

  test('nothing, for another user: there Bubblewrap does not start', async () => {
    await asOrdinaryUser(async () => {
      const isOther = process.getuid?.() !== process.geteuid?.();
      if (!isOther) vi.stubEnv('PATH', programs);
      const why = isOther ? 'acts as another user' : 'not installed';
      expect(await keptApart()).toMatchObject({ ok: false, found: expect.stringContaining(why) });
    });
  });
});

test('a machine that keeps nothing apart lacks nothing required', async () => {
  vi.stubEnv('PATH', programs);
  expect((await touchstone('doctor')).out).toMatch(/^absent {3}isolation/m);
  expect((await touchstone('doctor', '--quiet')).out).not.toContain('isolation');
});

describe('doctor reports for a suite', () => {
  /** Begins a suite for a program in the folder of its app. */
  async function suiteFor(app: string, ...args: string[]): Promise<string> {
    const folder = path.join(programs, 'shop/touchstone');
    await touchstone('init', folder, '--yes', '--app', app, '--heading', 'Shop', ...args);
    return folder;
  }

  /** The lines for the suite, the problem left out. */
  async function lines(folder: string): Promise<string[]> {
    const { out } = await touchstone('doctor', folder);
    return out.split('\n').flatMap((line) => /^(\S+ +shop: \S+(?: \d+)?)/.exec(line)?.[1]?.replace(/ +/, ' ') ?? []);
  }

  test('the programs of its apps and of its agents', async () => {
    const agent = path.relative('.', path.join(programs, 'shop/touchstone/agents/python-agent/agent.yaml'));
    const folder = await suiteFor('node server.mjs', '--language', 'python');
    expect(await lines(folder)).toEqual(['ok shop: node', `ok shop: ${agent}`]);
    const suite = path.join(folder, 'suite.yaml');
    writeFileSync(suite, readFileSync(suite, 'utf8').replace('"node"', '"no-such-runtime"'));
    expect(await lines(folder)).toEqual(['MISSING shop: no-such-runtime', `ok shop: ${agent}`]);
  });

  test('the packages that its agent has not installed, and how to install them', async () => {
    const folder = await suiteFor('node server.mjs');
    const { out } = await touchstone('doctor', folder);
    const place = path.relative('.', path.join(folder, 'agents/node-agent'));
    expect(out).toMatch(/^MISSING +shop: \S+ +not installed from its package\.json: playwright-core; /m);
    expect(out).toContain(`npm install --prefix ${place}"`);
  });

  test('whether the port that an app always takes is free', async () => {
    const folder = await suiteFor('node server.mjs', '--language', 'python');
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const suite = path.join(folder, 'suite.yaml');
    writeFileSync(suite, readFileSync(suite, 'utf8').replace('ready:', `port: ${port}\n        ready:`));
    expect(await lines(folder)).toContain(`MISSING shop: port ${port}`);
    server.close();
    await once(server, 'close');
    expect(await lines(folder)).toContain(`ok shop: port ${port}`);
  });
});
