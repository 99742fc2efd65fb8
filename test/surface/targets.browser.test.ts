import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/json.ts';
import { targetClass, type TargetClass } from '../../src/task/target.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { elementsOf } from '../../src/task/snapshot-text.ts';
import { refOf } from './aria-session.ts';
import { openSurface, SURFACES, type SurfaceScene } from './page-session.ts';

/** Longest that a surface waits for an element to become fit, in ms. */
const SHORT = 1_500;

const PAGE = `<button id="send">Send</button><button class="twin">Left</button><button class="twin">Right</button>
  <label>Topic <select id="topic"><option>Sales</select></label><button id="off" disabled>Off</button>
  <div style="position: relative"><button id="under">Under</button><div style="position: absolute; inset: 0"></div></div>`;

/** How a surface names an element: by what it has shown, or as it would be named if it were there. */
type Names = (shown: ToolReply, name: 'Send' | 'Off' | 'Under' | 'Topic') => JsonObject;

const NAMED: Record<'aria' | 'dom', Names> = {
  aria: ({ text }, name) => ({ ref: refOf(text, name) }),
  dom: (_, name) => ({ selector: `#${name.toLowerCase()}` }),
};

/** An element called Late, which the agent has not been shown. */
const NEXT: Record<'aria' | 'dom', (scene: SurfaceScene) => Promise<JsonObject>> = {
  aria: async ({ page }) => {
    const { ref } = elementsOf(await page.ariaSnapshot({ mode: 'ai' })).find(({ name }) => name === 'Late') ?? {};
    return { ref: ref ?? 'e999' };
  },
  dom: () => Promise.resolve({ selector: '#late' }),
};

type Case = [
  what: string,
  expected: TargetClass,
  run: (scene: SurfaceScene, shown: ToolReply, surface: 'aria' | 'dom') => Promise<ToolReply>,
];

/** One table for all surfaces that name elements. */
const CASES: Case[] = [
  ['what is there', 'resolved', (scene, shown, surface) => scene.call('click', NAMED[surface](shown, 'Send'))],
  ['what never was', 'phantom', async (scene, _, surface) => scene.call('click', await NEXT[surface](scene))],
  [
    'what came after the agent had looked',
    'not_yet_present',
    async (scene, _, surface) => {
      await scene.page.evaluate(
        `document.body.insertAdjacentHTML('beforeend', '<button id="late">Late</button>'); void 0`,
      );
      return await scene.call('click', await NEXT[surface](scene));
    },
  ],
  [
    'what has gone since',
    'stale',
    async (scene, shown, surface) => {
      const named = NAMED[surface](shown, 'Send');
      await scene.page.evaluate(`document.querySelector('#send').remove()`);
      return await scene.call('click', named);
    },
  ],
  [
    'what it was shown before it looked again, and what has gone',
    'stale',
    async (scene, shown, surface) => {
      const named = NAMED[surface](shown, 'Send');
      await scene.page.evaluate(`document.querySelector('#send').remove()`);
      await scene.call('snapshot');
      return await scene.call('click', named);
    },
  ],
  ['what is disabled', 'blocked', (scene, shown, surface) => scene.call('click', NAMED[surface](shown, 'Off'))],
  ['what is covered', 'blocked', (scene, shown, surface) => scene.call('click', NAMED[surface](shown, 'Under'))],
  [
    'what is behind a dialog',
    'blocked',
    async (scene, shown, surface) => {
      const named = NAMED[surface](shown, 'Send');
      const opens = scene.page.waitForEvent('dialog');
      scene.page.evaluate(`setTimeout(() => alert('Stop'))`).catch(() => {});
      await opens;
      return await scene.call('click', named);
    },
  ],
  [
    'an option that no list has',
    'invented_argument',
    (scene, shown, surface) => scene.call('select', { ...NAMED[surface](shown, 'Topic'), option: 'Cake' }),
  ],
  [
    'an option that the list has',
    'resolved',
    (scene, shown, surface) => scene.call('select', { ...NAMED[surface](shown, 'Topic'), option: 'Sales' }),
  ],
  [
    'an argument that the tool does not have',
    'invented_argument',
    (scene, shown, surface) => scene.call('click', { ...NAMED[surface](shown, 'Send'), force: true }),
  ],
  ['a choice that the tool does not offer', 'invented_argument', (scene) => scene.call('dialog', { action: 'maybe' })],
  ['a tool that there is not', 'invented_argument', (scene) => scene.call('hover', {})],
  ['a key that there is not', 'invented_argument', (scene) => scene.call('press', { key: 'Entr' })],
  ['a tab that there is', 'resolved', (scene) => scene.call('tabs', { action: 'select', index: 0 })],
  ['a tab that there is not', 'phantom', (scene) => scene.call('tabs', { action: 'select', index: 7 })],
];

describe.each(['aria', 'dom'] as const)('through %s, a call that aims at', (surface) => {
  test.each(CASES)('%s is %s', async (_, expected, run) => {
    // Waiting for an element that cannot be acted on ends in the time limit: keep it short.
    const patience = expected === 'resolved' || expected === 'not_yet_present' ? {} : { timeoutMs: SHORT };
    await using scene = await openSurface(SURFACES[surface], { 'http://a.test/': PAGE }, patience);
    const shown = await scene.call('snapshot');
    const { target } = await run(scene, shown, surface);
    if (target == null || 'untold' in target) throw new Error(`no target: ${JSON.stringify(target)}`);
    expect(targetClass(target)).toBe(expected);
    // A selector that means something now is acted on, though nobody had seen it; a reference is not.
    const isSent = expected === 'resolved' || (expected === 'not_yet_present' && surface === 'dom');
    expect(target.dispatched).toBe(isSent);
  });

  test.each(['snapshot', 'back'])('nothing has no target: %s', async (tool) => {
    await using scene = await openSurface(SURFACES[surface], { 'http://a.test/': PAGE });
    expect((await scene.call(tool)).target).toBeNull();
  });

  test('nothing yet shown is a phantom, though it is there', async () => {
    await using scene = await openSurface(SURFACES[surface], { 'http://a.test/': PAGE });
    const { target } = await scene.call('click', surface === 'dom' ? { selector: '#send' } : { ref: 'e2' });
    expect(target).toMatchObject({ shown: false, matched_then: null });
  });
});

test('several at once are ambiguous: only a selector can mean them, for a reference is of one element', async () => {
  await using scene = await openSurface(SURFACES.dom, { 'http://a.test/': PAGE });
  await scene.call('snapshot');
  const { target } = await scene.call('click', { selector: '.twin' });
  expect(target).toEqual({
    shown: true,
    shown_before: false,
    matched_then: 2,
    matched_now: 2,
    actionable: null,
    dispatched: false,
    invented: [],
  });
});

test('a place in a picture names nothing, and a key or a tab does as ever', async () => {
  await using scene = await openSurface(SURFACES.pixels, { 'http://a.test/': PAGE });
  expect((await scene.call('click', { x: 5, y: 5 })).target).toEqual({ untold: 'a place in a picture names nothing' });
  expect((await scene.call('type', { text: 'a' })).target).toBeNull();
  expect((await scene.call('press', { key: 'Entr' })).target).toMatchObject({ invented: ['key'] });
});
