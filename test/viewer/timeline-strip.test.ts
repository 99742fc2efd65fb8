import { expect, it, describe, test } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { filmSection } from '../../src/viewer/film.ts';
import { timelineStrip, type TimelineMoment } from '../../src/viewer/timeline.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import { amongText, elementText, ListedElements } from '../../src/viewer/listed-elements.ts';
import { CALL, RESULT } from '../episode/sample-events.ts';

/** A call that ran from one moment to another, of which its tool took some. */
function step(number: number, from: number, { to, took }: { to: number; took: number }): TimelineMoment {
  const call = { ...CALL, step: number };
  const result = { ...RESULT, step: number, tool_ms: took };
  return {
    kind: 'step',
    call: { line: 1, at: from, event: call },
    result: { line: 2, at: to, event: result },
    named: [],
  };
}

function keysOf(moments: TimelineMoment[]): string[] {
  const drawn = String(timelineStrip({ moments, pictures: new Map(), start: NONE, end: NONE, cut: 0 }) ?? '');
  return [...drawn.matchAll(/<li>(.*?)<\/li>/g)].map(([, key = '']) => key.replaceAll(/<[^>]*>/g, ''));
}

const NONE = { success: null, guards: null };

it('adds up the time of tools, as in the list of steps and the row, the time between, and the total', () => {
  const moments = [step(1, 1_000, { to: 1_230, took: 210 }), step(2, 1_240, { to: 1_710, took: 470 })];
  expect(keysOf(moments)).toEqual([
    'tool call, 0.68 s',
    'between them, 0.03 s: the agent, and Touchstone noting what each call did',
    'from the first to the last 0.71 s',
  ]);
});

it('leaves out the time between if there is none', () => {
  expect(keysOf([step(1, 0, { to: 500, took: 500 })])).toEqual([
    'tool call, 0.50 s',
    'from the first to the last 0.50 s',
  ]);
});

it('explains a step without a picture, with the command as typed in a clone, and nothing else', () => {
  const moments = [step(1, 0, { to: 5, took: 5 }), step(2, 5, { to: 10, took: 5 })];
  const row = finishRow({ ...SAMPLE, artifacts: { ...SAMPLE.artifacts, screenshot_end: 'e'.repeat(64) } });
  const film = String(filmSection({ moments, pictures: new Map(), start: NONE, end: NONE, cut: 0 }, row));
  const [, first = '', second = ''] = film.split(/(?=<article )/).slice(1);
  expect(first).toContain('id="step-1"');
  expect(first).toContain(
    `<code>npx --no-install touchstone run ${row.suite} --task ${row.task} --agent ${row.agent} --surface ${row.surface} --film</code>`,
  );
  expect(second).toContain('id="step-2"');
  expect(second).not.toContain('--film');
  expect(film).not.toContain('#network');
});

it('lists the requests of an agent that drove the browser itself, as text', () => {
  const sent = ['POST http://shop.localhost/<b> (303)'];
  const film = String(filmSection({ moments: [], pictures: new Map(), start: NONE, end: NONE, cut: 0 }, SAMPLE, sent));
  expect(film).toContain('<li><code>POST http://shop.localhost/&lt;b&gt; (303)</code></li>');
});

const PAGE = `Page: http://shop.localhost/

- generic [active] [ref=e1]:
  - heading "Checkout" [level=1] [ref=e2]
  - textbox "Your name" [ref=e5]: Ada
  - 'button "Pay: now" [ref=e6]'
  - paragraph [ref=e7]: "- button \\"Forged\\" [ref=e5]"
  - text: - button "Forged" [ref=e6]`;

/** Elements that a call with these arguments names, after replies that list these texts. */
function named(args: JsonObject, ...replies: string[]): string[] {
  const listed = new ListedElements();
  for (const [at, text] of replies.entries()) listed.take({ step: at + 1, text });
  return listed
    .namedBy({ args })
    .map((each) => `${elementText(each)}, ${each.argument} ${each.ref} of ${each.listedIn}`);
}

test('a reference has the name in the last reply that listed it', () => {
  const later = '- button "Your order" [ref=e5]';
  expect(named({ ref: 'e5', text: 'Ada' }, PAGE)).toEqual(['textbox "Your name", ref e5 of 1']);
  expect(named({ ref: 'e6' }, PAGE)).toEqual(['button "Pay: now", ref e6 of 1']);
  expect(named({ ref: 'e5' }, PAGE, later)).toEqual(['button "Your order", ref e5 of 2']);
  expect(named({ ref: 'e5' }, PAGE, 'a dialog is open')).toEqual(['textbox "Your name", ref e5 of 1']);
});

test('one of several elements with the same role and name is counted, in the reply that lists it', () => {
  const among = (ref: string, ...replies: string[]): string[] => {
    const listed = new ListedElements();
    for (const [at, text] of replies.entries()) listed.take({ step: at + 1, text });
    return listed.namedBy({ args: { ref } }).map(amongText);
  };
  const row = (ref: number) => `- row:\n  - button "Delete" [ref=e${ref}]\n  - link "Delete" [ref=e${ref + 20}]\n`;
  const page = `${row(1)}${row(2)}${row(3)}- button [ref=e8]\n- button [ref=e9]`;
  expect(among('e1', page)).toEqual([', the first of 3 with this role and name']);
  expect(among('e23', page)).toEqual([', number 3 of 3 with this role and name']);
  expect(among('e1', page, row(1))).toEqual(['']);
  expect(among('e8', page)).toEqual(['']);
});

test('an element without a name is named by its role', () => {
  expect(named({ ref: 'e1' }, PAGE)).toEqual(['generic, ref e1 of 1']);
});

test('an element that was never listed gets no description', () => {
  expect(named({ ref: 'e9' }, PAGE)).toEqual([]);
  expect(named({ ref: 'e5' })).toEqual([]);
  expect(named({ ref: 5 }, PAGE)).toEqual([]);
});

test('typed text is no reference, whatever it looks like', () => {
  expect(named({ text: 'e5', value: 'e6' }, PAGE)).toEqual([]);
});

test.each([
  ['playwright-mcp', { target: 'e5' }, PAGE, 'textbox "Your name", target e5 of 1'],
  ['playwright', { selector: 'aria-ref=e5' }, PAGE, 'textbox "Your name", selector e5 of 1'],
  ['chrome-devtools-mcp', { uid: '1_3' }, '  uid=1_3 button "Send" focused', 'button "Send", uid 1_3 of 1'],
  ['stagehand', { selector: '0-21' }, '  [0-21] button: Send', 'button "Send", selector 0-21 of 1'],
])('the same holds in the words of %s', (_, args, reply, text) => {
  expect(named(args, reply)).toEqual([text]);
});

describe('text of a page', () => {
  test('is cut if it is long', () => {
    const [text = ''] = named({ ref: 'e1' }, `- button "${'x'.repeat(4_000)}" [ref=e1]`);
    expect(text).toMatch(/^button "x{60}…", ref e1/);
  });

  test('fills no memory: the first of endlessly many elements are known', () => {
    const many = Array.from({ length: 20_002 }, (__, at) => `- button "B" [ref=e${at + 1}]`).join('\n');
    expect(named({ ref: 'e20000' }, many)).toHaveLength(1);
    expect(named({ ref: 'e20001' }, many)).toEqual([]);
    expect(named({ ref: 'e1' }, many, '- link "L" [ref=e1]')).toEqual(['link "L", ref e1 of 2']);
  });

  test('is no element in a line of any length', () => {
    expect(named({ ref: 'e1' }, `- button "B" [ref=e1]: ${'x'.repeat(6_000)}`)).toEqual([]);
  });
});
