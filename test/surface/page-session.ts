import { ariaSurface } from '../../src/surface/aria/aria.ts';
import { domSurface } from '../../src/surface/dom/dom.ts';
import { pixelsSurface } from '../../src/surface/pixels/pixels.ts';
import { ACTION_TIMEOUT_MS } from '../../src/surface/page/stage.ts';
import type { ContextSurface, SurfaceSession } from '../../src/surface/surface.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { SurfaceIntent } from '../../src/task/intent.ts';
import type { GivenFile } from '../../src/task/given-files.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { elementsOf } from '../../src/task/snapshot-text.ts';
import { openScene, type Pages, targetOf, type TestScene } from '../browser/scene.ts';

/** A surface of ours at work in a small world. */
export interface SurfaceScene extends TestScene {
  session: SurfaceSession;
  /** CDP target ids that the surface has reported to the judge, in order. */
  touched: string[];
  call(tool: string, args?: JsonObject, signal?: AbortSignal): Promise<ToolReply>;
  /** Calls a tool on the element that the current tab shows with this name, by its reference. */
  on(tool: string, name: string, args?: JsonObject): Promise<ToolReply>;
  /** Follows steps as the reference does. */
  follow(...steps: SurfaceIntent[]): Promise<ToolReply>;
}

export const SURFACES = { aria: ariaSurface, dom: domSurface, pixels: pixelsSurface } as const;

/** The time limit of an action in tests of timeouts, in ms. */
export const SHORT = 3_000;

export async function openAria(pages: Pages, timeoutMs = ACTION_TIMEOUT_MS): Promise<SurfaceScene> {
  return await openSurface(ariaSurface, pages, { timeoutMs });
}

interface Opening {
  start?: string;
  timeoutMs?: number;
  files?: readonly GivenFile[];
}

/** Opens a surface on the start page. */
export async function openSurface(
  make: (timeoutMs: number) => ContextSurface,
  pages: Pages,
  { start = 'http://a.test/', timeoutMs = ACTION_TIMEOUT_MS, files = [] }: Opening = {},
): Promise<SurfaceScene> {
  const scene = await openScene(pages);
  await scene.page.goto(start);
  const touched: string[] = [];
  const { context, page, contextId } = scene;
  const { targetId } = await targetOf(page);
  const touch = (id: string) => void touched.push(id);
  const seat = { context, page, contextId, targetId, touch, files };
  const session = await make(timeoutMs).open(seat);
  const call: SurfaceScene['call'] = (tool, args = {}, signal = new AbortController().signal) =>
    session.call({ tool, args }, signal);
  const on: SurfaceScene['on'] = async (tool, name, args = {}) => {
    const { text } = await call('snapshot');
    return await call(tool, { ref: refOf(text, name), ...args });
  };
  let last: ToolReply | null = null;
  const follow: SurfaceScene['follow'] = async (...steps) => {
    for (const step of steps) last = await followed(session, call, step, last);
    if (last === null) throw new Error('no steps');
    return last;
  };
  return { ...scene, session, touched, call, on, follow };
}

export function refOf(snapshot: string, name: string): string {
  const found = elementsOf(snapshot).find((element) => element.name === name);
  if (found === undefined) throw new Error(`no element is called "${name}" in:\n${snapshot}`);
  return found.ref;
}

async function followed(
  session: SurfaceSession,
  call: SurfaceScene['call'],
  step: SurfaceIntent,
  before: ToolReply | null,
): Promise<ToolReply> {
  let last = before;
  let bound = await session.bind(step, last);
  for (let looked = false; bound.kind === 'begin' || (bound.kind === 'observe' && !looked);) {
    looked ||= bound.kind === 'observe';
    last = await call(bound.call.tool, bound.call.args);
    bound = await session.bind(step, last);
  }
  if (bound.kind !== 'call') throw new Error(`cannot ${JSON.stringify(step)}: ${JSON.stringify(bound)} ${last?.text}`);
  return await call(bound.call.tool, bound.call.args);
}
