import { expect, test } from 'vitest';
import { messageFor } from '../../../src/messages/messages.ts';
import { selectAll, selectorProblem } from '../../../src/contract/dom/select.ts';
import type { CapturedFrame } from '../../../src/contract/dom/captured-tree.ts';
import { capturedFrames } from '../../../src/contract/dom/document.ts';
import { firstOf } from './find.ts';
import { tinySnapshot, type TinyNode } from './tiny-snapshot.ts';

function frameOf(...children: TinyNode[]): CapturedFrame {
  const main = tinySnapshot({ nodes: [{ tag: 'HTML', children }] });
  return firstOf(capturedFrames({ main, remote_frames: [], loading: false }).frames);
}

const found = (frame: CapturedFrame, selector: string) =>
  selectAll(frame, selector).map((element) => element.attributes.get('id') ?? element.name);
const node = (tag: string, id: string, ...children: TinyNode[]): TinyNode => ({ tag, attributes: { id }, children });

test.each([
  'body',
  'main > ul li:nth-child(2n + 1)',
  '#a.b[data-x="1"]:not(.c, #d):is(p, q)',
  'p:has(> a, + b)',
  '.md\\:flex, .w-1\\/2, #\\31 23',
  '[data-id=\'1\'], [lang|=en], [type="TEXT" i]',
  'input:checked ~ label',
])('%s is sound', (selector) => {
  expect(selectorProblem(selector)).toBeNull();
});

test.each([
  ['a:hover', 'uses ":hover", but a capture has no pointer'],
  ['a:visited', 'uses ":visited", but a capture has no pointer'],
  ['p::before', 'uses the pseudo-element "::before", which is not an element'],
  ['p:first-line', 'uses the pseudo-element "::first-line"'],
  [':host > p', 'uses ":host"; shadow trees are searched anyway'],
  ['p:contains(x)', 'uses ":contains", which is not CSS; compare text with the fields of dom_text'],
  ['p:selected', 'uses ":selected", which cannot be judged over a capture; use :root'],
  ['li:nth-child(x)', 'has an invalid ":nth-child()"'],
  ['p:first-child(2)', 'gives ":first-child" an argument'],
  ['p:not', 'needs selectors in ":not()"'],
  ['a:has(b:has(c))', 'uses :has() or :scope inside :has()'],
  ['a:has(:not(:has(c)))', 'uses :has() or :scope inside :has()'],
  ['[a!="b"]', 'uses "!=", which is not CSS; write :not([a="…"])'],
  ['[a=1]', 'needs quotes: write ="1"'],
  ['[a="b" s]', 'uses the flag "s"'],
  ['svg|a', 'uses a namespace'],
  ['a < b', 'uses "<", which is not CSS'],
  ['> a', 'starts with a combinator'],
  ['a >', 'ends with a combinator'],
  ['p:not(> a)', 'starts with a combinator'],
  ['.1st', 'has "1st", which is not a name in CSS'],
  ['#1', 'has "1", which is not a name in CSS'],
  ['..a', 'has ".a", which is not a name in CSS'],
  ['*a', 'has an element name after another selector'],
  ['a,', 'is not a CSS selector'],
  ['a[b', 'is not a CSS selector'],
  ['a[', 'is not a CSS selector: Expected name, found the end of the selector'],
  ['a[]', 'is not a CSS selector: Expected name, found ]'],
  ['', 'is not a CSS selector'],
  ['p'.repeat(513), 'is longer than 512 characters'],
])('%s is refused, with what to write instead', (selector, problem) => {
  expect(messageFor(selectorProblem(selector) ?? '')).toContain(problem);
});

test('an unsound selector is never evaluated', () => {
  expect(() => selectAll(frameOf(), 'a:hover')).toThrow('uses ":hover"');
});

test('checked follows the browser’s state, not the attributes', () => {
  const frame = frameOf(
    { tag: 'INPUT', attributes: { id: 'a', type: 'checkbox', checked: '' } },
    { tag: 'INPUT', attributes: { id: 'b', type: 'checkbox' }, checked: true },
    { tag: 'OPTION', attributes: { id: 'c', selected: '' } },
    { tag: 'OPTION', attributes: { id: 'd' }, selected: true },
  );
  expect(found(frame, ':checked')).toEqual(['b', 'd']);
});

test('no combinator crosses a shadow boundary', () => {
  const inside: TinyNode = { tag: 'P', attributes: { id: 'in' }, shadow: 'closed' };
  const frame = frameOf(node('DIV', 'host', inside), node('P', 'out'));
  expect(found(frame, 'p')).toEqual(['in', 'out']);
  expect(found(frame, 'div p')).toEqual([]);
  expect(found(frame, 'div ~ p')).toEqual(['out']);
});

test('a node in a slot is a child of the host', () => {
  const slot: TinyNode = { tag: 'SLOT', shadow: 'open', children: [node('P', 'light')] };
  const frame = frameOf(node('DIV', 'host', slot));
  expect(found(frame, 'div > p')).toEqual(['light']);
  expect(found(frame, 'slot p')).toEqual([]);
});

test('classes and ids match in any case in a document without a doctype, and only there', () => {
  const tree: TinyNode = { tag: 'HTML', children: [{ tag: 'P', attributes: { class: 'Total', id: 'Sum' } }] };
  const count = (doctype: boolean) => {
    const { frames } = capturedFrames({
      main: tinySnapshot({ doctype, nodes: [tree] }),
      remote_frames: [],
      loading: false,
    });
    return selectAll(firstOf(frames), '.total, #sum').length;
  };
  expect([count(true), count(false)]).toEqual([0, 1]);
});

test('an element is found once, however many of the selectors it matches', () => {
  expect(found(frameOf(node('P', 'a'), node('P', 'b')), '#b, p, #a')).toEqual(['a', 'b']);
});

test('the most tangled selector of 512 characters is answered on a deep and wide page', () => {
  let tree: TinyNode = node('DIV', 'leaf');
  for (let depth = 0; depth < 2000; depth++) tree = { tag: 'DIV', children: [{ tag: 'DIV' }, tree] };
  const selector = `x ${'div ~ div '.repeat(50)}`.trim();
  expect(found(frameOf(tree), selector)).toEqual([]);
  expect(found(frameOf(tree), `x:has(${'div div ~ '.repeat(40)}div)`)).toEqual([]);
});
