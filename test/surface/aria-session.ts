import { ACTION_TIMEOUT_MS } from '../../src/surface/page/stage.ts';
import { ariaSurface } from '../../src/surface/aria/aria.ts';
import { elementsOf } from '../../src/task/snapshot-text.ts';
import type { SurfaceSession } from '../../src/surface/surface.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { openScene, type Pages, targetOf, type TestScene } from '../browser/scene.ts';

/** The `aria` surface at work in a small world. */
export interface AriaScene extends TestScene {
  session: SurfaceSession;
  /** CDP target ids that the surface has told the judge of, in order. */
  touched: string[];
  call(tool: string, args?: JsonObject, signal?: AbortSignal): Promise<ToolReply>;
  /** Calls a tool on the element that the current tab shows with this name. */
  on(tool: string, name: string, args?: JsonObject): Promise<ToolReply>;
}

/** For tests in which the surface waits in vain, in ms. */
export const SHORT = 3_000;

/** Opens the surface on the start page, which is `http://a.test/`. */
export async function openAria(pages: Pages, timeoutMs = ACTION_TIMEOUT_MS): Promise<AriaScene> {
  const scene = await openScene(pages);
  await scene.page.goto('http://a.test/');
  const touched: string[] = [];
  const { context, page, contextId } = scene;
  const { targetId } = await targetOf(page);
  const seat = { context, page, contextId, targetId, touch: (id: string) => void touched.push(id) };
  const session = await ariaSurface(timeoutMs).open(seat);
  const call: AriaScene['call'] = (tool, args = {}, signal = new AbortController().signal) =>
    session.call({ tool, args }, signal);
  const on: AriaScene['on'] = async (tool, name, args = {}) => {
    const { text } = await call('snapshot');
    return await call(tool, { ref: refOf(text, name), ...args });
  };
  return { ...scene, session, touched, call, on };
}

export function refOf(snapshot: string, name: string): string {
  const found = elementsOf(snapshot).find((element) => element.name === name);
  if (found === undefined) throw new Error(`no element is called "${name}" in:\n${snapshot}`);
  return found.ref;
}
