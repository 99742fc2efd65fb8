import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/json.ts';
import { BUILT_IN } from '../../src/surface/built-in.ts';
import { ABILITIES, type Differences } from '../../src/surface/traits.ts';
import { TargetFacts } from '../../src/task/target.ts';
import {
  ABILITY_CASES,
  abilityCases,
  IDS,
  openDialog,
  openPage,
  QUICK_IDS,
  quickCases,
  tried,
} from './conformance-cases.ts';
import { describeTargets } from './conformance-targets.ts';
import type { SurfaceScene } from './page-session.ts';

/** Surfaces of the app's own tools. */
const OF_APPS = ['app-mcp', 'webmcp'];

function differencesOf(surface: string): Differences | undefined {
  return BUILT_IN.find(({ id }) => id === surface)?.differences;
}

test('exactly the surfaces that state their differences are tried here', () => {
  const checked = BUILT_IN.filter(({ differences }) => differences !== undefined).map(({ id }) => id);
  expect(checked.toSorted()).toEqual([...IDS, ...OF_APPS].toSorted());
});

test('every ability is tried', () => {
  expect(new Set([...ABILITY_CASES.map(([ability]) => ability), 'read'])).toEqual(new Set(ABILITIES));
});

test.each(OF_APPS)('%s lacks the abilities of a user of pages, and states why', (surface) => {
  expect(Object.keys(differencesOf(surface)?.lacks ?? {})).toEqual([...ABILITIES]);
  expect(differencesOf(surface)?.shortcut?.tools).toBe('all');
});

test('nac3 states that it shows no frames', () => {
  expect(differencesOf('nac3')?.sight).toContainEqual(expect.stringContaining('frames'));
});

test.each(IDS)('%s is not tried for what it lacks', (surface) => {
  const lacked = new Set(Object.keys(differencesOf(surface)?.lacks ?? {}));
  expect(abilityCases(surface).filter(([ability]) => lacked.has(ability))).toEqual([]);
});

describe.each(QUICK_IDS)('through %s', (surface) => {
  test.each(quickCases(surface))('%s: %s', async (...each) => {
    const [, , , , outcome] = each;
    expect(await tried(surface, each)).toEqual({ ok: true, outcome });
  });
});

describe.each(IDS)('through %s', (surface) => {
  test('read: the content of the page', async () => {
    await using scene = await openPage(surface);
    const { text, image } = await scene.follow({ do: 'read' });
    const seen = surface === 'pixels' ? Buffer.from(image?.base64 ?? '', 'base64').toString('latin1') : text;
    expect(text).toMatch(/^Page: http:\/\/a\.test\/\nTabs: 0 \(current\): http:\/\/a\.test\/\n\n/);
    expect(seen).toContain(surface === 'pixels' ? 'PNG' : 'Topic');
  });

  test('a cancelled call ends at once, and the judge is notified of its tab', async () => {
    await using scene = await openPage(surface);
    const cancelled = new AbortController();
    const waiting = scene.call('wait', { text: 'Never' }, cancelled.signal);
    cancelled.abort();
    expect(await waiting).toMatchObject({
      ok: false,
      kind: 'error',
      text: expect.stringMatching(/cancelled|aborted/i),
    });
    expect(new Set(scene.touched).size).toBe(1);
  });

  test('while a dialog is open, a call is refused with the remedy, until it is answered', async () => {
    await using scene = await openPage(surface);
    await openDialog(scene);
    const refused = { ok: false, text: 'a dialog is open, answer it first with "dialog": alert dialog: Stop' };
    for (const call of REFUSED_BY_DIALOG) expect(await scene.call(...call)).toMatchObject(refused);
    expect(await scene.follow({ do: 'read' })).toMatchObject(refused);
    expect(await scene.call('dialog', { action: 'accept', text: 'x' })).toMatchObject({
      ok: false,
      text: 'this alert dialog asks for no text; answer it without "text"',
    });
    expect(await scene.call('dialog', { action: 'accept' })).toMatchObject({ ok: true });
  });
});

const REFUSED_BY_DIALOG: [string, JsonObject][] = [
  ['navigate', { url: 'http://a.test/b' }],
  ['back', {}],
  ['press', { key: 'Enter' }],
  ['wait', { text: 'Topic' }],
];

describe.each(IDS)('through %s, an invalid call is refused at once, with the reason:', (surface) => {
  let scene: SurfaceScene;
  beforeAll(async () => {
    scene = await openPage(surface);
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test.each<[what: string, tool: string, args: JsonObject, invented: string[] | null, text: RegExp]>([
    ['an unknown tool', 'pinch', {}, ['tool'], /^there is no tool "pinch"; the tools are /],
    ['a tool that every object has', 'constructor', {}, ['tool'], /^there is no tool "constructor"/],
    ['a missing argument', 'press', {}, null, /arguments of "press" are not right: [^]*at key/],
    ['an argument of another type', 'wait', { text: 1 }, null, /"wait" are not right: [^]*expected string[^]*at text/],
    ['an unknown argument', 'back', { steps: 2 }, ['steps'], /"back" are not right: [^]*steps/],
    ['a choice that is not offered', 'dialog', { action: 'ok' }, ['action'], /"dialog" are not right: [^]*at action/],
    ['an unknown key', 'press', { key: 'Entr' }, ['key'], /Unknown key: "Entr"/],
    ['a tab that is not there', 'tabs', { action: 'select', index: 7 }, [], /^there is no tab 7; Tabs: 0 \(current\)/],
    ['a dialog that is not there', 'dialog', { action: 'accept' }, null, /^no dialog is open$/],
    ['a file', 'navigate', { url: 'file:///etc/passwd' }, null, /^file: addresses are refused/],
    ['half an address', 'navigate', { url: 'a.test' }, null, /is not an address; write it in full/],
  ])('%s', async (_, tool, args, invented, text) => {
    const { target, ...reply } = await scene.call(tool, args);
    expect(reply).toEqual({ ok: false, kind: 'error', text: expect.stringMatching(text) });
    expect(target == null ? null : TargetFacts.parse(target).invented).toEqual(invented);
    expect(scene.page.url()).toBe('http://a.test/');
  });
});

describeTargets('aria');

test('through pixels, a place in the picture names nothing', async () => {
  await using scene = await openPage('pixels');
  expect((await scene.call('click', { x: 5, y: 5 })).target).toEqual({ untold: 'a place in a picture names nothing' });
  expect((await scene.call('type', { text: 'a' })).target).toBeNull();
});
