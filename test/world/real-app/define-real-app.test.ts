import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { App } from '../../../src/world/app.ts';
import { portOf } from '../../../src/process/listening-port.ts';
import { answersAt } from '../../../src/world/real-app/backend.ts';
import { realAppOf } from '../../../src/world/real-app/define-real-app.ts';
import { asOrdinaryUser } from '../../process/ordinary-user.ts';
import { tinyApp } from './tiny-app.ts';

async function text(app: App, url: string, init?: RequestInit): Promise<string> {
  const response = await app.fetch(new Request(url, init));
  return await response.text();
}

function leftFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`touchstone-app-${process.pid}-`));
}

/** Empty when there is no such process, or one that waits for somebody to take note of its end. */
function commandLine(pid: number): string {
  return existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
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
    const ours = new Set(['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_ENV', 'TOUCHSTONE_MARK']);
    expect(names.filter((name) => !ours.has(name))).toEqual([]);
    await app.close?.();
  });

  test('is gone when it is closed, with its folder', async () => {
    const { create } = await tinyApp();
    const before = leftFolders();
    const app = await create({});
    const pid = Number(await text(app, 'http://tiny.localhost/pid'));
    expect(process.kill(pid, 0)).toBe(true);
    await app.close?.();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(leftFolders()).toEqual(before);
  });

  test('that ends instead of starting is an error with its last words, and leaves no folder', async () => {
    const { create } = await tinyApp({ fails: true });
    const before = leftFolders();
    await expect(create({})).rejects.toThrow('tiny 1.2.3 did not start: out of clay');
    expect(leftFolders()).toEqual(before);
  });

  test.each(['command', 'prepare'] as const)('whose adapter fails in %s leaves no folder', async (part) => {
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

  test('ends with what it has started, wherever that has gone', async () => {
    const { create } = await tinyApp();
    const app = await create({});
    const pid = Number(await text(app, 'http://tiny.localhost/detach'));
    expect(commandLine(pid)).toContain('setInterval');
    await app.close?.();
    expect(commandLine(pid)).toBe('');
  });

  test('whose data has folders that are read-only can be closed, and is gone', async () => {
    await asOrdinaryUser(async () => {
      const { create } = await tinyApp();
      const before = leftFolders();
      const app = await create({});
      await text(app, 'http://tiny.localhost/lock');
      await app.close?.();
      expect(leftFolders()).toEqual(before);
    });
  });

  test('that is not installed is an error with the command that installs it', async () => {
    const { create } = await tinyApp({ installed: false });
    await expect(create({})).rejects.toMatchObject({
      code: 'app_not_installed',
      message: 'tiny 1.2.3 is not installed',
      remedy: 'install it with "touchstone apps install tiny"',
    });
  });

  test('that was installed from another lockfile is not installed', async () => {
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

test('a server that accepts a connection and stays silent does not answer, and keeps nobody waiting', async () => {
  const server = net.createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(await answersAt(portOf(server), '/', 200)).toBe(false);
  server.close();
});
