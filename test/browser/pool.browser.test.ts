import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { requireBrowser } from '../../src/browser/find.ts';
import type { JudgedBrowser } from '../../src/browser/judged-browser.ts';
import { BrowserPool } from '../../src/browser/pool.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';
import { openScene } from './scene.ts';
import { killFromOutside, profilesOf } from './traces.ts';

// Launched before anything is counted.
beforeAll(() => sharedBrowser());

const opened: BrowserPool[] = [];
afterEach(() => Promise.all(opened.splice(0).map((pool) => pool.close())));

async function newPool(path = requireBrowser('full').path): Promise<BrowserPool> {
  const { spki } = await sharedIdentity();
  const pool = new BrowserPool({ binary: { kind: 'full', path, source: 'installed' }, trustedSpki: spki });
  opened.push(pool);
  return pool;
}

async function markProfile(browser: JudgedBrowser): Promise<boolean> {
  const [context] = (await browser.playwright()).contexts();
  if (context === undefined) throw new Error('there is no default context');
  await using scene = await openScene({}, browser);
  const wasMarked = (await context.cookies('http://a.test/')).length > 0;
  await context.addCookies([{ name: 'mark', value: '1', url: 'http://a.test/' }]);
  expect(await context.cookies('http://a.test/')).toHaveLength(1);
  expect(await scene.context.cookies('http://a.test/')).toHaveLength(0);
  return wasMarked;
}

describe('isolation by context', () => {
  test('lends the same browser again', async () => {
    const pool = await newPool();
    const first = await pool.acquire('context');
    await first.release(true);
    const second = await pool.acquire('context');
    expect(second.browser).toBe(first.browser);
  });

  test('shows nothing of one context in the next', async () => {
    const pool = await newPool();
    const { browser } = await pool.acquire('context');
    const page = { 'http://a.test/': '<h1>A</h1>' };
    const stored = 'document.cookie + " " + localStorage.mark';
    {
      await using scene = await openScene(page, browser);
      await scene.page.goto('http://a.test/');
      await scene.page.evaluate('document.cookie = "mark=1"; localStorage.mark = 1');
      expect(await scene.page.evaluate(stored)).toBe('mark=1 1');
    }
    await using scene = await openScene(page, browser);
    await scene.page.goto('http://a.test/');
    expect(await scene.page.evaluate(stored)).toBe(' undefined');
  });

  test('ends an unhealthy browser, and lends another', async () => {
    const pool = await newPool();
    const first = await pool.acquire('context');
    await first.release(false);
    expect(first.browser.isRunning()).toBe(false);
    const second = await pool.acquire('context');
    expect(second.browser.isRunning()).toBe(true);
  });

  test('lends another browser when one was killed from outside, even if it is reported healthy', async () => {
    const pool = await newPool();
    const first = await pool.acquire('context');
    await killFromOutside(first.browser);
    await first.release(true);
    const second = await pool.acquire('context');
    expect(second.browser.isRunning()).toBe(true);
    await second.release(true);
    await killFromOutside(second.browser);
    const third = await pool.acquire('context');
    expect(third.browser.isRunning()).toBe(true);
  });

  test('lends another browser when one was cut off, even if it is reported healthy', async () => {
    const pool = await newPool();
    const first = await pool.acquire('context');
    await (await first.browser.playwright()).close();
    await first.release(true);
    const second = await pool.acquire('context');
    expect(second.browser.isFit()).toBe(true);
  });

  test('does not lose a new browser when an old one is returned unhealthy twice', async () => {
    const pool = await newPool();
    const [one, two] = [await pool.acquire('context'), await pool.acquire('context')];
    await one.release(false);
    const next = await pool.acquire('context');
    await two.release(false);
    expect(next.browser.isRunning()).toBe(true);
    const again = await pool.acquire('context');
    expect(again.browser).toBe(next.browser);
  });
});

describe('isolation by browser', () => {
  test('gives each a fresh profile', async () => {
    const pool = await newPool();
    const first = await pool.acquire('browser');
    expect(await markProfile(first.browser)).toBe(false);
    await first.release(true);
    const second = await pool.acquire('browser');
    expect(second.browser).not.toBe(first.browser);
    expect(await markProfile(second.browser)).toBe(false);
    expect(await markProfile(second.browser)).toBe(true);
    expect(first.browser.isRunning()).toBe(false);
  });

  test('never lends one that was lent for a context, nor one lent alone for a context', async () => {
    const pool = await newPool();
    const context = await pool.acquire('context');
    await context.release(true);
    const alone = await pool.acquire('browser');
    expect(alone.browser).not.toBe(context.browser);
    await alone.release(true);
    const again = await pool.acquire('context');
    expect(again.browser).toBe(context.browser);
  });

  test('has its spare up in the gap between two episodes, never during one', async () => {
    const pool = await newPool();
    const lease = await pool.acquire('browser');
    const before = new Set(profilesOf(process.pid));
    await lease.release(true);
    const spare = profilesOf(process.pid).find((profile) => !before.has(profile)) ?? '';
    // Chromium has written this by the time that it answers.
    expect(existsSync(join(tmpdir(), spare, 'Local State'))).toBe(true);
  });

  test('never lends one browser to two', async () => {
    const pool = await newPool();
    const [one, other] = await Promise.all([pool.acquire('browser'), pool.acquire('browser')]);
    expect(one.browser).not.toBe(other.browser);
  });
});

describe('the browser of the judge', () => {
  test('is never lent, stays, and is replaced once it has ended', async () => {
    const pool = await newPool();
    const lent = [await pool.acquire('context'), await pool.acquire('browser')].map(({ browser }) => browser);
    const own = await pool.untouched();
    if (own === null) throw new Error('there is none');
    expect(lent).not.toContain(own);
    expect(await pool.untouched()).toBe(own);
    await killFromOutside(own);
    expect((await pool.untouched())?.isFit()).toBe(true);
  });

  test('is missing if browsers are somebody else’s', async () => {
    expect(await new BrowserPool({ endpoint: 'http://127.0.0.1:9' }).untouched()).toBeNull();
  });
});

test('a pool counts the own requests of all its browsers, ended ones too', async () => {
  const pool = await newPool();
  for (const isolation of ['browser', 'browser', 'context'] as const) {
    const lease = await pool.acquire(isolation);
    const context = await (await lease.browser.playwright()).newContext();
    await (await context.newPage()).goto('https://nobody-asked.test/').catch(() => {});
    await lease.release(true);
  }
  expect(pool.backgroundRequests()).toMatchObject({ 'nobody-asked.test:443': 3 });
});

describe('a pool that is closed', () => {
  test('has ended every browser: lent, warm and spare ones', async () => {
    const before = profilesOf(process.pid);
    const pool = await newPool();
    const lent = await pool.acquire('browser');
    const returned = await pool.acquire('browser');
    // Its spare may be being launched while the pool closes.
    const released = returned.release(true);
    await pool.close();
    await released;
    expect(lent.browser.isRunning()).toBe(false);
    expect(profilesOf(process.pid)).toEqual(before);
  });

  test('lends nothing and launches no spare any more', async () => {
    const before = profilesOf(process.pid);
    const pool = await newPool();
    const lent = await pool.acquire('browser');
    await pool.close();
    await lent.release(true);
    await expect(pool.acquire('context')).rejects.toThrow('closed');
    expect(profilesOf(process.pid)).toEqual(before);
  });
});

test('a browser that cannot be launched is an error, and the next try launches again', async () => {
  const pool = await newPool('/nowhere/chromium');
  await expect(pool.acquire('context')).rejects.toMatchObject({ code: 'browser_not_started' });
  await expect(pool.acquire('context')).rejects.toMatchObject({ code: 'browser_not_started' });
  await pool.close();
});
