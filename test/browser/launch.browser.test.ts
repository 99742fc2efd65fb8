import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { requireBrowser } from '../../src/browser/find.ts';
import { launchBrowser, type OwnedBrowser } from '../../src/browser/launch.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { tempFiles } from '../task/temp-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { connectDirectly } from './direct-client.ts';
import { chromiumProcessesOf, killFromOutside, processOf, profilesOf } from './traces.ts';

function startFixture(name: string) {
  const file = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.pid === undefined) throw new Error('the fixture did not start');
  return { child, pid: child.pid, ended: once(child, 'close') };
}

describe('the identity of a browser', () => {
  test('is what the browser reports', async () => {
    const { identity, observer } = await sharedBrowser();
    const { product, revision } = await observer.cdp.send('Browser.getVersion');
    expect(`${identity.name}/${identity.version}`).toBe(product);
    expect(identity).toMatchObject({ build: revision, kind: 'full', ours: true });
  });

  test('is not taken from the path of its binary', async () => {
    const binary = { ...requireBrowser('full'), kind: 'shell' } as const;
    const browser = await launchBrowser({ binary });
    expect(browser.identity.kind).toBe('full');
    await browser.close();
  });
});

test('a browser that is closed leaves neither process nor profile, and can be closed twice', async () => {
  const before = profilesOf(process.pid);
  const browser = await launchBrowser({ binary: requireBrowser('full') });
  expect(profilesOf(process.pid)).toHaveLength(before.length + 1);
  expect(browser.isRunning()).toBe(true);
  await Promise.all([browser.close(), browser.close()]);
  expect(browser.isRunning()).toBe(false);
  expect(profilesOf(process.pid)).toEqual(before);
});

test.runIf(process.platform === 'linux')('a browser gets no key of a provider from our environment', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-not-for-pages');
  const launched = launchBrowser({ binary: requireBrowser('full') }).finally(() => vi.unstubAllEnvs());
  const browser = await launched;
  const environment = await readFile(`/proc/${await processOf(browser)}/environ`, 'utf8');
  await browser.close();
  expect(environment).toContain('TZ=UTC');
  expect(environment).not.toContain('sk-not-for-pages');
});

test('a browser killed from outside is known to have ended, and leaves no profile', async () => {
  const before = profilesOf(process.pid);
  const processesBefore = chromiumProcessesOf(process.pid);
  const browser = await launchBrowser({ binary: requireBrowser('full') });
  await killFromOutside(browser);
  expect(browser.isRunning()).toBe(false);
  expect(profilesOf(process.pid)).toEqual(before);
  await expect.poll(() => chromiumProcessesOf(process.pid)).toEqual(processesBefore);
  await browser.close();
});

test('a browser killed from outside leaves nothing in the temporary folder', async () => {
  // Short, as that of a machine is: a path of more than 107 bytes is none of a socket, so Chromium would put its own elsewhere.
  const folder = await mkdtemp(join(tmpdir(), 't-'));
  vi.stubEnv('TMPDIR', folder);
  try {
    await killFromOutside(await launchBrowser({ binary: requireBrowser('full') }));
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a browser that is cut off still runs, but is not fit', async () => {
  const browser = await launchBrowser({ binary: requireBrowser('full') });
  expect(await browser.condition()).toBe('fit');
  await (await browser.playwright()).close();
  expect(browser.isFit()).toBe(false);
  expect(await browser.condition()).toBe('cut_off');
  await browser.close();
  expect(await browser.condition()).toBe('ended');
});

test('a browser’s own requests reach nothing, and are counted', async () => {
  const browser = await sharedBrowser();
  const context = await (await browser.playwright()).newContext();
  const page = await context.newPage();
  await expect(page.goto('http://nobody-asked.test/')).rejects.toThrow('net::ERR_HTTP_RESPONSE_CODE_FAILURE');
  await expect(page.goto('https://nobody-asked.test/')).rejects.toThrow('net::ERR_TUNNEL_CONNECTION_FAILED');
  await context.close();
  const counted = browser.backgroundRequests();
  expect(counted['nobody-asked.test']).toBeGreaterThan(0);
  expect(counted['nobody-asked.test:443']).toBeGreaterThan(0);
  expect(counted).not.toHaveProperty(['somebody-asked.test']);
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('started by root, Chromium', () => {
  async function userOf(browser: OwnedBrowser): Promise<number> {
    return statSync(`/proc/${await processOf(browser)}`).uid;
  }

  async function readThrough(browser: OwnedBrowser, file: string): Promise<unknown> {
    const context = await (await connectDirectly(browser)).newContext();
    const page = await context.newPage();
    await page.setContent('<input type="file">');
    const session = await context.newCDPSession(page);
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'input' });
    await session.send('DOM.setFileInputFiles', { files: [file], nodeId });
    return await page.evaluate("document.querySelector('input').files[0].text().catch(() => 'nothing')");
  }

  async function ownFile(mode: number): Promise<string> {
    const folder = await temporaryFolder();
    const file = join(folder, 'contract.yaml');
    await writeFile(file, 'the expected value');
    await chmod(folder, mode);
    return file;
  }

  test('runs as a user of its own, in its sandbox, and cannot read our private files', async () => {
    const browser = await launchBrowser({ binary: requireBrowser('full'), reach: 'machine' });
    expect(await userOf(browser)).toBe(browser.uid);
    expect(browser.uid).toBeGreaterThan(0);
    expect(await readThrough(browser, await ownFile(0o700))).toBe('nothing');
    expect(await readThrough(browser, await ownFile(0o755))).toBe('the expected value');
    await browser.close();
  });

  test('runs as root, and reports it, if no other user can reach its profile', async () => {
    vi.stubEnv('TMPDIR', await temporaryFolder());
    const launched = launchBrowser({ binary: requireBrowser('full'), reach: 'machine' });
    const browser = await launched.finally(() => vi.unstubAllEnvs());
    expect(await userOf(browser)).toBe(0);
    expect(browser).toMatchObject({ uid: null, identity: { sandbox: false } });
    await browser.close();
  });
});

describe.runIf(process.platform === 'linux')('Chromium dies with us', () => {
  test('when our process is killed, and the next launch sweeps its profile', async () => {
    const { child, pid, ended } = startFixture('launches-and-waits.ts');
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += String(text)));
    await expect.poll(() => said).toContain('launched');
    expect(chromiumProcessesOf(pid).length).toBeGreaterThan(1);
    expect(profilesOf(pid)).toHaveLength(1);
    child.kill('SIGKILL');
    await ended;
    await expect.poll(() => chromiumProcessesOf(pid)).toEqual([]);
    // Any launch sweeps, that of another test file too: whether the profile is still there now is unknown.
    const next = await launchBrowser({ binary: requireBrowser('full') });
    expect(profilesOf(pid)).toEqual([]);
    await next.close();
  });

  test('when our process is killed while Chromium starts', async () => {
    const { child, pid, ended } = startFixture('killed-while-launching.ts');
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += String(text)));
    await ended;
    expect(said).toBe('launching\n');
    await expect.poll(() => chromiumProcessesOf(pid)).toEqual([]);
  });

  test('when our process exits in a hurry, which leaves no profile either', async () => {
    const { pid, ended } = startFixture('launches-and-exits.ts');
    await ended;
    await expect.poll(() => chromiumProcessesOf(pid)).toEqual([]);
    expect(profilesOf(pid)).toEqual([]);
  });
});

describe('a binary that is no browser gives an error with its output, and leaves nothing', () => {
  const hangs = 'exec sleep 600';
  test.each([
    ['ends at once', 'echo "cannot open display" >&2; exit 7', /\(exit code 7\); it printed:\ncannot open display$/],
    ['ends at once and says why on its standard output', 'echo "use snap"; exit 1', /exit code 1\).*use snap/s],
    ['is killed', 'kill -9 $$', /ended at once \(SIGKILL\)/],
    [
      'prints garbage and stays',
      `echo garbage >&2; ${hangs}`,
      /did not answer Browser.getVersion within 500 ms.*garbage/s,
    ],
    ['stays and says nothing', hangs, /did not answer Browser.getVersion within 500 ms$/],
    [
      'speaks garbage',
      `echo "here it comes" >&2; printf 'gar{bage\\0' >&4; ${hangs}`,
      /connection to the browser was cut.*sent an invalid message.*here it comes/s,
    ],
    ['leaves a child behind that holds its output', 'sleep 600 & exit 3', /ended at once \(exit code 3\)/],
  ])('when it %s', async (_, script, message) => {
    await using files = await tempFiles({ browser: `#!/bin/sh\n${script}\n` });
    await chmod(files.path('browser'), 0o755);
    const before = { profiles: profilesOf(process.pid), processes: chromiumProcessesOf(process.pid) };
    const binary = { kind: 'full', path: files.path('browser'), source: 'installed' } as const;
    await expect(launchBrowser({ binary, startTimeoutMs: 500 })).rejects.toMatchObject({
      code: 'browser_not_started',
      message: expect.stringMatching(message),
      remedy: expect.stringContaining('doctor'),
    });
    expect(profilesOf(process.pid)).toEqual(before.profiles);
    await expect.poll(() => chromiumProcessesOf(process.pid)).toEqual(before.processes);
  });

  test('when it does not exist', async () => {
    const before = profilesOf(process.pid);
    const binary = { kind: 'full', path: '/nowhere/chromium', source: 'installed' } as const;
    await expect(launchBrowser({ binary })).rejects.toMatchObject({
      code: 'browser_not_started',
      message: expect.stringContaining('/nowhere/chromium'),
    });
    expect(profilesOf(process.pid)).toEqual(before);
  });
});
