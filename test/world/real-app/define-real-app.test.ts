import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { App } from '../../../src/world/app.ts';
import { atServer, answersAt } from '../../../src/world/backend.ts';
import { portOf } from '../../../src/process/listening-port.ts';
import { canBubblewrap } from '../../../src/process/sandbox/bubblewrap.ts';
import { realAppOf } from '../../../src/world/real-app/define-real-app.ts';
import { asOrdinaryUser } from '../../process/ordinary-user.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { tinyApp } from './tiny-app.ts';

async function text(app: App, url: string, init?: RequestInit): Promise<string> {
  const response = await app.fetch(new Request(url, init));
  return await response.text();
}

function leftFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`touchstone-app-${process.pid}-`));
}

/** The command lines of this machine in which all of these words stand. */
function running(...words: string[]): string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(commandLine).filter((line) => words.every((word) => line.includes(word)));
}

/** Empty when there is no such process any more, or one whose end is not yet collected. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describe('a real application', () => {
  test('answers for its origin, and its state is read from its data', async () => {
    const { create } = await tinyApp();
    const app = await create({});
    expect(await text(app, 'http://tiny.localhost/here?x=1')).toBe('seeded at tiny.localhost/here?x=1');
    await text(app, 'http://tiny.localhost/', { method: 'POST', body: 'changed' });
    expect(await app.state()).toEqual({ note: 'changed' });
    await app.close?.();
  });

  test('is fresh each time', async () => {
    const { create } = await tinyApp();
    const [one, other] = await Promise.all([create({}), create({})]);
    await text(one, 'http://tiny.localhost/', { method: 'POST', body: 'changed' });
    expect(await other.state()).toEqual({ note: 'seeded' });
    await Promise.all([one.close?.(), other.close?.()]);
  });

  test('sees nothing of our environment but the path to programs', async () => {
    const { create } = await tinyApp();
    const app = await create({});
    const names: string[] = JSON.parse(await text(app, 'http://tiny.localhost/env'));
    const ours = new Set(['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_ENV', 'TOUCHSTONE_MARK', 'PWD']);
    expect(names.filter((name) => !ours.has(name))).toEqual([]);
    await app.close?.();
  });

  test('is gone when it is closed, with its folder', async () => {
    const { create, script } = await tinyApp();
    const before = leftFolders();
    const app = await create({});
    expect(running(script)).not.toEqual([]);
    await app.close?.();
    expect(running(script)).toEqual([]);
    expect(leftFolders()).toEqual(before);
  });

  test('is an error with its last words if it ends instead of starting, and leaves no folder', async () => {
    const { create } = await tinyApp({ fails: true });
    const before = leftFolders();
    await expect(create({})).rejects.toThrow('tiny 1.2.3 did not start: out of clay');
    expect(leftFolders()).toEqual(before);
  });

  test.each(['command', 'prepare'] as const)('leaves no folder if its adapter fails in %s', async (part) => {
    const { create } = await tinyApp({ throwsIn: part });
    const before = leftFolders();
    await expect(create({})).rejects.toThrow(`no ${part} today`);
    expect(leftFolders()).toEqual(before);
  });

  test('may use workers and processes of its own', async () => {
    const { create } = await tinyApp();
    const app = await create({});
    expect(await text(app, 'http://tiny.localhost/worker')).toBe('worked');
    expect(await text(app, 'http://tiny.localhost/fork')).toBe('forked');
    expect(await text(app, 'http://tiny.localhost/')).toContain('seeded');
    await app.close?.();
  });

  test('ends with all processes that it started', async () => {
    const { create, script } = await tinyApp();
    const app = await create({});
    await text(app, 'http://tiny.localhost/detach');
    await expect.poll(() => running(script, 'setInterval')).not.toEqual([]);
    await app.close?.();
    expect(running(script)).toEqual([]);
  });

  test.runIf(canBubblewrap())(
    'finds none of our files and processes if it is tricked into running any code',
    async () => {
      const { create } = await tinyApp();
      const secret = path.join(await temporaryFolder(), 'secret');
      await writeFile(secret, 'secret');
      const app = await create({});
      const read = (file: string) => text(app, `http://tiny.localhost/read${file}`);
      expect(await read(import.meta.filename)).toBe('ENOENT');
      expect(await read(secret)).toBe('ENOENT');
      expect(await read('/etc/hostname')).toBe('ENOENT');
      const seen: string[] = JSON.parse(await text(app, 'http://tiny.localhost/processes'));
      expect(seen).not.toContain(String(process.pid));
      await app.close?.();
    },
  );

  test.runIf(canBubblewrap())('gets no answer if it is tricked into asking this machine', async () => {
    const other = net.createServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { create } = await tinyApp();
    const app = await create({});
    expect(await text(app, `http://tiny.localhost/ask/http://127.0.0.1:${portOf(other)}/`)).toBe('no answer');
    await app.close?.();
    other.close();
  });

  test('takes many requests at once, also on a kept connection', async () => {
    const { create } = await tinyApp();
    const app = await create({});
    const asked = Array.from({ length: 40 }, (_, index) => text(app, `http://tiny.localhost/${index}`));
    expect(await Promise.all(asked)).toEqual(asked.map((_, index) => `seeded at tiny.localhost/${index}`));
    if (app.webSockets === undefined) throw new Error('the app has no WebSockets');
    const headers = { connection: 'Upgrade', upgrade: 'echo' };
    const request = http.request({ ...atServer(app.webSockets), headers }).end();
    const socket = await new Promise<net.Socket>((resolve) => {
      request.once('upgrade', (_reply, upgraded) => {
        resolve(upgraded);
      });
    });
    socket.write('hello');
    expect(String(await once(socket, 'data'))).toBe('hello');
    await app.close?.();
  });

  test('gets no requests after it has ended', async () => {
    const { create, script } = await tinyApp();
    const app = await create({});
    await app.close?.();
    await expect(text(app, 'http://tiny.localhost/')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
    expect(running(script)).toEqual([]);
  });

  test('is read again if its data was copied while it wrote', async () => {
    let copies = 0;
    const { create } = await tinyApp({ isHalfWritten: () => (copies += 1) === 1 });
    const app = await create({});
    expect(await app.state()).toEqual({ note: 'seeded' });
    expect(copies).toBe(2);
    await app.close?.();
  });

  test('reveals none of our files in its state if its data is a link', async () => {
    const { create } = await tinyApp();
    const secret = path.join(await temporaryFolder(), 'secret');
    await writeFile(secret, 'secret');
    const app = await create({});
    await text(app, `http://tiny.localhost/link${secret}`);
    await expect(app.state()).rejects.toThrow('ENOENT');
    await app.close?.();
  });

  test('does not block if its data is a pipe without a writer', async () => {
    const { create } = await tinyApp();
    const app = await create({});
    await text(app, 'http://tiny.localhost/pipe');
    await expect(app.state()).rejects.toThrow('ENOENT');
    await app.close?.();
  });

  test('has no state if its data is too large to copy', async () => {
    const { create } = await tinyApp();
    const app = await create({});
    await text(app, 'http://tiny.localhost/flood');
    await expect(app.state()).rejects.toThrow('its data is more than 5000 files');
    await app.close?.();
  });

  test('can be closed with read-only folders in its data, and is gone', async () => {
    await asOrdinaryUser(async () => {
      const { create } = await tinyApp();
      const before = leftFolders();
      const app = await create({});
      await text(app, 'http://tiny.localhost/lock');
      await app.close?.();
      expect(leftFolders()).toEqual(before);
    });
  });

  test('is an error with the command that installs it if it is not installed', async () => {
    const { create } = await tinyApp({ installed: false });
    await expect(create({})).rejects.toMatchObject({
      code: 'app_not_installed',
      params: { name: 'tiny', package: 'tiny', version: '1.2.3' },
    });
  });

  test('is not installed if it comes from another lockfile', async () => {
    const { folder } = await tinyApp();
    const { readPin, isInstalled } = await import('../../../src/world/real-app/cache.ts');
    expect(isInstalled(readPin(folder, 'tiny'))).toBe(true);
    await writeFile(path.join(folder, 'package-lock.json'), '{"packages":{"node_modules/tiny":{"version":"1.2.3"}}}');
    expect(isInstalled(readPin(folder, 'tiny'))).toBe(false);
    expect(existsSync(folder)).toBe(true);
  });
});

test('only defineRealApp makes a real application', async () => {
  const { create } = await tinyApp();
  expect(realAppOf(create)).toMatchObject({ package: 'tiny', version: '1.2.3', licence: 'MIT' });
  expect(realAppOf((parameters) => create(parameters))).toBeNull();
});

test('a server that accepts a connection and stays silent counts as not answering, and does not block', async () => {
  const server = net.createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(await answersAt({ port: portOf(server) }, '/', 200)).toBe(false);
  server.close();
});
