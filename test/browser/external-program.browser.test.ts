import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { requireBrowser } from '../../src/browser/find.ts';
import { launchBrowser } from '../../src/browser/launch.ts';
import { sharedIdentity } from '../shared-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openScene } from './scene.ts';

const NAMES = ['xdg-open', 'open', 'gio', 'gvfs-open', 'exo-open', 'kde-open5'];

/** Replaces these programs, and returns the file in which the replacements record that they were started. */
async function programs(): Promise<string> {
  const folder = await temporaryFolder();
  const started = path.join(folder, 'started');
  for (const name of NAMES) {
    await writeFile(path.join(folder, name), `#!/bin/sh\necho "$@" >> '${started}'\n`);
    await chmod(path.join(folder, name), 0o755);
  }
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  return started;
}

test('a page that opens addresses of other programs starts none of them', async () => {
  const started = await programs();
  const { spki } = await sharedIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki });
  try {
    const link = '<a id="link" href="touchstone-test:$(id)">Open</a>';
    await using scene = await openScene({ 'http://a.test/': link, 'http://a.test/next': '<h1>Next</h1>' }, browser);
    await scene.page.goto('http://a.test/');
    // A real click: browsers trust a person more than a script.
    await scene.page.click('#link');
    await scene.page.evaluate("location.href = 'mailto:user@a.test'; open('ssh://a.test/')");
    // In another page: the address of a program may end a navigation that follows at once.
    const next = await scene.page.context().newPage();
    await next.goto('http://a.test/next');
    expect(await next.innerText('h1')).toBe('Next');
  } finally {
    await browser.close();
  }
  expect(existsSync(started)).toBe(false);
});

test('a program that the browser started for one would be noticed', async () => {
  const started = await programs();
  for (const name of NAMES) execFileSync(name, ['mailto:user@a.test']);
  expect((await readFile(started, 'utf8')).split('\n')).toHaveLength(NAMES.length + 1);
});
