import { describe, expect, test, it } from 'vitest';
import { bindAria } from '../../src/surface/aria/aria.ts';
import { elementsOf } from '../../src/task/snapshot-text.ts';
import type { ElementStep, SurfaceIntent } from '../../src/task/intent.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { bindElements, callOf } from '../../src/surface/binding.ts';
import { elementFor } from '../../src/surface/aria/elements.ts';

const SHOWN: ToolReply = {
  ok: true,
  kind: 'snapshot',
  text: `Page: http://a.test/
Tabs: 0 (current): http://a.test/

- generic [active] [ref=e1]:
  - heading "Contact" [level=1] [ref=e2]
  - textbox "Name" [ref=e4]
  - 'searchbox "Find: it" [ref=e5]'
  - combobox "Topic" [ref=e6]:
    - option "Sales" [selected]
  - 'button "It''s \\"fine\\"" [disabled] [ref=e7] [cursor=pointer]': "Send: now"
  - text: button "Send" [ref=e66]
  - paragraph [ref=e8]: "button \\"Send\\" [ref=e77]"
  - link "Send" [ref=e9]:
    - /url: /button "Send" [ref=e88]
  - iframe [ref=e10]:
    - button "Vote" [ref=f1e2]`,
};

const call = (tool: string, args: object) => ({ kind: 'call', call: { tool, args } });
const observe = { kind: 'observe', call: { tool: 'snapshot', args: {} } };

describe('a step of a solution becomes a call:', () => {
  test.each<[string, SurfaceIntent, object]>([
    ['go', { do: 'go', url: 'http://a.test/' }, call('navigate', { url: 'http://a.test/' })],
    ['click', { do: 'click', role: 'heading', name: 'Contact' }, call('click', { ref: 'e2' })],
    ['click with quotes', { do: 'click', role: 'button', name: 'It\'s "fine"' }, call('click', { ref: 'e7' })],
    ['click in a frame', { do: 'click', role: 'button', name: 'Vote' }, call('click', { ref: 'f1e2' })],
    ['fill', { do: 'fill', label: 'Name', text: 'Ada' }, call('fill', { ref: 'e4', text: 'Ada' })],
    ['fill with a colon', { do: 'fill', label: 'Find: it', text: '' }, call('fill', { ref: 'e5', text: '' })],
    ['choose', { do: 'choose', label: 'Topic', option: 'Sales' }, call('select', { ref: 'e6', option: 'Sales' })],
    ['press', { do: 'press', key: 'Enter' }, call('press', { key: 'Enter' })],
    ['switch_tab', { do: 'switch_tab', index: 1 }, call('tabs', { action: 'select', index: 1 })],
    ['dialog', { do: 'dialog', action: 'dismiss' }, call('dialog', { action: 'dismiss' })],
    [
      'dialog with text',
      { do: 'dialog', action: 'accept', text: 'x' },
      call('dialog', { action: 'accept', text: 'x' }),
    ],
    ['wait_for', { do: 'wait_for', text: 'Done' }, call('wait', { text: 'Done' })],
    ['read', { do: 'read' }, call('snapshot', {})],
    ['call', { do: 'call', tool: 'scroll', args: { pixels: 1 } }, call('scroll', { pixels: 1 })],
  ])('%s', async (_, intent, expected) => {
    expect(await bindAria(intent, SHOWN, null)).toEqual(expected);
  });
});

describe('a step asks to look first', () => {
  const click: SurfaceIntent = { do: 'click', role: 'button', name: 'Vote' };
  test.each<[string, SurfaceIntent, ToolReply | null]>([
    ['when nothing was shown yet', click, null],
    ['when the last reply was a dialog', click, { ok: true, kind: 'dialog', text: SHOWN.text }],
    ['when the last reply was an error', click, { ok: false, kind: 'error', text: SHOWN.text }],
    ['when the element is not shown', { do: 'click', role: 'button', name: 'Veto' }, SHOWN],
    ['when it only stands in the text of the page', { do: 'click', role: 'button', name: 'Send' }, SHOWN],
    ['when no text field has this label', { do: 'fill', label: 'Contact', text: '' }, SHOWN],
    ['when no list has this label', { do: 'choose', label: 'Name', option: 'x' }, SHOWN],
  ])('%s', async (_, intent, last) => {
    expect(await bindAria(intent, last, null)).toEqual(observe);
  });
});

test('only elements with a reference are elements', () => {
  expect(elementsOf(SHOWN.text).map(({ ref }) => ref)).toEqual([
    'e1',
    'e2',
    'e4',
    'e5',
    'e6',
    'e7',
    'e8',
    'e9',
    'e10',
    'f1e2',
  ]);
});

const button = (name: string, ref = name) => ({ role: 'button', name, ref });
const click = (name: string) => ({ do: 'click', role: 'button', name }) as const;

describe('the element of a step', () => {
  it('is the first of its role and name', () => {
    const elements = [{ role: 'link', name: 'Send', ref: 'a' }, button('Send', 'b'), button('Send', 'c')];
    expect(elementFor(click('Send'), elements)?.ref).toBe('b');
  });

  it('may have other icons or white space in its name', () => {
    expect(elementFor(click('Deploy'), [button(' Deploy')])?.ref).toBe(' Deploy');
    expect(elementFor(click('\uf017 For'), [button('For')])?.ref).toBe('For');
    expect(elementFor(click('Two words'), [button('Two\u00a0 words')])?.ref).toBe('Two\u00a0 words');
  });

  it('is the one with exactly the name, if there is one', () => {
    expect(elementFor(click('Deploy'), [button(' Deploy'), button('Deploy')])?.ref).toBe('Deploy');
  });

  it('is not one that merely contains the name', () => {
    expect(elementFor(click('Deploy'), [button('Deploy all')])).toBeUndefined();
    expect(elementFor(click('C'), [button('C+'), button('-c')])).toBeUndefined();
  });

  it('may differ in letter case and symbols at its ends, if there is only one such', () => {
    expect(elementFor(click('Call us'), [button('★ CALL US'), button('Call us back')])?.ref).toBe('★ CALL US');
    expect(elementFor(click('Call us'), [button('CALL US'), button('★ Call us')])).toBeUndefined();
    expect(elementFor(click('★'), [button('→')])).toBeUndefined();
  });

  it('takes text or an option, if the step has one', () => {
    const elements = [button('Size'), { role: 'combobox', name: 'Size', ref: 'list' }];
    expect(elementFor({ do: 'choose', label: 'Size', option: 'L' }, elements)?.ref).toBe('list');
    expect(elementFor({ do: 'fill', label: 'Size', text: 'L' }, elements)?.ref).toBe('list');
  });
});

test.each<[role: string, step: ElementStep, isFound: boolean]>([
  ['Date', { do: 'fill', label: 'It', text: '' }, true],
  ['input', { do: 'fill', label: 'It', text: '' }, true],
  ['select', { do: 'choose', label: 'It', option: '' }, true],
  ['a', { do: 'click', role: 'link', name: 'It' }, true],
  ['label', { do: 'click', role: 'radio', name: 'It' }, true],
  ['a', { do: 'click', role: 'button', name: 'It' }, false],
  ['', { do: 'click', role: 'generic', name: 'It' }, true],
  ['StaticText', { do: 'click', role: 'generic', name: 'It' }, true],
  ['StaticText', { do: 'click', role: 'button', name: 'It' }, false],
  ['label', { do: 'fill', label: 'It', text: '' }, false],
])('an element that a tool shows as "%s" can be that of the step %j: %s', (role, step, isFound) => {
  expect(elementFor(step, [{ role, name: 'It', ref: '1' }]) !== undefined).toBe(isFound);
});

describe('a step finds a control without a name', () => {
  const elements = elementsOf(`- generic [ref=e1]:
  - text: Username
  - textbox [ref=e2]
  - generic [ref=e3]: Password
  - textbox "Given" [ref=e4]
  - textbox [ref=e5]: typed
  - text: Accept
  - checkbox [ref=e6]
  - combobox [ref=e7]`);
  const refOf = (step: ElementStep) => elementFor(step, elements)?.ref;

  it.each<[number, string | undefined]>([
    [1, 'e2'],
    [2, 'e4'],
    [3, 'e5'],
    [4, undefined],
  ])('by its place among all of its role: %i', (nth, ref) => {
    expect(refOf({ do: 'fill', label: '', role: 'textbox', nth, text: '' })).toBe(ref);
  });

  it('among all that can be filled, if it has no role', () => {
    expect(refOf({ do: 'fill', label: '', nth: 4, text: '' })).toBe('e7');
    expect(refOf({ do: 'choose', label: '', nth: 1, option: '' })).toBe('e7');
    expect(refOf({ do: 'click', role: 'checkbox', name: '', nth: 1 })).toBe('e6');
  });

  it.each<[string, string | undefined]>([
    ['Username', 'e2'],
    ['Password', 'e4'],
    ['Given', 'e5'],
    ['Elsewhere', undefined],
  ])('as the first after a text: %s', (near, ref) => {
    expect(refOf({ do: 'fill', label: '', role: 'textbox', near, text: '' })).toBe(ref);
  });

  it('of another role than the text', () => {
    expect(refOf({ do: 'click', role: 'checkbox', name: '', near: 'Accept' })).toBe('e6');
  });
});

test('calls that name elements cannot act on one without a name', async () => {
  const bind = bindElements(
    { look: callOf('look', {}), fill: callOf('type', { label: '{{name}}', text: '{{text}}' }) },
    () => ({
      ref: 'e2',
      name: '',
    }),
  );
  expect(await bind({ do: 'fill', label: '', nth: 1, text: 'Ada' }, null, null)).toEqual({
    kind: 'impossible',
    why: 'its call names elements, and this one has no name',
  });
});
