import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { faultsOf } from '../axe.ts';
import { machineBrowser } from '../shared-browser.ts';
import { BLOB_NAMES, bundleOf, type Started, started } from './started-viewer.ts';
import { committedBundle } from '../committed-bundle.ts';
import { CALL as CLICK, RESULT as REPLY } from '../episode/sample-events.ts';

const TOOL_SERVERS = await committedBundle('tool-servers');

interface Opened extends AsyncDisposable {
  page: Page;
  requests: string[];
  said: string[];
}

interface Looks {
  colorScheme?: 'light' | 'dark';
  width?: number;
}

async function open(
  { origin }: Started,
  at: string,
  { colorScheme = 'light', width = 1_200 }: Looks = {},
): Promise<Opened> {
  const playwright = await (await machineBrowser()).playwright();
  const proxy = { server: 'http://127.0.0.1:1', bypass: '127.0.0.1' };
  const context = await playwright.newContext({ colorScheme, viewport: { width, height: 900 }, proxy });
  const page = await context.newPage();
  const [requests, said]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(`${origin}${at}`);
  return { page, requests, said, [Symbol.asyncDispose]: () => context.close() };
}

const LONG = Array.from({ length: 90 }, (_, at) => `line ${at}`).join('\n');
const HOSTILE = `</script><script>document.title='taken'</script><img src=x onerror="document.title='taken'">" onfocus="alert(1) \u001b[31m\u202e`;

const JUDGEMENT = {
  verdict: 'fail',
  path: '',
  kind: 'dom_text',
  expected: HOSTILE,
  observed: { preview: HOSTILE, length: 900 },
  why: HOSTILE,
  children: [],
};

const BROKEN = {
  status: 'infra_error',
  stop: 'infra_error',
  declared_done: false,
  detail: 'the browser ended',
} as const;

const CALL = { ...CLICK, tool: HOSTILE, args: { [HOSTILE]: HOSTILE } };
const RESULT = {
  ...REPLY,
  tool: HOSTILE,
  ok: false,
  text: LONG,
  image_blob: BLOB_NAMES.picture_1,
  bytes: 700,
  tool_ms: 12,
  url: `javascript:${HOSTILE}`,
  target: {
    shown: false,
    shown_before: false,
    matched_then: 0,
    matched_now: 0,
    actionable: null,
    dispatched: false,
    invented: [],
  },
};

const EVENTS = [
  { type: 'reset', task: HOSTILE, start_url: HOSTILE, surface: HOSTILE, agent: HOSTILE },
  CALL,
  RESULT,
  { type: HOSTILE, [HOSTILE]: HOSTILE },
  {
    type: 'contract_evaluation',
    moment: 'end',
    contract: 'success',
    judgement: JUDGEMENT,
  },
  { type: 'stop', stop: 'done', detail: HOSTILE, answer: null },
];

describe('the page of an episode in a browser', () => {
  test('shows the goal, the expected and observed values, and the aim of each call', async () => {
    const faults = [{ id: 'late', kind: 'slow_first_byte' as const, armed: true, fired: true, cleared: true }];
    await using viewer = await started((await bundleOf(EVENTS, { faults, recovered: false })).layout.root);
    await using opened = await open(viewer, viewer.pages[0] ?? '');
    const { page } = opened;
    expect(await page.locator('.goal').innerText()).toBe('Send it,\nand <b>only</b> it');
    expect(await page.getByRole('region', { name: 'Contract' }).innerText()).toMatch(
      /fail dom_text success\s+expected/,
    );
    const step = page.locator('#step-1');
    expect(await step.innerText()).toContain('target: phantom');
    expect(await step.innerText()).toContain('error');
    expect(await page.getByRole('region', { name: 'Faults' }).innerText()).toMatch(
      /slow_first_byte\s+yes\s+yes\s+yes\s+The entrant did not recover/,
    );
    expect(await page.locator('.moment').filter({ hasText: 'this version does not know' }).count()).toBe(1);
  });

  test('shows texts of pages, agents and strangers as text, and never as markup', async () => {
    await using viewer = await started((await bundleOf(EVENTS, { detail: HOSTILE, final_url: HOSTILE })).layout.root);
    await using opened = await open(viewer, viewer.pages[0] ?? '');
    const { page, said } = opened;
    expect(await page.locator('#step-1').innerText()).toContain(`javascript:</script><script>document.title='taken'`);
    expect(await page.title()).toMatch(/· Touchstone$/);
    expect(await page.locator('[onfocus], [onerror], script').count()).toBe(1);
    expect(await page.locator('a:not([href^="/"]):not([href^="#"])').count()).toBe(0);
    const text = await page.content();
    for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character);
    expect(said).toEqual([]);
  });

  test('fetches a long reply when it is opened, by keys too, and not before', async () => {
    await using viewer = await started((await bundleOf(EVENTS)).layout.root);
    await using opened = await open(viewer, viewer.pages[0] ?? '');
    const { page, requests } = opened;
    const whole = `${viewer.pages[0]}/events/3`;
    const reply = page.getByRole('region', { name: 'Reply of step 1' });
    expect(await page.locator('#step-1').innerText()).not.toContain('line 89');
    expect(requests).not.toContain(whole);
    await page.locator('#step-1 summary', { hasText: 'Show all of it' }).press('Enter');
    await expect.poll(() => reply.textContent()).toBe(LONG);
    expect(requests).toContain(whole);
  });

  test('reports it when the program that would have to answer has ended', async () => {
    const viewer = await started((await bundleOf(EVENTS)).layout.root);
    await using opened = await open(viewer, viewer.pages[0] ?? '');
    await viewer[Symbol.asyncDispose]();
    await opened.page.locator('#step-1 summary', { hasText: 'Show all of it' }).click();
    const reply = opened.page.getByRole('region', { name: 'Reply of step 1' });
    await expect.poll(() => reply.textContent()).toContain('Has the program ended');
  });

  test('shows pictures, and defers those out of sight', async () => {
    await using viewer = await started((await bundleOf(EVENTS)).layout.root);
    await using opened = await open(viewer, viewer.pages[0] ?? '');
    const picture = opened.page.locator('#step-1 img');
    expect(await picture.getAttribute('loading')).toBe('lazy');
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).toBe(3);
  });

  test('shows one step of the film at a time, by arrow keys too, and names it in the address', async () => {
    const step = (number: number) => [
      { ...CALL, step: number, tool: 'click' },
      { ...RESULT, step: number, text: 'ok', ok: true },
    ];
    const taken = {
      type: 'picture',
      step: 2,
      blob: BLOB_NAMES.picture_1,
      width: 1280,
      height: 720,
      press: { x: 640, y: 90 },
    };
    const artifacts = { ...BLOB_NAMES, screenshot_start: BLOB_NAMES.picture_1 };
    await using viewer = await started(
      (await bundleOf([...step(1), ...step(2), taken, ...step(3)], { artifacts })).layout.root,
    );
    await using opened = await open(viewer, `${viewer.pages[0]}#step-1`);
    const { page } = opened;
    const shown = () => page.locator('.scene:visible').evaluateAll((all) => all.map(({ id }) => id));
    expect(await shown()).toEqual(['step-1']);
    await page.keyboard.press('ArrowRight');
    expect([await shown(), new URL(page.url()).hash]).toEqual([['step-2'], '#step-2']);
    expect(await page.locator('#step-2 .mark circle').getAttribute('cx')).toBe('640');
    expect(await page.locator('#step-3 .mark').count()).toBe(0);
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    expect(await shown()).toEqual(['step-end']);
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('[aria-current="step"]').innerText()).toMatch(/^3\s+click/);
    const start = page.getByRole('link', { name: 'Start', exact: true });
    await start.press('Enter');
    await expect.poll(shown).toEqual(['step-start']);
    // In the list, up and down start from the focus; elsewhere they scroll.
    await page.keyboard.press('ArrowDown');
    expect([await shown(), new URL(page.url()).hash]).toEqual([['step-1'], '#step-1']);
    expect(await page.locator(':focus').getAttribute('href')).toBe('#step-1');
    await page.keyboard.press('ArrowUp');
    expect(await shown()).toEqual(['step-start']);
    await start.evaluate((link) => link.blur());
    await page.keyboard.press('ArrowDown');
    expect(await shown()).toEqual(['step-start']);
    await page.emulateMedia({ media: 'print' });
    expect(await shown()).toHaveLength(5);
  });

  test('begins at the end if no step was seen, and names the source of the steps', async () => {
    const said = { steps: 3, tool_errors: 0, model_calls: 0, model: null, cost_usd: null };
    const tokens = { tokens_in: null, tokens_out: null, tokens_cached: null };
    const judged = { type: 'contract_evaluation', moment: 'end', contract: 'success' };
    const judgement = { ...JUDGEMENT, kind: 'and', children: [{ ...JUDGEMENT, path: 'children.0' }] };
    const events = [{ ...judged, judgement }];
    const row = { self_reported: { ...said, ...tokens }, world_kind: 'fixture_app' } as const;
    await using viewer = await started((await bundleOf(events, row)).layout.root);
    await using opened = await open(viewer, viewer.pages[0] ?? '');
    const { page } = opened;
    expect(await page.locator('.scene:visible').evaluateAll((all) => all.map(({ id }) => id))).toEqual(['step-end']);
    expect(await page.locator('.film > .quiet').innerText()).toContain('3 steps reported by the agent, none measured');
    expect(await page.locator('.film').innerText()).not.toContain('No tool was called');
    expect(await page.locator('header .chips').innerText()).toContain('world: fixture app');
    expect(await page.getByRole('region', { name: 'Contract' }).innerText()).toContain('success.children[0]');
    await using none = await started((await bundleOf([])).layout.root);
    await using other = await open(none, none.pages[0] ?? '');
    expect(await other.page.locator('.film > .quiet').innerText()).toContain('No tool was called');
  });

  test('shows the messages of a model as a chat, and quotes no clause after the infrastructure has failed', async () => {
    const turn = {
      type: 'turn',
      turn: 1,
      request: '{"messages":[{"role":"user","content":"Look"}]}',
      request_blob: null,
    };
    await using viewer = await started((await bundleOf([turn], BROKEN)).layout.root);
    await using opened = await open(viewer, viewer.pages[0] ?? '');
    const { page } = opened;
    expect(await page.getByRole('region', { name: 'Conversation with the model' }).innerText()).toContain(
      'no reply was recorded',
    );
    expect(await page.locator('header .because').innerText()).toContain('the browser ended');
    expect(await page.locator('header .compared').count()).toBe(0);
  });

  test('shows failed clauses open and first, and folds those that passed', async () => {
    const children = [
      { ...JUDGEMENT, verdict: 'pass', path: 'children.0', kind: 'url', expected: 'the inbox' },
      { ...JUDGEMENT, path: 'children.1', expected: 'a message' },
    ];
    const judgement = { ...JUDGEMENT, kind: 'and', children };
    const judged = { type: 'contract_evaluation', moment: 'end', contract: 'success', judgement };
    await using viewer = await started((await bundleOf([judged])).layout.root);
    await using opened = await open(viewer, viewer.pages[0] ?? '');
    const { page } = opened;
    const contract = page.getByRole('region', { name: 'Contract' });
    expect(await contract.locator('.clauses .clauses .clause strong').allInnerTexts()).toEqual(['dom_text', 'url']);
    expect(await contract.getByText('a message').isVisible()).toBe(true);
    expect(await contract.getByText('the inbox').isVisible()).toBe(false);
    await contract.locator('summary', { hasText: 'url' }).press('Enter');
    expect(await contract.getByText('the inbox').isVisible()).toBe(true);
  });

  test('is reached from the index by keys, and left the same way', async () => {
    await using viewer = await started(TOOL_SERVERS);
    await using opened = await open(viewer, '/');
    const { page, said } = opened;
    await page.getByLabel('Status', { exact: true }).selectOption('agent_error');
    await page.locator('#index').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/episodes\//);
    expect(await page.locator('h1').innerText()).toContain('iframe-vote #1 by reference through stagehand');
    await page.getByRole('link', { name: 'All episodes' }).press('Enter');
    await page.waitForURL(/#episodes$/);
    expect(said).toEqual([]);
  });

  test('prints its texts whole and without parts for the screen only', async () => {
    await using viewer = await started((await bundleOf(EVENTS)).layout.root);
    await using opened = await open(viewer, viewer.pages[0] ?? '');
    await opened.page.locator('#step-1 summary', { hasText: 'Show all of it' }).click();
    const reply = opened.page.getByRole('region', { name: 'Reply of step 1' });
    await expect.poll(() => reply.textContent()).toBe(LONG);
    await opened.page.emulateMedia({ media: 'print' });
    expect(await reply.evaluate((text) => text.scrollHeight - text.clientHeight)).toBe(0);
    expect(await opened.page.locator('nav').isVisible()).toBe(false);
  });

  test.each([
    ['light', 1_200],
    ['dark', 390],
  ] as const)('the list of two runs fits its window, and axe finds no fault: %s, %i px', async (colorScheme, width) => {
    await using viewer = await started(TOOL_SERVERS, 0, TOOL_SERVERS);
    await using opened = await open(viewer, '/', { colorScheme, width });
    const { page } = opened;
    expect(await faultsOf(page)).toEqual([]);
    const list = page.locator('.wide');
    expect(await list.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.getByRole('link', { name: 'step by step' }).first().press('Enter');
    await page.waitForURL(/\/compare\//);
    expect(await faultsOf(page)).toEqual([]);
  });

  test.each([1_200, 390])('is as readable next to another, at %i px', async (width) => {
    await using viewer = await started(TOOL_SERVERS);
    await using opened = await open(viewer, viewer.pages[0] ?? '', { width });
    const { page } = opened;
    await page.locator('summary', { hasText: 'side by side' }).press('Enter');
    await page.locator('.comparisons a').first().press('Enter');
    await page.waitForURL(/\/compare\//);
    expect(await page.getByRole('columnheader').count()).toBe(3);
    expect(await page.getByRole('rowheader').filter({ hasText: 'differs' }).count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });

  test.each([
    ['light', 1_200],
    ['light', 390],
    ['dark', 1_200],
    ['dark', 390],
  ] as const)(
    'has nothing that axe finds fault with, and is no wider than its window: %s, %i px',
    async (colorScheme, width) => {
      await using viewer = await started(TOOL_SERVERS);
      for (const bundle of [viewer, await started((await bundleOf(EVENTS)).layout.root)]) {
        await using opened = await open(bundle, bundle.pages[0] ?? '', { colorScheme, width });
        const { page } = opened;
        await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
        expect(await faultsOf(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        await bundle[Symbol.asyncDispose]();
      }
    },
  );
});
