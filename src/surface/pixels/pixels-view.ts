import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { ReplyImage } from '../../task/tool.ts';
import { type Act, actOfTab, type Timing } from '../page/act.ts';
import type { Shown, View } from '../page/view.ts';
import { PointedSteps } from './pointed-steps.ts';
import { PIXEL_TOOLS, type PixelTool } from './tools.ts';

/** Time for the page to answer a click or a key before the next picture is taken, in ms: nobody says when it is done. */
const PAUSE_MS = 300;

/** Shows a picture of the viewport, a pixel for each CSS pixel; calls name places in it. */
export class PixelsView implements View<Shown> {
  readonly tools = PIXEL_TOOLS;
  readonly kind = 'picture';
  /** Places name no elements. */
  readonly elements = null;
  readonly #steps = new PointedSteps();

  readonly bind: View<Shown>['bind'] = (intent, _last, { page }) => this.#steps.bind(intent, page);

  async show(page: Page, { timeout }: Timing): Promise<Shown> {
    // As the page is: nothing stopped, nothing hidden, nothing of ours in it.
    const options = { type: 'png', scale: 'css', caret: 'initial', animations: 'allow', timeout } as const;
    const png = await page.screenshot(options);
    const image: ReplyImage = { media_type: 'image/png', base64: png.toString('base64') };
    return { text: `A picture of ${png.readUInt32BE(16)}x${png.readUInt32BE(20)} pixels.`, image };
  }

  act(tool: Exclude<PixelTool, 'wait' | 'tabs' | 'dialog'>, args: unknown): Act {
    switch (tool) {
      case 'navigate':
      case 'back':
        return actOfTab(tool, args);
      case 'press': {
        const { key } = PIXEL_TOOLS.press.args.parse(args);
        return { on: 'tab', run: (page) => paused(page.keyboard.press(key)) };
      }
      case 'snapshot':
        return { on: 'tab', run: () => Promise.resolve() };
      case 'move': {
        const { x, y } = PIXEL_TOOLS.move.args.parse(args);
        return { on: 'point', run: (page) => paused(page.mouse.move(x, y)) };
      }
      case 'click': {
        const { x, y } = PIXEL_TOOLS.click.args.parse(args);
        return { on: 'point', run: (page) => paused(page.mouse.click(x, y)) };
      }
      case 'double_click': {
        const { x, y } = PIXEL_TOOLS.double_click.args.parse(args);
        return { on: 'point', run: (page) => paused(page.mouse.dblclick(x, y)) };
      }
      case 'drag': {
        const { x, y, to_x: toX, to_y: toY } = PIXEL_TOOLS.drag.args.parse(args);
        return { on: 'point', run: (page) => paused(drag(page, [x, y], [toX, toY])) };
      }
      case 'type': {
        const { text } = PIXEL_TOOLS.type.args.parse(args);
        return { on: 'tab', run: (page) => paused(page.keyboard.type(text)) };
      }
      case 'scroll': {
        const { x, y, ...how } = PIXEL_TOOLS.scroll.args.parse(args);
        const turning = actOfTab('scroll', how);
        return { on: 'point', run: (page, timing) => paused(scrollAt(page, [x, y], turning, timing)) };
      }
    }
  }
}

async function paused(work: Promise<unknown>): Promise<void> {
  await work;
  await sleep(PAUSE_MS);
}

type Place = [x: number, y: number];

async function drag(page: Page, from: Place, to: Place): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  // Pages that take up what is dragged want to see it move.
  await page.mouse.move(...to, { steps: 5 });
  await page.mouse.up();
}

async function scrollAt(page: Page, place: Place, turning: Act, timing: Timing): Promise<void> {
  await page.mouse.move(...place);
  if ('run' in turning && turning.on === 'tab') await turning.run(page, timing);
}
