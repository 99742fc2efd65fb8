import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { App } from '../../../src/world/app.ts';
import { realAppOf } from '../../../src/world/real-app/define-real-app.ts';
import { tinyApp } from './tiny-app.ts';

async function text(app: App, url: string, init?: RequestInit): Promise<string> {
  const response = await app.fetch(new Request(url, init));
  return await response.text();
}

function leftFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('touchstone-tiny-'));
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
    const ours = new Set(['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_ENV', 'TOUCHSTONE_APP_FOLDER']);
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
