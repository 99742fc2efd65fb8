import { z } from 'zod';
import type { CapturedNode } from '../../contract/dom/captured-tree.ts';
import { bindElements, elementCalls, TAB_CALLS } from '../binding.ts';
import { NO_DIFFERENCES } from '../traits.ts';
import { elementOfStep } from '../aria/elements.ts';
import type { GivenFile } from '../../task/given-files.ts';
import { pageSurface } from '../page/page-session.ts';
import { lacksFrame } from '../page/playwright-errors.ts';
import { elementTools } from '../page/tools.ts';
import type { Seen, Shown, View, Found, Located } from '../page/view.ts';
import { serialise } from './serialise.ts';
import { type TabDocument, TabReader } from './tab-reader.ts';
import type { Locator, Page, ElementHandle } from 'playwright-core';
import { matchesIn, parsePath } from './matches.ts';

/** The page as its HTML; actions name elements by CSS selectors. */
export const domSurface = pageSurface(
  { id: 'dom', differences: { ...NO_DIFFERENCES, sight: ['what is hidden or out of sight stands in the HTML too'] } },
  viewOf,
);
export const dom = domSurface();

interface ShownHtml extends Shown {
  tab: TabDocument;
  written: ReadonlySet<CapturedNode>;
}

const Selector = z
  .string()
  .min(1)
  .describe(
    'CSS selector that matches exactly one element, for example "#name". It finds elements in open shadow roots too; for an element in a frame write the selector of the frame, ">>" and the selector in it, for example "#editor >> button"',
  );

function viewOf(files: readonly GivenFile[]): View<ShownHtml> {
  const reader = new TabReader();
  const look = 'Look at the current tab: its HTML, without scripts, styles and comments.';
  return {
    tools: elementTools<ShownHtml>('selector', Selector, look, { locate, find }, files),
    kind: 'html',
    show: async (page) => {
      const tab = await reader.read(page);
      const { html, written } = serialise(tab);
      return { text: html, tab, written };
    },
    bind: bindElements<Seen<ShownHtml>>({ ...TAB_CALLS, ...elementCalls('selector') }, async (step, last, seen) => {
      const element = last?.kind === 'html' ? await elementOfStep(seen.page, step) : null;
      if (element === null) return undefined;
      for (const selector of await selectorsOf(element)) {
        if (await meansOne(selector, seen)) return { ref: selector };
      }
      return undefined;
    }),
  };
}

/** Whether a selector means one element both in what the agent was shown last and now. */
async function meansOne(selector: string, { shown, page }: Seen<ShownHtml>): Promise<boolean> {
  const before = locate(selector, shown);
  return before.shown && before.matched_then === 1 && 'element' in (await find(page, selector));
}

function locate(selector: string, shown: ShownHtml | null): Located {
  const parsed = parsePath(selector);
  if (shown === null) return { shown: false, matched_then: null };
  if ('problem' in parsed) return { shown: false, matched_then: 0 };
  const seen = matchesIn(shown.tab, parsed.path, 'shown').filter((element) => shown.written.has(element));
  return { shown: seen.length > 0, matched_then: matchesIn(shown.tab, parsed.path, 'all').length };
}

async function find(page: Page, selector: string): Promise<Found> {
  const parsed = parsePath(selector);
  if ('problem' in parsed) return { count: 0, why: parsed.problem };
  let scope: Pick<Page, 'locator'> = page;
  let element: Locator = page.locator(':root');
  for (const step of parsed.path) {
    element = scope.locator(`css=${step}`);
    const count = await countOf(element);
    if (count !== 1) return { count, why: whyNot(step, count) };
    scope = element.contentFrame();
  }
  return { element };
}

async function countOf(element: Locator): Promise<number> {
  try {
    return await element.count();
  } catch (error) {
    if (lacksFrame(error)) return 0;
    throw error;
  }
}

function whyNot(step: string, count: number): string {
  const selector = JSON.stringify(step);
  return count === 0
    ? `no element matches ${selector}; look again, and take a selector from what is there`
    : `${count} elements match ${selector}; write one that matches a single element`;
}

const Paths = z.tuple([z.string(), z.string()]);
type Paths = z.infer<typeof Paths>;

/** Selectors that may mean an element alone, the shortest first. */
async function selectorsOf(element: Locator): Promise<string[]> {
  const handle = await element.elementHandle();
  if (handle === null) return [];
  const steps = [await pathsOf(handle)];
  let frame = await handle.ownerFrame();
  while (frame !== null && frame.parentFrame() !== null) {
    steps.unshift(await pathsOf(await frame.frameElement()));
    frame = frame.parentFrame();
  }
  return [steps.map(([short]) => short).join(' >> '), steps.map(([, whole]) => whole).join(' >> ')];
}

async function pathsOf(element: ElementHandle): Promise<Paths> {
  const asElement: ElementHandle<PageElement> = element;
  return Paths.parse(await asElement.evaluate(pathsInPage));
}

interface PageElement {
  readonly id: string;
  readonly localName: string;
  readonly parentNode: PageElement | null;
  readonly host?: PageElement;
  readonly previousElementSibling: PageElement | null;
  readonly ownerDocument: {
    readonly documentElement: PageElement;
    readonly defaultView: { readonly CSS: { escape(name: string): string } };
    querySelectorAll(selector: string): { readonly length: number };
  };
}

/** Runs in the page: the paths to an element from its nearest ancestor with an id of its own, and from the root. */
function pathsInPage(element: PageElement): [string, string] {
  const { ownerDocument: page } = element;
  const { CSS } = page.defaultView;
  const steps: string[] = [];
  let short: string | null = null;
  for (let node: PageElement | null = element; node !== null;) {
    if (node.id !== '') {
      const id = `#${CSS.escape(node.id)}`;
      if (page.querySelectorAll(id).length === 1) short ??= [id, ...steps].join(' > ');
    }
    let position = 1;
    for (let other = node.previousElementSibling; other !== null; other = other.previousElementSibling) {
      if (other.localName === node.localName) position += 1;
    }
    steps.unshift(`${CSS.escape(node.localName)}:nth-of-type(${position})`);
    node = node === page.documentElement ? null : (node.parentNode?.host ?? node.parentNode);
  }
  const whole = steps.join(' > ');
  return [short ?? whole, whole];
}
