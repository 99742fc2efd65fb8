import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { nac3Surface } from '../../src/surface/nac3/nac3.ts';
import { shownIn } from '../../src/surface/nac3/shown.ts';
import { ACTION_TIMEOUT_MS } from '../../src/surface/page/stage.ts';
import type { SurfaceSession } from '../../src/surface/surface.ts';
import { taskName } from '../../src/task/instance.ts';
import { type Task, viewportOf } from '../../src/task/schema.ts';
import { targetOf } from '../browser/scene.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { worldHere } from './performed.ts';
import { SURFACES } from '../surface/page-session.ts';
import { builtIn } from '../suite-files.ts';

const suite = await builtIn('protocols');
const suiteWorld = await loadSuiteWorld(suite);
/** Of each template the first instance: the others differ in their values alone. */
const all = suite.tasks.map(({ task }) => task);
const firsts = all.filter(({ id }, index) => all.findIndex((each) => each.id === id) === index);

/** Every surface that shows pages as text, with the tool that looks, and the facts in its reply about one invoice of the list. */
const SHOWING = {
  aria: { make: SURFACES.aria, look: 'snapshot', ofRow: ariaRow },
  dom: { make: SURFACES.dom, look: 'snapshot', ofRow: domRow },
  nac3: { make: nac3Surface, look: 'describe', ofRow: nac3Row },
} as const;
type Showing = (typeof SHOWING)[keyof typeof SHOWING];

function ariaRow(reply: string, invoice: string): string {
  return reply.split(/- '?row\b/).find((row) => row.includes(invoice)) ?? '';
}

function domRow(reply: string, invoice: string): string {
  return reply.split(`<tr id="row-${invoice.toLowerCase()}">`)[1]?.split('</tr>')[0] ?? '';
}

function nac3Row(reply: string, invoice: string): string {
  const elements = (shownIn(reply)?.plugins ?? []).flatMap((plugin) => plugin.elements);
  return elements
    .filter(({ nac_id: id, hidden }) => id.endsWith(`.${invoice}`) && hidden !== true)
    .map(({ label = '' }) => label)
    .join('\n');
}

interface Start extends AsyncDisposable {
  page: Page;
  open(make: Showing['make']): Promise<SurfaceSession>;
}

async function startOf(task: Task): Promise<Start> {
  const world = await worldHere(suiteWorld, task);
  const browser = await (await sharedBrowser()).playwright();
  const context = await browser.newContext({ proxy: world.proxy, viewport: viewportOf(task) });
  const page = await context.newPage();
  const ids = await targetOf(page);
  await page.goto(task.startUrl);
  await page.locator('#list, #editor').waitFor();
  return {
    page,
    open: (make) => make(ACTION_TIMEOUT_MS).open({ context, page, ...ids, touch: () => {} }),
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await world.close();
    },
  };
}

const NEVER = new AbortController().signal;

async function look(start: Start, { make, look: tool }: Showing): Promise<string> {
  const session = await start.open(make);
  const { ok, text } = await session.call({ tool, args: {} }, NEVER);
  await session.close();
  expect(ok).toBe(true);
  return text;
}

async function listOf(page: Page): Promise<[invoice: string, cells: string[]][]> {
  const rows = await page.locator('#list tbody tr').all();
  return await Promise.all(
    rows.map(async (row): Promise<[string, string[]]> => {
      const cells = (await row.locator('td:not(.actions)').allInnerTexts()).map((text) => text.trim());
      return [cells[0] ?? '', cells];
    }),
  );
}

async function openedOf(page: Page): Promise<string[]> {
  const texts = await page.locator('#editor h2, #editor .badge, #total, #lines-step td.number').allInnerTexts();
  const fields = await page.locator('#lines-step input').all();
  return [...texts, ...(await Promise.all(fields.map((field) => field.inputValue())))];
}

async function unsaid({ page }: Start, reply: string, ofRow: Showing['ofRow']): Promise<string[]> {
  const rows = (await listOf(page)).flatMap(([invoice, cells]) => {
    const said = ofRow(reply, invoice);
    return cells.filter((cell) => !said.includes(cell)).map((cell) => `${invoice}: ${cell}`);
  });
  return [...rows, ...(await openedOf(page)).filter((text) => !reply.includes(text))];
}

async function throughEach<Found>(find: (showing: Showing) => Promise<Found>): Promise<Record<string, Found>> {
  const found: Record<string, Found> = {};
  for (const [name, showing] of Object.entries(SHOWING)) found[name] = await find(showing);
  return found;
}

test.each(firsts.map((task) => [taskName(task), task] as const))(
  'the texts that decide %s are in the reply of each surface',
  async (_task, task) => {
    await using start = await startOf(task);
    expect((await listOf(start.page)).length + (await openedOf(start.page)).length).toBeGreaterThan(2);
    const missing = await throughEach(async (showing) => unsaid(start, await look(start, showing), showing.ofRow));
    expect(missing).toEqual({ aria: [], dom: [], nac3: [] });
  },
);

test.each(['es', 'en'])('the message is in the reply of each surface, in %s', async (language) => {
  await using start = await startOf(taskIn(language, 'lang'));
  await start.page.locator('#invoice-create').click();
  await start.page.locator('#message:not(:empty)').waitFor();
  const message = await start.page.locator('#message').innerText();
  expect(message.length).toBeGreaterThan(10);
  const isSaid = await throughEach(async (showing) => (await look(start, showing)).includes(message));
  expect(isSaid).toEqual({ aria: true, dom: true, nac3: true });
});

function taskIn(language: string, parameter: string): Task {
  const task = firsts.find(({ startUrl }) => startUrl.endsWith(`?${parameter}=${language}`));
  if (task === undefined) throw new Error(`no task begins on the list in ${language}`);
  return task;
}

test('an undecorated text is missing in a reply of nac3, and is missed', async () => {
  await using start = await startOf(taskIn('es', 'lang'));
  await start.page
    .locator('[data-nac-id="list.date.INV-0001"]')
    .evaluate((cell) => cell.removeAttribute('data-nac-id'));
  const date = (await listOf(start.page))[0]?.[1][2];
  const { nac3, dom } = SHOWING;
  expect(await unsaid(start, await look(start, nac3), nac3.ofRow)).toEqual([`INV-0001: ${date}`]);
  expect(await unsaid(start, await look(start, dom), dom.ofRow)).toEqual([]);
});

/** The cells of the list that are readable in the picture: in it whole, and uncovered. */
async function readable(page: Page): Promise<string[]> {
  const cells = page.locator('#list tbody td:not(.actions)');
  return await cells.evaluateAll((found) =>
    found.flatMap((cell) => {
      const { left, top, width, height } = cell.getBoundingClientRect();
      const at = cell.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
      return at !== null && cell.contains(at) ? [cell.textContent] : [];
    }),
  );
}

describe('in pictures', () => {
  test.each(['es', 'en'])('the whole list is visible, in %s', async (language) => {
    await using start = await startOf(taskIn(language, 'lang'));
    const { width, height } = viewportOf(taskIn(language, 'lang'));
    const session = await start.open(SURFACES.pixels);
    const seen = new Set<string>();
    for (let turns = 0; turns < 4; turns += 1) {
      const reply = await session.call({ tool: 'snapshot', args: {} }, NEVER);
      expect(reply.image).toBeDefined();
      for (const text of await readable(start.page)) seen.add(text);
      await session.call(
        { tool: 'scroll', args: { x: width / 2, y: height / 2, direction: 'down', pixels: 300 } },
        NEVER,
      );
    }
    const cells = (await start.page.locator('#list tbody td:not(.actions)').allTextContents()).filter(
      (text) => !seen.has(text),
    );
    expect(cells).toEqual([]);
  });

  test('a covered element is not', async () => {
    await using start = await startOf(taskIn('es', 'lang'));
    await start.page.evaluate(
      `document.body.append(Object.assign(document.createElement('p'), { style: 'position: fixed; inset: 0; margin: 0; background: #fff' }))`,
    );
    expect(await readable(start.page)).toEqual([]);
  });
});
