import type { ElementHandle, Locator } from 'playwright-core';
import { z } from 'zod';

const Paths = z.tuple([z.string(), z.string()]);
type Paths = z.infer<typeof Paths>;

/** Selectors of an element that may mean it alone, the shortest first. */
export async function selectorsOf(element: Locator): Promise<string[]> {
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
  // The cast-free way to a function over what Playwright hands it in the page.
  const asElement: ElementHandle<PageElement> = element;
  return Paths.parse(await asElement.evaluate(pathsInPage));
}

/** As much of the DOM as is asked here. */
interface PageElement {
  readonly id: string;
  readonly localName: string;
  readonly parentNode: PageElement | null;
  /** For a shadow root. */
  readonly host?: PageElement;
  readonly previousElementSibling: PageElement | null;
  readonly ownerDocument: {
    readonly documentElement: PageElement;
    readonly defaultView: { readonly CSS: { escape(name: string): string } };
    querySelectorAll(selector: string): { readonly length: number };
  };
}

/** Runs in the page: the way to an element from the nearest one above it with an id of its own, and from the root. */
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
