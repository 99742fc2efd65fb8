import { appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { committedBundle } from '../committed-bundle.ts';
import { machineBrowser } from '../shared-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Started, started } from './started-viewer.ts';

const WHOLE = await committedBundle('tool-servers');

/** A bundle whose ledger ends before the last `missing` episodes, as it does while they still run; `grow` writes what comes next. */
async function runningBundle(missing: number): Promise<{ root: string; grow: (records: number) => Promise<void> }> {
  const root = await temporaryFolder();
  await cp(WHOLE, root, { recursive: true });
  const ledger = join(root, 'ledger.jsonl');
  const lines = (await readFile(ledger, 'utf8')).split(/(?<=\n)/);
  const rest = lines.splice(-2 * missing);
  await writeFile(ledger, lines.join(''));
  return { root, grow: (records) => appendFile(ledger, rest.splice(0, records).join('')) };
}

interface Opened extends AsyncDisposable {
  page: Page;
  said: string[];
}

async function open({ origin }: Started): Promise<Opened> {
  const playwright = await (await machineBrowser()).playwright();
  const context = await playwright.newContext({ proxy: { server: 'http://127.0.0.1:1', bypass: '127.0.0.1' } });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(origin);
  return { page, said, [Symbol.asyncDispose]: () => context.close() };
}

async function untilCounted(page: Page, count: string): Promise<void> {
  await page.locator('#count', { hasText: count }).waitFor();
}

const TOTAL = (await readFile(join(WHOLE, 'rows.jsonl'), 'utf8')).trim().split('\n').length;

describe('the report of a campaign that is still running', () => {
  test('shows its progress and what has begun, and each episode when it ends', async () => {
    const { root, grow } = await runningBundle(2);
    await using viewer = await started(root);
    await using opened = await open(viewer);
    const { page, said } = opened;
    await untilCounted(page, `${TOTAL - 2} of ${TOTAL - 2} episodes`);
    await grow(1);
    const live = page.locator('#live');
    await live.filter({ hasText: `${TOTAL - 2} of ${TOTAL} episodes done; begun and not ended: ` }).waitFor();
    await grow(1);
    await untilCounted(page, `${TOTAL - 1} of ${TOTAL - 1} episodes`);
    await page.locator('header .warn', { hasText: `Not complete: ${TOTAL - 1} of ${TOTAL} episodes` }).waitFor();
    await grow(2);
    await untilCounted(page, `${TOTAL} of ${TOTAL} episodes`);
    await live.filter({ hasText: `${TOTAL} of ${TOTAL} episodes done; the campaign has ended` }).waitFor();
    expect(await page.locator('header .warn').count()).toBe(0);
    expect(said).toEqual([]);
  });

  test('keeps its filters, opened parts and position when it is redrawn', async () => {
    const { root, grow } = await runningBundle(1);
    await using viewer = await started(root);
    await using opened = await open(viewer);
    const { page } = opened;
    await page.locator('#filter-status').selectOption('passed');
    await page.locator('details summary').first().click();
    const folded = await page.locator('details[open]').count();
    await page.locator('#filter-text').fill('a');
    const before = await page.locator('#index').boundingBox();
    await grow(2);
    await page.locator('#live.over').waitFor();
    await page.locator('#count', { hasText: `of ${TOTAL} episodes` }).waitFor();
    expect(await page.locator('#filter-status').inputValue()).toBe('passed');
    expect(await page.locator('#filter-text').inputValue()).toBe('a');
    expect(await page.locator('#filter-text:focus').count()).toBe(1);
    expect(await page.locator('details[open]').count()).toBe(folded);
    const after = await page.locator('#index').boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? Number.NaN))).toBeLessThan(2);
  });

  test('leads to the page of an episode that has ended since', async () => {
    const { root, grow } = await runningBundle(1);
    await using viewer = await started(root);
    await using whole = await started(WHOLE);
    const last = whole.pages.at(-1) ?? '';
    expect(await viewer.get(last)).toMatchObject({ status: 404 });
    await using opened = await open(viewer);
    await grow(2);
    await opened.page.locator('#live.over').waitFor();
    expect(await viewer.get(last)).toMatchObject({ status: 200 });
  });

  test('reports that the bundle cannot be read when its ledger breaks, and keeps its content', async () => {
    const { root } = await runningBundle(1);
    await using viewer = await started(root);
    await using opened = await open(viewer);
    await appendFile(join(root, 'ledger.jsonl'), '<b>\n');
    await opened.page.locator('#live', { hasText: 'the bundle cannot be read' }).waitFor();
    await untilCounted(opened.page, `${TOTAL - 1} of ${TOTAL - 1} episodes`);
    expect(await viewer.get('/')).toMatchObject({ status: 200 });
  });

  test('gets nothing under another host name, and has at most 32 streams', async () => {
    const { root } = await runningBundle(1);
    await using viewer = await started(root);
    expect(await viewer.get('/changes', { headers: { host: 'evil.example' } })).toMatchObject({ status: 421 });
    const control = new AbortController();
    const { signal } = control;
    for (let each = 0; each < 32; each += 1) await fetch(`${viewer.origin}/changes`, { signal });
    expect(await viewer.get('/changes')).toMatchObject({ status: 404 });
    control.abort();
  });
});

describe('the report of a campaign that has ended', () => {
  test('follows nothing', async () => {
    await using viewer = await started(WHOLE);
    const { body, headers } = await viewer.get('/');
    expect(body.toString()).not.toContain('id="live"');
    expect(headers['content-security-policy']).not.toContain('connect-src');
    await using opened = await open(viewer);
    await untilCounted(opened.page, `${TOTAL} of ${TOTAL} episodes`);
    expect(opened.said).toEqual([]);
  });
});
