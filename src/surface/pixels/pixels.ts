import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { ReplyImage } from '../../task/tool.ts';
import { NO_DIFFERENCES } from '../differences.ts';
import { PageSession } from '../page/page-session.ts';
import { playwrightVersion } from '../page/playwright-words.ts';
import { ACTION_TIMEOUT_MS, type Timing } from '../page/stage.ts';
import { tool } from '../page/tool.ts';
import { Key, PAGE_TOOLS, Scroll, turnWheel } from '../page/tools.ts';
import { type Act, LOOK, onTab, type Shown, type View } from '../page/view.ts';
import type { ContextSurface } from '../surface.ts';
import { PointedSteps } from './pointed-steps.ts';

/** Time for the page to answer a click or a key before the next picture is taken, in ms: no event says when it is done. */
const PAUSE_MS = 300;

/** Built in: pictures of the viewport, a pixel for each CSS pixel; mouse and keys at places in them. */
export const pixels = pixelsSurface(ACTION_TIMEOUT_MS);

/** The surface with another patience: how long one action of the browser may take, in ms. */
export function pixelsSurface(timeoutMs: number): ContextSurface {
  return {
    id: 'pixels',
    needs: 'context',
    takesScript: false,
    differences: NO_DIFFERENCES,
    showsPictures: true,
    version: playwrightVersion(),
    interaction: 'multi-turn',
    unavailable: null,
    open: (seat) => PageSession.open(viewOf(new PointedSteps()), seat, timeoutMs),
  };
}

const x = z.int().min(0).describe('Pixels from the left edge of the picture');
const y = z.int().min(0).describe('Pixels from the top edge of the picture');
const Place = z.strictObject({ x, y });

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
  drag: tool(
    'Press the mouse button at one place in the picture and let go at another.',
    z.strictObject({ x, y, to_x: x, to_y: y }),
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
  scroll: tool('Turn the mouse wheel at a place in the picture.', Scroll.extend({ x, y }), (at) =>
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
  // As the page is: nothing stopped, nothing hidden, nothing of ours in it.
  const options = { type: 'png', scale: 'css', caret: 'initial', animations: 'allow', timeout } as const;
  const png = await page.screenshot(options);
  const image: ReplyImage = { media_type: 'image/png', base64: png.toString('base64') };
  return { text: `A picture of ${png.readUInt32BE(16)}x${png.readUInt32BE(20)} pixels.`, image };
}

/** Something done at a place in the picture. */
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
