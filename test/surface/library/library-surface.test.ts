import { describe, expect, test } from 'vitest';
import { bindWith, librarySurface, playwright, puppeteer, stagehand } from '../../../src/surface/library/libraries.ts';
import type { SurfaceIntent } from '../../../src/task/intent.ts';
import type { ToolCall, ToolReply } from '../../../src/task/tool.ts';

const SEAT = { cdpUrl: 'http://127.0.0.1:4909', cdpPort: 4909, tabs: () => [] };
const NEVER = new AbortController().signal;

const bind = bindWith((snapshot) =>
  snapshot.split('\n').map((line) => {
    const [role = '', name = ''] = line.split(' ');
    return { role, name, ref: `the ${name}` };
  }),
);
const SHOWN: ToolReply = { ok: true, kind: 'text', text: 'button Send\ntextbox Name\ncombobox Topic' };
const call = (tool: string, args: object) => ({ kind: 'call', call: { tool, args } });
const observe = { kind: 'observe', call: { tool: 'snapshot', args: {} } };

describe('a step of a solution becomes a call of a library:', () => {
  test.each<[SurfaceIntent, object]>([
    [{ do: 'click', role: 'button', name: 'Send' }, call('click', { selector: 'the Send' })],
    [{ do: 'fill', label: 'Name', text: 'Ada' }, call('fill', { selector: 'the Name', text: 'Ada' })],
    [{ do: 'choose', label: 'Topic', option: 'Sales' }, call('select', { selector: 'the Topic', option: 'Sales' })],
    [{ do: 'switch_tab', index: 1 }, call('tabs', { index: 1 })],
    [{ do: 'click_at', x: 150, y: 50 }, call('click_at', { x: 150, y: 50 })],
    [
      { do: 'upload', role: 'button', name: 'Send', files: ['a.txt'] },
      call('upload', { selector: 'the Send', files: ['a.txt'] }),
    ],
  ])('%j', async (intent, expected) => {
    expect(await bind(intent, SHOWN)).toEqual(expected);
  });
});

describe('a step asks to look first', () => {
  const click: SurfaceIntent = { do: 'click', role: 'button', name: 'Send' };
  test.each<[string, SurfaceIntent, ToolReply | null]>([
    ['when nothing was shown yet', click, null],
    ['when the last reply was an error', click, { ...SHOWN, ok: false }],
    ['when the element is not shown', { ...click, name: 'Vote' }, SHOWN],
  ])('%s', async (_, intent, last) => {
    expect(await bind(intent, last)).toEqual(observe);
  });
});

test('an element that two looks do not show is sought in a closer look, if the library has one', async () => {
  const click: SurfaceIntent = { do: 'click', role: 'option', name: 'Large' };
  const kindsOf = async (closerLook?: ToolCall) => {
    const bindCloser = bindWith(() => [], closerLook);
    return [await bindCloser(click, SHOWN), await bindCloser(click, SHOWN), await bindCloser(click, SHOWN)];
  };
  const closer = { tool: 'snapshot', args: { all: true } };
  expect(await kindsOf(closer)).toEqual([observe, { kind: 'begin', call: closer }, observe]);
  expect(await kindsOf()).toEqual([observe, observe, observe]);
});

test.each([
  [playwright, /^playwright-core \d+\.\d+\.\d+/],
  [puppeteer, /^puppeteer-core \d+\.\d+\.\d+/],
  [stagehand, /^@browserbasehq\/stagehand \d+\.\d+\.\d+/],
])('the version of a library is that of the installed package: $id', ({ version, unavailable }, expected) => {
  expect(version).toMatch(expected);
  expect(unavailable).toBeNull();
});

test('a library that is not installed is unavailable, with the remedy', async () => {
  const surface = librarySurface({
    id: 'none',
    packageName: '@nobody/has-this',
    elementsIn: () => [],
  });
  expect(surface.unavailable).toBe('@nobody/has-this is not installed; run "npm install @nobody/has-this"');
  expect(surface.version).toBe('not installed');
  await expect(surface.open(SEAT, NEVER)).rejects.toThrow('is not installed');
});

test.each([[playwright], [puppeteer], [stagehand]])(
  'a browser that does not answer is an error: $id',
  async (surface) => {
    await expect(surface.open(SEAT, NEVER)).rejects.toThrow(new RegExp(`^${surface.id} did not start: `));
  },
);
