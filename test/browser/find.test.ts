import { chmod } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { findBrowser, requireBrowser } from '../../src/browser/find.ts';
import { tempFiles, type TempFiles } from '../task/temp-files.ts';

/** A folder with files of which those named `*!` can be run (their names are without the mark). */
async function machine(...names: string[]): Promise<TempFiles> {
  const files = await tempFiles(Object.fromEntries(['a-file', ...names].map((name) => [name.replace('!', ''), ''])));
  for (const name of names) if (name.endsWith('!')) await chmod(files.path(name.replace('!', '')), 0o755);
  return files;
}

describe('TOUCHSTONE_BROWSER', () => {
  test('comes before an installed browser and the cache', async () => {
    await using files = await machine('mine!', 'installed!', 'chromium-1/chrome-linux64/chrome!');
    const env = { TOUCHSTONE_BROWSER: files.path('mine'), PLAYWRIGHT_BROWSERS_PATH: files.folder };
    expect(findBrowser('full', { env, installed: [files.path('installed')] })).toEqual({
      kind: 'full',
      path: files.path('mine'),
      source: 'TOUCHSTONE_BROWSER',
    });
  });

  test('is a headless shell by its name', async () => {
    await using files = await machine('chromium-headless-shell!');
    const env = { TOUCHSTONE_BROWSER: files.path('chromium-headless-shell') };
    expect(findBrowser('full', { env })).toMatchObject({ kind: 'shell' });
  });

  test('is a headless shell by the name of the file, not of a folder', async () => {
    await using files = await machine('headless-shells/chrome!');
    const env = { TOUCHSTONE_BROWSER: files.path('headless-shells/chrome') };
    expect(findBrowser('full', { env })).toMatchObject({ kind: 'full' });
  });

  test.each(['missing', 'a-file', '.'])('is an error when it names what cannot be run (%s)', async (name) => {
    await using files = await machine('installed!');
    const named = files.path(name);
    const options = { env: { TOUCHSTONE_BROWSER: named }, installed: [files.path('installed')] };
    expect(() => findBrowser('full', options)).toThrow(
      expect.objectContaining({
        code: 'browser_not_a_program',
        params: { path: named },
      }),
    );
  });

  test('is not set when it is empty', async () => {
    await using files = await machine('installed!');
    const options = { env: { TOUCHSTONE_BROWSER: '' }, installed: [files.path('installed')] };
    expect(findBrowser('full', options)).toMatchObject({ source: 'installed' });
  });
});

test('an installed browser comes before the cache', async () => {
  await using files = await machine('installed!', 'chromium-1/chrome-linux64/chrome!');
  const env = { PLAYWRIGHT_BROWSERS_PATH: files.folder };
  expect(findBrowser('full', { env, installed: [files.path('missing'), files.path('installed')] })).toEqual({
    kind: 'full',
    path: files.path('installed'),
    source: 'installed',
  });
});

describe("Playwright's cache", () => {
  test('gives its newest build, by number', async () => {
    await using files = await machine(
      'chromium-999/chrome-linux64/chrome!',
      'chromium-1255/chrome-linux64/chrome!',
      'chromium-1000/chrome-linux64/chrome!',
    );
    const found = findBrowser('full', { env: { PLAYWRIGHT_BROWSERS_PATH: files.folder }, installed: [] });
    expect(found).toEqual({
      kind: 'full',
      path: files.path('chromium-1255/chrome-linux64/chrome'),
      source: 'playwright cache',
    });
  });

  test('passes over a build whose download was not finished', async () => {
    await using files = await machine('chromium-1/chrome-linux/chrome!', 'chromium-2/chrome-linux64/chrome');
    const found = findBrowser('full', { env: { PLAYWRIGHT_BROWSERS_PATH: files.folder }, installed: [] });
    expect(found?.path).toBe(files.path('chromium-1/chrome-linux/chrome'));
  });

  test('keeps the headless shell apart from the full browser', async () => {
    await using files = await machine(
      'chromium-1/chrome-linux64/chrome!',
      'chromium_headless_shell-1/chrome-headless-shell-linux64/chrome-headless-shell!',
    );
    const options = { env: { PLAYWRIGHT_BROWSERS_PATH: files.folder }, installed: [] };
    expect(findBrowser('full', options)?.path).toBe(files.path('chromium-1/chrome-linux64/chrome'));
    expect(findBrowser('shell', options)).toMatchObject({
      kind: 'shell',
      path: files.path('chromium_headless_shell-1/chrome-headless-shell-linux64/chrome-headless-shell'),
    });
  });

  test.runIf(process.platform === 'linux')('lies below XDG_CACHE_HOME when that is set', async () => {
    await using files = await machine('ms-playwright/chromium-7/chrome-linux64/chrome!');
    const found = findBrowser('full', { env: { XDG_CACHE_HOME: files.folder }, installed: [] });
    expect(found?.path).toBe(files.path('ms-playwright/chromium-7/chrome-linux64/chrome'));
  });

  test('has other folders, which are no browsers', async () => {
    await using files = await machine('firefox-1/firefox/firefox!', 'chromium-tip/chrome-linux64/chrome!');
    expect(findBrowser('full', { env: { PLAYWRIGHT_BROWSERS_PATH: files.folder }, installed: [] })).toBeNull();
  });
});

describe('without a browser', () => {
  test.each([
    ['full', '"touchstone doctor --install"'],
    ['shell', '"touchstone doctor --install --browser shell"'],
  ] as const)('there is one error with all remedies (%s)', async (kind, install) => {
    await using files = await machine();
    const options = { env: { PLAYWRIGHT_BROWSERS_PATH: files.path('no-cache') }, installed: [] };
    expect(findBrowser(kind, options)).toBeNull();
    expect(() => requireBrowser(kind, options)).toThrow(
      expect.objectContaining({
        code: 'browser_missing',
        params: { kind },
        remedy: expect.stringMatching(`^run ${install}.*install Chromium yourself.*TOUCHSTONE_BROWSER`),
      }),
    );
  });

  test('and none with one', async () => {
    await using files = await machine('installed!');
    expect(requireBrowser('full', { env: {}, installed: [files.path('installed')] })).toMatchObject({ kind: 'full' });
  });
});
