import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { requireBrowser } from '../../src/browser/find.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A browser as a user has it, started with a debugging port; the test drives it as the user. */
export async function usersBrowser(): Promise<{ address: string; pageAt: (url: string) => Promise<Page> }> {
  const profile = await temporaryFolder();
  const flags = ['--headless=new', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const owner = spawn(requireBrowser('full').path, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(owner, 'exit');
  onTestFinished(async () => {
    owner.kill();
    await ended;
  });
  let said = '';
  for await (const chunk of owner.stderr) {
    said += String(chunk);
    if (said.includes('DevTools listening on')) break;
  }
  const address = `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(said)?.[1]}`;
  const user = await chromium.connectOverCDP(address);
  return { address, pageAt: async (url) => await pageAt(user, url) };
}

async function pageAt(user: Browser, url: string): Promise<Page> {
  const found = user
    .contexts()
    .flatMap((context) => context.pages())
    .find((page) => page.url() === url);
  if (found === undefined) throw new Error(`nothing is open at ${url}`);
  found.on('dialog', () => {});
  return found;
}
