import { describe, expect, test } from 'vitest';
import type { Driver, ToolWords } from '../../../src/surface/library/driver.ts';
import { LibrarySession } from '../../../src/surface/library/session.ts';
import { Dialogs } from '../../../src/surface/page/dialogs.ts';

const WORDS: ToolWords = {
  snapshot: 'Look.',
  selector: 'CSS',
  option: 'Text',
  upload: 'Give.',
  newTab: '',
  dialog: '',
};
const FILES = ['/home/agent/files/first.txt', '/home/agent/files/second.txt'];
const NEVER = new AbortController().signal;

/** A session of a library that writes down the calls that it gets. */
function openSession(words = WORDS, files = FILES) {
  const made: unknown[][] = [];
  const write =
    (name: string) =>
    async (...args: unknown[]): Promise<void> => {
      made.push([name, ...args.filter((arg) => !(arg instanceof AbortSignal))]);
    };
  const driver: Driver = {
    dialogs: new Dialogs(),
    tabs: async () => [{ url: 'http://a.test/', isCurrent: true }],
    selectTab: write('selectTab'),
    navigate: write('navigate'),
    back: write('back'),
    snapshot: async (_signal, all) => (all ? 'all of it' : 'the page'),
    click: write('click'),
    point: write('point'),
    drag: write('drag'),
    fill: write('fill'),
    select: write('select'),
    upload: write('upload'),
    clickAt: write('clickAt'),
    press: write('press'),
    shows: async () => true,
  };
  const session = new LibrarySession(driver, words, files);
  return { made, session, call: (tool: string, args: object) => session.call({ tool, args: { ...args } }, NEVER) };
}

test('files that the task gives go to the library by their paths', async () => {
  const { made, call } = openSession();
  expect(await call('upload', { selector: '#one', files: ['second.txt', 'first.txt'] })).toMatchObject({ ok: true });
  expect(made).toEqual([['upload', '#one', FILES.toReversed()]]);
});

describe('no other file is uploaded', () => {
  test.each([['third.txt'], ['../../etc/passwd'], ['/home/agent/files/first.txt']])('%s', async (name) => {
    const { made, call } = openSession();
    const reply = await call('upload', { selector: '#one', files: [name] });
    expect({ reply, made }).toEqual({ reply: expect.objectContaining({ ok: false }), made: [] });
  });
});

test('without files there is no tool for them', async () => {
  const { session, call } = openSession(WORDS, []);
  expect(Object.keys(session.tools)).not.toContain('upload');
  expect(await call('upload', { selector: '#one', files: ['first.txt'] })).toMatchObject({ ok: false });
});

test('a place of the tab is clicked', async () => {
  const { made, call } = openSession();
  await call('click_at', { x: 150, y: 50 });
  expect(made).toEqual([['clickAt', 150, 50]]);
});

test.each([{ x: -1, y: 50 }, { x: 1.5, y: 50 }, { x: 150 }])('no place is clicked with %j', async (place) => {
  const { made, call } = openSession();
  expect(await call('click_at', place)).toMatchObject({ ok: false });
  expect(made).toEqual([]);
});

test('a library that leaves something out shows it on request', async () => {
  const { call } = openSession({ ...WORDS, all: 'Everything' });
  expect((await call('snapshot', { all: true })).text).toContain('all of it');
  expect((await call('snapshot', {})).text).toContain('the page');
});

test('a library that always shows all takes no such request', async () => {
  expect(await openSession().call('snapshot', { all: true })).toMatchObject({ ok: false });
});
