import { beforeAll, describe, expect, test } from 'vitest';
import { requireBrowser } from '../../src/browser/find.ts';
import { BrowserPool } from '../../src/browser/pool.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';

// The set-up of these tests keeps browsers already.
beforeAll(() => sharedBrowser());

async function poolWith(spki?: string): Promise<BrowserPool> {
  const trustedSpki = spki ?? (await sharedIdentity()).spki;
  return new BrowserPool({ binary: requireBrowser('full'), trustedSpki });
}

async function usedIn(pool: BrowserPool) {
  const lease = await pool.acquire('context');
  const untouched = await pool.untouched();
  await lease.release(true);
  await pool.close();
  return { shared: lease.browser, untouched };
}

describe('kept browsers', () => {
  test('go to the next pool, each for its kind, however many are kept', async () => {
    const two = [await poolWith(), await poolWith()];
    const leases = [];
    for (const pool of two) leases.push(await pool.acquire('context'));
    for (const lease of leases) await lease.release(true);
    for (const pool of two) await pool.close();
    const before = await usedIn(await poolWith());
    expect(before.shared.isFit()).toBe(true);
    expect(await usedIn(await poolWith())).toEqual(before);
    expect(before.untouched).not.toBe(before.shared);
  });

  test('are never in two pools at a time', async () => {
    await usedIn(await poolWith());
    const [one, other] = [await poolWith(), await poolWith()];
    const leases = [await one.acquire('context'), await other.acquire('context')];
    expect(leases[0]?.browser).not.toBe(leases[1]?.browser);
    for (const lease of leases) await lease.release(false);
  });

  test('are ended if lent while their pool closes, or unhealthy', async () => {
    const [pool, unhealthy] = [await poolWith(), await poolWith()];
    const lease = await pool.acquire('context');
    await pool.close();
    expect(lease.browser.isRunning()).toBe(false);
    const other = await unhealthy.acquire('context');
    await other.release(false);
    await unhealthy.close();
    expect(other.browser.isRunning()).toBe(false);
  });

  test('are not lent to an episode that has its own browser', async () => {
    const { shared, untouched } = await usedIn(await poolWith());
    const pool = await poolWith();
    const lease = await pool.acquire('browser');
    expect([shared, untouched]).not.toContain(lease.browser);
    await lease.release(true);
    await pool.close();
    expect(lease.browser.isRunning()).toBe(false);
  });

  test('are not shared between two keys', async () => {
    const { shared } = await usedIn(await poolWith());
    const pool = await poolWith('A'.repeat(43) + '=');
    const lease = await pool.acquire('context');
    expect(lease.browser).not.toBe(shared);
    await lease.release(false);
    await pool.close();
  });

  test('count no request that was refused before the pool had the browser', async () => {
    const first = await poolWith();
    const lease = await first.acquire('context');
    const context = await (await lease.browser.playwright()).newContext();
    await (await context.newPage()).goto('https://nobody-asked-either.test/').catch(() => {});
    await context.close();
    await lease.release(true);
    expect(first.backgroundRequests()).toHaveProperty(['nobody-asked-either.test:443']);
    await first.close();
    const next = await poolWith();
    expect((await next.acquire('context')).browser).toBe(lease.browser);
    expect(next.backgroundRequests()).not.toHaveProperty(['nobody-asked-either.test:443']);
    await next.close();
  });
});
