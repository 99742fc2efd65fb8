import { describe, expect, test } from 'vitest';
import { domSurface } from '../../src/surface/dom/dom.ts';
import { openSurface, SHORT } from './page-session.ts';

const PAGES = {
  'http://a.test/': `<input type="file" id="one"><input type="file" id="many" multiple hidden><input type="file" id="off" disabled>
    <button id="choose" onclick="many.click()">Choose</button><button id="nothing">Nothing</button>`,
};
const FILES = ['first', 'second'].map((name) => ({ name: `${name}.txt`, bytes: Buffer.from(`the ${name}`) }));

const open = (files = FILES) => openSurface(domSurface, PAGES, { timeoutMs: SHORT, files });

/** The names and texts of the files that a field holds. */
const held = (field: string) => `Promise.all([...${field}.files].map(async (file) => [file.name, await file.text()]))`;

test('there is a tool for uploads only if the task gives files, and it lists their names', async () => {
  const [given, none] = [await open(), await open([])];
  const schemaIn = ({ session }: typeof given) => session.tools.find(({ name }) => name === 'upload')?.input_schema;
  expect(JSON.stringify(schemaIn(given))).toContain('"enum":["first.txt","second.txt"]');
  expect(schemaIn(none)).toBeUndefined();
});

test.each([
  ['#one', ['second.txt'], 'one', [['second.txt', 'the second']]],
  // As an agent names it that reads the HTML.
  [
    '#many',
    ['second.txt', 'first.txt'],
    'many',
    [
      ['second.txt', 'the second'],
      ['first.txt', 'the first'],
    ],
  ],
  ['#choose', ['first.txt'], 'many', [['first.txt', 'the first']]],
])('%s takes %j', async (selector, files, field, expected) => {
  const scene = await open();
  await scene.call('snapshot');
  expect(await scene.call('upload', { selector, files })).toMatchObject({ ok: true });
  expect(await scene.page.evaluate(held(field))).toEqual(expected);
});

describe('nothing is uploaded', () => {
  test.each([
    ['#off', ['first.txt'], /not enabled/],
    ['#nothing', ['first.txt'], /filechooser/],
    ['#one', ['first.txt', 'second.txt'], /single file/],
    ['#one', ['../task.yaml'], /not right/],
    ['#one', ['/etc/passwd'], /not right/],
  ])('%s %j', async (selector, files, why) => {
    const scene = await open();
    await scene.call('snapshot');
    const { ok, text } = await scene.call('upload', { selector, files });
    expect({ ok, text }).toEqual({ ok: false, text: expect.stringMatching(why) });
    expect(await scene.page.evaluate('one.files.length + off.files.length + many.files.length')).toBe(0);
  });
});

test('a file that the task does not give is an invented argument', async () => {
  const scene = await open();
  await scene.call('snapshot');
  const { target } = await scene.call('upload', { selector: '#one', files: ['../task.yaml'] });
  expect(target).toMatchObject({ invented: ['files.0'] });
});
