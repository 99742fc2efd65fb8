import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { evaluate } from '../../src/contract/evaluate.ts';
import { present } from '../../src/contract/evidence.ts';
import { Json } from '../../src/contract/json.ts';
import type { Contract } from '../../src/contract/schema.ts';
import { contractFor, GUARDS } from '../../src/dataset/miniwob/contract.ts';
import { loadApp } from '../../src/world/load-app.ts';
import { startLocalWorld } from '../../src/world/local.ts';
import { sharedBrowser, sharedIdentity } from '../shared-browser.ts';
import { evidence } from '../contract/evidence-sample.ts';
import { folderOf } from '../suite-files.ts';
import { OWN_MINIWOB } from './own-miniwob.ts';

const APP = path.resolve(import.meta.dirname, '../../apps/miniwob/app.ts');
const ORIGIN = 'http://miniwob.localhost';

/** The verdict of the contract of a page that is judged by its reward alone. */
function verdictOf(state: unknown): string {
  const now = Json.parse(state);
  const seen = { utterance: 'x', fields: {}, elements: [], lists: {}, coveredBy: null };
  const { success } = contractFor('click-shape', seen);
  const contract: Contract = { kind: 'and', children: [success, GUARDS] };
  return evaluate(contract, evidence({ app_state: present({ start: now, now }) })).verdict;
}

interface OpenPage extends AsyncDisposable {
  page: Page;
  state(): Promise<unknown>;
}

/** The page that pays 1, 0.5 or -1, as an episode with this seed serves it. */
async function opened(parameters: Record<string, number> = {}, name = 'click-shape'): Promise<OpenPage> {
  const data = path.join(await folderOf(OWN_MINIWOB), 'miniwob/html');
  const site = { origin: ORIGIN, create: await loadApp(APP), hasState: true, standIn: false, data };
  const world = await startLocalWorld({
    sites: [site],
    parameters: { page: 'click-shape', seed: 0, ...parameters },
    identity: await sharedIdentity(),
    live: false,
  });
  const context = await (await (await sharedBrowser()).playwright()).newContext({ proxy: world.proxy });
  const page = await context.newPage();
  await page.goto(`${ORIGIN}/miniwob/${name}.html`);
  return {
    page,
    state: async () => {
      const state = await world.state();
      return state.captured ? state.value : null;
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await world.close();
    },
  };
}

/** The names of the button that is asked for, and of the other. */
async function namesIn(page: Page): Promise<[wanted: string, other: string]> {
  const goal = await page.locator('#query').textContent();
  return goal === 'Press Amber.' ? ['Amber', 'Birch'] : ['Birch', 'Amber'];
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

test('the episode starts by itself, without cover, display and time limit', async () => {
  await using open = await opened();
  expect(await open.page.locator('#query').textContent()).toMatch(/^Press/);
  expect(await open.page.getByText('START').count()).toBe(0);
  expect(await open.page.locator('#reward-display').isVisible()).toBe(false);
  expect(await open.page.evaluate('core.EPISODE_MAX_TIME')).toBe(1e9);
  expect(await open.state()).toEqual({ page: 'click-shape', seed: 0, loads: 1, reward: null, refused: [] });
});

test('a seed gives one problem each time, and seeds differ', async () => {
  const goals: (string | null)[] = [];
  for (const seed of [1, 1, 2, 3, 4, 5]) {
    await using open = await opened({ seed });
    goals.push(await open.page.locator('#query').textContent());
  }
  expect(goals[0]).toBe(goals[1]);
  expect(new Set(goals)).toEqual(new Set(['Press Amber.', 'Press Birch.']));
});

test('the reward is kept with the event that caused it', async () => {
  await using open = await opened();
  const [wanted] = await namesIn(open.page);
  await press(open.page, wanted);
  expect(await open.state()).toMatchObject({
    reward: {
      raw: 1,
      paid: true,
      reason: null,
      event: { type: 'click', trusted: true, target: wanted === 'Amber' ? 'button#a' : 'button#b' },
      by_page: true,
    },
    refused: [],
  });
  expect(verdictOf(await open.state())).toBe('pass');
});

test('a part of the reward is not paid, unless the threshold is as low', async () => {
  for (const [threshold, paid] of [
    [1, false],
    [0.5, true],
  ] as const) {
    await using open = await opened({ threshold });
    const [, other] = await namesIn(open.page);
    await press(open.page, other);
    expect(await open.state()).toMatchObject({ reward: { raw: 0.5, paid } });
    expect(verdictOf(await open.state())).toBe(paid ? 'pass' : 'fail');
  }
});

test('a second reward does not replace the first', async () => {
  await using open = await opened();
  const [wanted] = await namesIn(open.page);
  await press(open.page, 'None');
  await press(open.page, wanted);
  await open.page.evaluate('core.startEpisodeReal(); core.endEpisode(1)');
  await open.page.reload();
  await press(open.page, wanted);
  expect(await open.state()).toMatchObject({
    loads: 2,
    reward: { raw: -1, reason: 'none' },
    refused: ['already recorded'],
  });
});

test.each([
  ['core.endEpisode(1)', { event: null, by_page: false }],
  [
    "document.getElementById('c').onclick = () => core.endEpisode(1); document.getElementById('c').click()",
    { event: { trusted: false }, by_page: false },
  ],
])('a reward that a script gives is known by its event and its caller: %s', async (script, reward) => {
  await using open = await opened();
  await open.page.evaluate(script);
  expect(await open.state()).toMatchObject({ reward: { raw: 1, ...reward } });
  expect(verdictOf(await open.state())).toBe('fail');
});

test('a script that gives the reward in a true click is known by its caller', async () => {
  await using open = await opened();
  await open.page.evaluate("document.addEventListener('click', () => core.endEpisode(1), true)");
  await press(open.page, 'None');
  expect(await open.state()).toMatchObject({ reward: { raw: 1, event: { trusted: true }, by_page: false } });
  expect(verdictOf(await open.state())).toBe('fail');
});

test('a forged report without the token of a load is refused, and named', async () => {
  await using open = await opened();
  const statuses = await open.page.evaluate(async () => {
    const forged = {
      method: 'POST',
      body: '{"raw":1,"event":{"type":"click","trusted":true,"target":"x"},"by_page":true}',
    };
    const without = await fetch('/reward', forged);
    const guessed = await fetch('/reward', { ...forged, headers: { 'touchstone-load': 'guess' } });
    return [without.status, guessed.status];
  });
  expect(statuses).toEqual([403, 403]);
  expect(await open.state()).toMatchObject({ reward: null, refused: ['no token', 'unknown token'] });
  const [wanted] = await namesIn(open.page);
  await press(open.page, wanted);
  expect(await open.state()).toMatchObject({ reward: { raw: 1 } });
  expect(verdictOf(await open.state())).toBe('fail');
});

test('a script finds the token nowhere: not in the document, in a second copy, in a frame or in a changed prototype', async () => {
  await using open = await opened();
  const [wanted] = await namesIn(open.page);
  const found = await open.page.evaluate(`(async () => {
    const copies = [document.documentElement.outerHTML, String(core.endEpisode)];
    for (const cache of ['default', 'force-cache']) copies.push(await (await fetch(location.href, { cache })).text());
    const frame = document.createElement('iframe');
    frame.src = location.href;
    await new Promise((resolve) => {
      frame.onload = resolve;
      document.body.append(frame);
    });
    copies.push(frame.contentDocument.documentElement.outerHTML);
    frame.remove();
    window.heard = [];
    XMLHttpRequest.prototype.setRequestHeader = (...given) => heard.push(given);
    return copies.filter((copy) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(copy));
  })()`);
  await press(open.page, wanted);
  expect(found).toEqual([]);
  expect(await open.page.evaluate('heard')).toEqual([]);
  expect(await open.state()).toMatchObject({ loads: 1, reward: { raw: 1 } });
});

test('another page of the checkout, which would pay for another task, is not served', async () => {
  await using open = await opened({}, 'click-checkboxes');
  expect(await open.page.locator('body').textContent()).toBe('not found');
});
