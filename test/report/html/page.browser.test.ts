import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { finishRow } from '../../../src/bundle/row.ts';
import { reportPage } from '../../../src/report/html/page.ts';
import { faultsOf } from '../../axe.ts';
import { SAMPLE } from '../../bundle/sample-row.ts';
import { sharedBrowser } from '../../shared-browser.ts';
import { drawnReport } from '../drawn-report.ts';
import { wideReport } from './wide-report.ts';

const ADDRESS = 'http://report.test/report.html';

interface Opened extends AsyncDisposable {
  page: Page;
  /** Every address that the page asked for, itself included. */
  requests: string[];
  /** Its console messages and exceptions. */
  said: string[];
}

interface Looks {
  colorScheme?: 'light' | 'dark';
  width?: number;
}

async function open(text: string, { colorScheme = 'light', width = 1_200 }: Looks = {}): Promise<Opened> {
  const playwright = await (await sharedBrowser()).playwright();
  const context = await playwright.newContext({ colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  const [requests, said]: [string[], string[]] = [[], []];
  await context.route('**', async (route) => {
    requests.push(route.request().url());
    await route.fulfill({ contentType: 'text/html; charset=utf-8', body: text });
  });
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(ADDRESS);
  return { page, requests, said, [Symbol.asyncDispose]: () => context.close() };
}

/** Whether there is a row, and no gap, in the middle of the index. */
const ROW_IN_THE_MIDDLE = `(() => {
  const frame = document.getElementById('index').getBoundingClientRect();
  const middle = frame.top + frame.height / 2;
  return [...document.querySelectorAll('#rows tr[aria-rowindex]')].some((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top <= middle && middle <= bottom;
  });
})()`;

/** Options in remedies and commands that stand on more than one line. */
const BROKEN_OPTIONS = `[...document.querySelectorAll('.remedy, .command')].flatMap((each) => {
  const words = [...each.querySelectorAll('span')].filter((word) => word.textContent.startsWith('--'));
  return words.filter((word) => word.getClientRects().length > 1).map((word) => word.textContent);
})`;

/** Lists overlapping or nearly overlapping text in the chart of successes and the plots. */
const TEXT_OVER_TEXT = `(() => {
  const boxOf = (each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return { text: each.textContent, ...range.getBoundingClientRect().toJSON() };
  };
  const over = (a, b) =>
    Math.min(a.right, b.right) + 3 > Math.max(a.left, b.left) && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);
  const groups = [...document.querySelectorAll('.forest tr, .plots svg')].map((each) =>
    [...each.querySelectorAll('text, td.figure')].map(boxOf).filter(({ width }) => width > 0),
  );
  return groups.flatMap((boxes) =>
    boxes.flatMap((box, at) =>
      boxes.slice(at + 1).flatMap((other) => (over(box, other) ? [box.text + ' / ' + other.text] : [])),
    ),
  );
})()`;

const firstLetterOf = (text: Locator) =>
  text.evaluate((each) => each.ownerDocument.defaultView?.getComputedStyle(each, '::first-letter').textTransform);

const rowsIn = (page: Page) => page.locator('#rows tr:not([aria-hidden])');
const REPORT = wideReport(10);
const WIDE = reportPage(REPORT);
const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, failure_category: 'none' } as const;
/** Its figures are as wide as they can be. */
const ALL_PASSED = reportPage(
  drawnReport(
    10,
    Array.from({ length: 10 }, (_, at) =>
      finishRow({ ...SAMPLE, ...PASSED, task: `task-${at}`, plan_index: at, episode_id: `${at}`.repeat(32) }),
    ),
    [{ agent: SAMPLE.agent, surface: SAMPLE.surface }],
  ),
);

describe('the page of a report in a browser', () => {
  test('requests nothing but itself, and its policy refuses nothing of its own', async () => {
    await using opened = await open(WIDE);
    expect(opened.requests.filter((address) => !address.endsWith('/favicon.ico'))).toEqual([ADDRESS]);
    expect(opened.said).toEqual([]);
  });

  test('does not run an injected script', async () => {
    const forged = WIDE.replace(
      '</body>',
      '<script>document.title = "taken"</script><img src=x onerror="document.title=1"></body>',
    );
    await using opened = await open(forged);
    expect(await opened.page.title()).toBe(
      'protocols: sonnet, haiku and mini through nac3, app-mcp and dom · Touchstone',
    );
    expect(opened.said.join('\n')).toContain('Content Security Policy');
  });

  test.each([
    ['light', 1_200],
    ['light', 390],
    ['dark', 1_200],
    ['dark', 390],
    ['light', 1_920],
  ] as const)(
    'has nothing that axe finds fault with, and is no wider than its window: %s, %i px',
    async (colorScheme, width) => {
      await using opened = await open(WIDE, { colorScheme, width });
      await opened.page.locator('#rows button').first().click();
      for (const dialog of [true, false]) {
        if (!dialog) await opened.page.keyboard.press('Escape');
        expect(await faultsOf(opened.page)).toEqual([]);
      }
      expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
  );

  test.each([390, 640, 768, 1_280])(
    'has no overlapping text in its charts and the figures beside them, at %i px',
    async (width) => {
      for (const page of [WIDE, ALL_PASSED]) {
        await using opened = await open(page, { width });
        expect(await opened.page.evaluate(TEXT_OVER_TEXT)).toEqual([]);
      }
    },
  );

  test.each(['.forest', '.plots'])('overlapping text in %s is found', async (charts) => {
    await using opened = await open(WIDE);
    await opened.page.evaluate(`for (const text of document.querySelectorAll('${charts} svg text')) {
      text.setAttribute('x', '10');
      text.setAttribute('y', '14');
    }`);
    expect(await opened.page.evaluate(TEXT_OVER_TEXT)).not.toEqual([]);
  });

  test('no option in a remedy or a command is broken at the end of a line', async () => {
    const broken = async (page: string) => {
      await using opened = await open(page, { width: 390 });
      await opened.page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
      const found: unknown[] = [];
      for (let width = 320; width <= 560; width += 8) {
        await opened.page.setViewportSize({ width, height: 900 });
        found.push(await opened.page.evaluate(BROKEN_OPTIONS));
      }
      return found.flat();
    };
    expect(await broken(WIDE)).toEqual([]);
    expect(await broken(WIDE.replaceAll('<span class="whole">', '<span>'))).toContain('--rerun');
  });

  test('is no wider than a narrow window if a task has a long name', async () => {
    const row = { task: `cancel-${'the-oldest-pending-'.repeat(4)}order` };
    await using opened = await open(reportPage(drawnReport(1, [finishRow({ ...SAMPLE, ...row })])), { width: 390 });
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('has room for commands, their buttons and the chart of successes in a narrow window', async () => {
    await using opened = await open(WIDE, { width: 390 });
    const sizes = (selector: string) =>
      opened.page
        .locator(selector)
        .evaluateAll((found) =>
          found.map((each) => [each.getBoundingClientRect().width, each.getBoundingClientRect().height]),
        );
    for (const [, height = 0] of await sizes('.commands .command')) expect(height).toBeLessThan(60);
    for (const [width = 0, height = 0] of await sizes('.commands .copy')) expect(width).toBeGreaterThan(height);
    for (const [width = 0] of await sizes('.forest tbody svg')) expect(width).toBeGreaterThan(300);
  });

  test('shows by a fading edge that a table continues to the right, until its end is visible', async () => {
    await using opened = await open(WIDE, { width: 390 });
    const table = opened.page.locator('[aria-label="Table: Tokens, model calls, times and cost"]');
    const mask = () => table.evaluate((each) => each.ownerDocument.defaultView?.getComputedStyle(each).maskImage);
    await expect.poll(mask).toContain('linear-gradient');
    await table.evaluate((each) => each.scrollTo({ left: each.scrollWidth }));
    await expect.poll(mask).toBe('none');
    await opened.page.setViewportSize({ width: 1_800, height: 900 });
    await expect.poll(mask).toBe('none');
  });

  test('axe does find fault with a page that has some', async () => {
    await using opened = await open(WIDE.replace('<label for="filter-status">', '<label>'));
    expect(await faultsOf(opened.page)).toContainEqual(expect.stringMatching(/^select-name: <select/));
  });
});

describe('the index of episodes', () => {
  test('is filtered by words, status, entrant and suite, and counts the rest', async () => {
    await using opened = await open(WIDE);
    const { page } = opened;
    const count = page.locator('#count');
    expect(await count.textContent()).toBe('360 of 360 episodes');
    await page.getByLabel('Status', { exact: true }).selectOption('infra_error');
    expect(await count.textContent()).toBe('4 of 360 episodes');
    expect(await page.getByLabel('Status', { exact: true }).innerText()).toContain('infra_error (4)');
    await page.getByLabel('Entrant', { exact: true }).selectOption('sonnet · dom');
    expect(await page.locator('#total').textContent()).toMatch(/^, \d+ s in all$/);
    expect(await count.textContent()).toBe('1 of 360 episodes');
    expect(await rowsIn(page).allInnerTexts()).toEqual([
      expect.stringMatching(/cancel_oldest\s+sonnet · dom\s+\d+\s+infra_error/),
    ]);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => count.textContent()).toBe('360 of 360 episodes');
    expect(await page.getByLabel('Text', { exact: true }).getAttribute('placeholder')).toContain('goal, reason');
    await page.getByLabel('Text', { exact: true }).fill('INVOICES/35  haiku');
    expect(await count.textContent()).toMatch(/^[1-9] of 360 episodes$/);
    await page.getByLabel('Text', { exact: true }).fill('nothing like it');
    expect(await rowsIn(page).count()).toBe(0);
  });

  test('opens an episode with all known facts, and goes back to the same place', async () => {
    await using opened = await open(WIDE);
    const { page } = opened;
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await page.getByRole('button', { name: 'add_monitor' }).first().press('Enter');
    const dialog = page.getByRole('dialog');
    const title = dialog.getByRole('heading');
    expect(await title.innerText()).toMatch(/^add_monitor #\d+: failed$/);
    expect(await firstLetterOf(title)).toBe('none');
    expect(await firstLetterOf(page.locator('section > h3').first())).toBe('uppercase');
    expect(await dialog.innerText()).toContain('success.children[0] (dom_text)');
    expect(await dialog.innerText()).toContain('Your cart');
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.dataset.place')).toBe('0');
  });

  test('shows an episode whole in a narrow window, in two lines, and stays at its row when the window widens', async () => {
    await using opened = await open(WIDE, { width: 390 });
    const { page } = opened;
    const row = rowsIn(page).first();
    expect(await row.innerText()).toMatch(/^add_monitor\s+sonnet · nac3\s+1\s+passed\s+\d+\s+[\d.]+ s$/);
    const boxes = await row.locator('td').evaluateAll((cells) => cells.map((each) => each.getBoundingClientRect()));
    expect(boxes.map(({ top }) => top < (boxes[0]?.bottom ?? 0))).toEqual([true, false, false, true, false, false]);
    expect(Math.min(...boxes.map(({ width }) => width))).toBeGreaterThan(0);
    expect(await row.locator('.entrant').evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    await page.locator('#index').evaluate((frame) => frame.scrollTo(0, frame.scrollHeight / 2));
    await expect.poll(() => page.evaluate(ROW_IN_THE_MIDDLE)).toBe(true);
    await page.setViewportSize({ width: 1_200, height: 900 });
    await expect.poll(() => page.evaluate(ROW_IN_THE_MIDDLE)).toBe(true);
    const places = await rowsIn(page).evaluateAll((rows) => rows.map((each) => Number(each.ariaRowIndex)));
    expect(Math.min(...places)).toBeLessThan(182);
    expect(Math.max(...places)).toBeGreaterThan(182);
  });

  test('a control is not blamed for failing, but a competitor is', async () => {
    const control = { agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' } as const;
    const colourOf = async (edit: object) => {
      await using opened = await open(reportPage(drawnReport(1, [finishRow({ ...SAMPLE, ...edit })])));
      await opened.page.locator('#rows button').first().click();
      return await opened.page
        .locator('#episode-why')
        .evaluate((each) => each.ownerDocument.defaultView?.getComputedStyle(each).color);
    };
    expect(await colourOf(control)).toBe('rgb(86, 98, 115)');
    expect(await colourOf({})).toBe('rgb(179, 38, 30)');
  });

  test('gives the last call in words if these are known, and unchanged on a click', async () => {
    const row = finishRow({ ...SAMPLE, last_tool_call: { tool: 'click', args: { ref: 'e7' } } });
    const open1 = async (said: Map<string, string>) => {
      const opened = await open(reportPage(drawnReport(1, [row]), undefined, { lastCalls: said }));
      await opened.page.locator('#rows').getByRole('button').first().click();
      return opened;
    };
    await using known = await open1(new Map([[row.episode_id, 'click button "Send"']]));
    const dialog = known.page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('click button "Send"');
    expect(await dialog.innerText()).not.toContain('"ref"');
    await dialog.getByText('as it was sent').click();
    expect(await dialog.innerText()).toContain('click {"ref":"e7"}');
    await using unknown = await open1(new Map());
    expect(await unknown.page.getByRole('dialog').innerText()).toContain('click {"ref":"e7"}');
  });

  test('keeps filters, order and the opened episode in its address, which shows others the same', async () => {
    await using opened = await open(WIDE);
    const { page } = opened;
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await page.getByRole('button', { name: 'time', exact: true }).click();
    await page.getByRole('button', { name: 'time', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#episodes?status=failed&order=-time');
    const times = (await rowsIn(page).locator('.time').allInnerTexts()).map((text) => Number.parseFloat(text));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    await rowsIn(page).locator('button').first().click();
    const shown = await page.getByRole('dialog').innerText();
    expect(shown).toMatch(
      /The page should show Thanks, but shows “Your cart”\.\s+expected\s+Thanks\s+observed\s+Your cart/,
    );
    await page.reload();
    expect(new URL(page.url()).hash).toMatch(/^#episodes\?status=failed&order=-time&episode=[0-9a-f]{32}$/);
    await expect.poll(() => page.getByRole('dialog').innerText()).toBe(shown);
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).hash).toBe('#episodes?status=failed&order=-time');
  });

  test('can be reached from a cell of the grid, by keys too, and stays as it is if only a part of the page is named', async () => {
    await using opened = await open(WIDE);
    const { page } = opened;
    await page.locator('#tasks ~ .wide a').first().press('Enter');
    const count = page.locator('#count');
    await expect.poll(() => count.textContent()).toBe('10 of 360 episodes');
    await page.getByRole('link', { name: 'Reliability' }).click();
    expect(new URL(page.url()).hash).toBe('#reliability');
    expect(await count.textContent()).toBe('10 of 360 episodes');
  });

  test('can be walked through by keys, from end to end', async () => {
    await using opened = await open(WIDE);
    const { page } = opened;
    const place = () => page.evaluate('document.activeElement.dataset.place');
    await page.locator('#index').focus();
    for (const [key, at] of [
      ['ArrowDown', '0'],
      ['ArrowDown', '1'],
      ['End', '359'],
      ['ArrowDown', '359'],
      ['ArrowUp', '358'],
      ['Home', '0'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await place()).toBe(at);
    }
    await page.keyboard.press('Tab');
    expect(await place()).toBe('1');
  });

  test('makes only the rows in sight of ten thousand episodes, at any place, and finds the last', async () => {
    const episodes = Array.from({ length: 28 }, () => REPORT.episodes)
      .flat()
      .map((each, at) => ({ ...each, run_id: `run-${at}` }));
    await using opened = await open(reportPage({ ...REPORT, episodes }));
    const { page } = opened;
    expect(await page.locator('#count').textContent()).toBe('10080 of 10080 episodes');
    for (const part of [0.5, 1, 0.25]) {
      await page.locator('#index').evaluate((frame, at) => frame.scrollTo(0, frame.scrollHeight * at), part);
      await expect.poll(() => page.evaluate(ROW_IN_THE_MIDDLE)).toBe(true);
      expect(await rowsIn(page).count()).toBeLessThan(60);
    }
    await page.getByLabel('Text', { exact: true }).fill('run-10079');
    expect(await page.locator('#count').textContent()).toBe('1 of 10080 episodes');
    expect(await rowsIn(page).count()).toBe(1);
  });
});

test('texts of pages, agents and authors stay text in it', async () => {
  const hostile = `</script><script>document.title='taken'</script><img src=x onerror="document.title='taken'">" onfocus="alert(1) \u001b[31m\u202e{{x}} \${x}`;
  const row = finishRow({
    ...SAMPLE,
    instance: hostile,
    model_id: hostile,
    browser: { name: hostile, version: hostile, build: null, kind: 'full', ours: true, sandbox: true },
    detail: hostile,
    final_url: `javascript:${hostile}`,
    last_tool_call: { tool: hostile, args: { [hostile]: hostile } },
    failed_contract: {
      path: 'success',
      kind: 'dom_text',
      expected: hostile,
      observed: { preview: hostile, length: 9 },
    },
    cost_usd: null,
    null_reasons: { cost_usd: hostile },
  });
  const goal = { suite: row.suite, task: row.task, instance: hostile, goal: `Buy ${hostile}` };
  const entrants = [{ agent: SAMPLE.agent, surface: SAMPLE.surface }];
  const text = reportPage(drawnReport(1, [row], entrants, [goal]));
  await using opened = await open(text);
  const { page, said } = opened;
  await page.locator('#rows button').first().click();
  expect(await page.getByRole('dialog').innerText()).toContain(`Buy </script><script>document.title='taken'`);
  expect(await page.getByRole('dialog').innerText()).toContain(`javascript:</script><script>document.title='taken'`);
  expect(await page.title()).toBe('basics: model through aria · Touchstone');
  expect(await page.locator("img, [onfocus], [onerror], a:not([href^='#'])").count()).toBe(0);
  expect(await page.locator('script').count()).toBe(3);
  expect(text).not.toContain('\u001b');
  expect(text).not.toContain('\u202e');
  expect(said).toEqual([]);
});
