import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Locator } from 'playwright-core';
import { z } from 'zod';
import type { ReplyImage, ToolCall } from '../../task/tool.ts';
import { NO_DIFFERENCES } from '../traits.ts';
import { pageSurface } from '../page/page-session.ts';
import type { Timing } from '../page/stage.ts';
import { tool, Key, PAGE_TOOLS, Scroll, turnWheel } from '../page/tools.ts';
import { type Act, LOOK, onTab, type Shown, type View } from '../page/view.ts';
import { dropOf, type ElementStep, isElementStep, type Binding, type SurfaceIntent } from '../../task/intent.ts';
import { bindTab, callOf, type Calls, TAB_CALLS } from '../binding.ts';
import { elementOfStep } from '../aria/elements.ts';

/** Wait for the page's reaction to a click or key, whose end no event marks, in ms. */
const PAUSE_MS = 300;

/** Pictures of the viewport, a pixel for each CSS pixel; mouse and keys at places in them. */
export const pixelsSurface = pageSurface(
  {
    id: 'pixels',
    differences: { ...NO_DIFFERENCES, lacks: { upload: 'a picture names no file' } },
    showsPictures: true,
  },
  () => viewOf(new PointedSteps()),
);
export const pixels = pixelsSurface();

const fromLeft = z.int().min(0).describe('Pixels from the left edge of the picture');
const fromTop = z.int().min(0).describe('Pixels from the top edge of the picture');
const Place = z.strictObject({ x: fromLeft, y: fromTop });

const TOOLS = {
  navigate: PAGE_TOOLS.navigate,
  back: PAGE_TOOLS.back,
  snapshot: tool('Look at the current tab: a picture of what it shows now.', z.strictObject({}), () => LOOK),
  move: tool('Move the mouse to a place in the picture.', Place, (at) =>
    onPoint((page) => page.mouse.move(at.x, at.y)),
  ),
  click: tool('Click at a place in the picture.', Place, (at) => onPoint((page) => page.mouse.click(at.x, at.y))),
  double_click: tool('Click twice at a place in the picture.', Place, (at) =>
    onPoint((page) => page.mouse.dblclick(at.x, at.y)),
  ),
  right_click: tool('Click at a place in the picture with the right button.', Place, (at) =>
    onPoint((page) => page.mouse.click(at.x, at.y, { button: 'right' })),
  ),
  drag: tool(
    'Press the mouse button at one place in the picture and let go at another.',
    Place.extend({ to_x: fromLeft, to_y: fromTop }),
    (at) =>
      onPoint(async ({ mouse }) => {
        await mouse.move(at.x, at.y);
        await mouse.down();
        // Pages that take up what is dragged want to see it move.
        await mouse.move(at.to_x, at.to_y, { steps: 5 });
        await mouse.up();
      }),
  ),
  type: tool(
    'Type a text where the focus is.',
    z.strictObject({ text: z.string().min(1).describe('A line break is the key Enter') }),
    ({ text }) => onTab((page) => paused(page.keyboard.type(text))),
  ),
  press: tool('Press a key, or keys together, in the current tab.', Key, ({ key }) =>
    onTab((page) => paused(page.keyboard.press(key))),
  ),
  scroll: tool('Turn the mouse wheel at a place in the picture.', Scroll.extend(Place.shape), (at) =>
    onPoint(async (page) => {
      await page.mouse.move(at.x, at.y);
      await turnWheel(page, at);
    }),
  ),
  wait: PAGE_TOOLS.wait,
  tabs: PAGE_TOOLS.tabs,
  dialog: PAGE_TOOLS.dialog,
};

function viewOf(steps: PointedSteps): View<Shown> {
  return { tools: TOOLS, kind: 'picture', show, bind: (intent, _last, { page }) => steps.bind(intent, page) };
}

async function show(page: Page, { timeout }: Timing): Promise<Shown> {
  // The page unchanged: nothing stopped, hidden or added.
  const options = { type: 'png', scale: 'css', caret: 'initial', animations: 'allow', timeout } as const;
  const png = await page.screenshot(options);
  const image: ReplyImage = { media_type: 'image/png', base64: png.toString('base64') };
  return { text: `A picture of ${png.readUInt32BE(16)}x${png.readUInt32BE(20)} pixels.`, image };
}

function onPoint(run: (page: Page) => Promise<unknown>): Act<Shown> {
  return {
    ...onTab((page) => paused(run(page))),
    locate: ({ target }) => {
      target.notApplicable('a place in a picture names nothing');
    },
  };
}

async function paused(work: Promise<unknown>): Promise<void> {
  await work;
  await sleep(PAUSE_MS);
}

const MAX_SCROLLS = 10;
const CALLS: Calls = { ...TAB_CALLS, click_at: callOf('click', { x: '{{x}}', y: '{{y}}' }) };

/** Binds steps to clicks and keys: the page is asked for the place of an element, since an agent that follows a solution cannot see. */
class PointedSteps {
  /** The current step, and the number of its turns of the wheel and of its other calls that were made. */
  #step = '';
  #scrolls = 0;
  #made = 0;
  #type = '';

  async bind(intent: SurfaceIntent, page: Page): Promise<Binding> {
    if (!isElementStep(intent)) return bindTab(CALLS, intent);
    const step = JSON.stringify(intent);
    if (step !== this.#step) this.#begin(step);
    const [first, ...rest] = callsAfterClick(intent, this.#type).slice(Math.max(0, this.#made - 1));
    if (this.#made === 0) {
      const click = await this.#pointAt(intent, page);
      const isAll = callsAfterClick(intent, this.#type).length === 0;
      if (click.kind !== 'call' || isAll) return this.#ended(click, click.kind === 'call');
      this.#made = 1;
      return { kind: 'begin', call: click.call };
    }
    this.#made += 1;
    if (first === undefined) return { kind: 'impossible', why: 'the step was at its end' };
    return rest.length === 0 ? this.#ended({ kind: 'call', call: first }, true) : { kind: 'begin', call: first };
  }

  #begin(step: string): void {
    this.#step = step;
    this.#scrolls = 0;
    this.#made = 0;
    this.#type = '';
  }

  #ended(binding: Binding, isLast: boolean): Binding {
    if (isLast) this.#begin('');
    return binding;
  }

  /** A click on the middle of the element, or first the wheel, if that is outside of the picture. */
  async #pointAt(step: ElementStep, page: Page): Promise<Binding> {
    const element = await elementOfStep(page, step);
    const box = await element?.boundingBox();
    const drop = dropOf(step);
    const to = drop === null ? null : await (await elementOfStep(page, drop))?.boundingBox();
    if (drop !== null && to == null) return LOOK_AGAIN;
    if (box == null) return LOOK_AGAIN;
    this.#type = (await element?.getAttribute('type'))?.toLowerCase() ?? '';
    const { x, y } = await placeIn(box, step, element, this.#type);
    const { width, height } = await sizeOf(page);
    const isInside = x >= 0 && y >= 0 && x < width && y < height;
    // A covered element, for example by a fixed bar, is scrolled once, and then clicked where it is.
    if (isInside && (this.#scrolls > 0 || (await isOnTop(element))))
      return { kind: 'call', call: pointerCall(step, { x, y }, to == null ? null : middleOf(to)) };
    this.#scrolls += 1;
    if (this.#scrolls > MAX_SCROLLS) return { kind: 'impossible', why: 'no wheel brings it into the picture' };
    const place = { x: within(x, width), y: within(y, height) };
    const isVertical = isInside || y < 0 || y >= height;
    const [distance, back, on] = isVertical ? [y - height / 2, 'up', 'down'] : [x - width / 2, 'left', 'right'];
    const turned = Math.min(10_000, Math.max(1, Math.round(Math.abs(distance))));
    return {
      kind: 'begin',
      call: { tool: 'scroll', args: { ...place, direction: distance < 0 ? back : on, pixels: turned } },
    };
  }
}

const LOOK_AGAIN: Binding = { kind: 'observe', call: callOf('snapshot', {}) };

interface Point {
  x: number;
  y: number;
}

interface Box extends Point {
  width: number;
  height: number;
}

function middleOf({ x, y, width, height }: Box): Point {
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

/** Half the thumb of a slider, which ends inside its field. */
const HALF_THUMB = 8;

/** The middle, but the part of a date that comes first, and the value of a slider. */
async function placeIn(box: Box, step: ElementStep, element: Locator | null, type: string): Promise<Point> {
  const { x, y } = middleOf(box);
  if (step.do !== 'fill' || element === null) return { x, y };
  if (type === 'date') return { x: Math.round(box.x) + 10, y };
  if (type !== 'range') return { x, y };
  const [min, max] = await Promise.all(['min', 'max'].map((name) => element.getAttribute(name)));
  const [from, to] = [Number(min ?? 0), Number(max ?? 100)];
  const part = (Number(step.text) - from) / (to - from);
  return { x: Math.round(box.x + HALF_THUMB + part * (box.width - 2 * HALF_THUMB)), y };
}

const POINTER_TOOLS: Partial<Record<ElementStep['do'], string>> = {
  hover: 'move',
  double_click: 'double_click',
  right_click: 'right_click',
};

/** The first call of a step, at the element's place. */
function pointerCall(step: ElementStep, { x, y }: Point, to: Point | null): ToolCall {
  if (to !== null) return callOf('drag', { x, y, to_x: to.x, to_y: to.y });
  return callOf(POINTER_TOOLS[step.do] ?? 'click', { x, y });
}

/** Whether the middle of an element shows it, a part of it, or an ancestor. */
async function isOnTop(element: Locator | null): Promise<boolean> {
  const hit = await element?.evaluate((own) => {
    const { left, top, width, height } = own.getBoundingClientRect();
    const root = own.getRootNode();
    const from = 'elementFromPoint' in root ? root : own.ownerDocument;
    const found = from.elementFromPoint(left + width / 2, top + height / 2);
    return found === null || own.contains(found) || found.contains(own);
  });
  return hit !== false;
}

function callsAfterClick(step: ElementStep, type: string): ToolCall[] {
  // The open list selects what is typed.
  if (step.do === 'choose') return [callOf('type', { text: step.option }), callOf('press', { key: 'Enter' })];
  if (step.do !== 'fill' || type === 'range') return [];
  // English fields take the month first, and the year last.
  if (type === 'date') return [callOf('type', { text: step.text.replace(/^(\d+)-(\d+)-(\d+)$/, '$2$3$1') })];
  const typed = step.text === '' ? callOf('press', { key: 'Delete' }) : callOf('type', { text: step.text });
  return [callOf('press', { key: 'ControlOrMeta+a' }), typed];
}

async function sizeOf(page: Page): Promise<{ width: number; height: number }> {
  const session = await page.context().newCDPSession(page);
  const { cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  session.detach().catch(() => {});
  return { width: cssLayoutViewport.clientWidth, height: cssLayoutViewport.clientHeight };
}

function within(value: number, size: number): number {
  return Math.min(Math.max(0, value), size - 1);
}
