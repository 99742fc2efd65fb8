import { expect, test } from 'vitest';
import { bindNac3 } from '../../../src/surface/nac3/bind.ts';
import type { SurfaceIntent } from '../../../src/task/intent.ts';
import { withoutParentheses } from '../../../src/surface/nac3/naming.ts';

const SEEN = {
  ok: true,
  kind: 'snapshot',
  text: `Page: http://a.test/\n\n${JSON.stringify({
    plugins: [
      {
        plugin: 'shop',
        elements: [
          { nac_id: 'shop.old', role: 'action', label: 'Save', hidden: true },
          { nac_id: 'shop.save', role: 'action', label: 'Save' },
          { nac_id: 'shop.yes', role: 'confirm-button', label: 'Yes,  cancel' },
          { nac_id: 'tab.lines', role: 'tab', label: 'Lines' },
          { nac_id: 'shop.name', role: 'field', label: 'Name' },
          { nac_id: 'shop.days', role: 'option', label: '30 days' },
        ],
      },
    ],
  })}`,
};

const CASES: [SurfaceIntent, object][] = [
  [
    { do: 'click', role: 'button', name: 'Save' },
    { tool: 'click', args: { nac_id: 'shop.save' } },
  ],
  [
    { do: 'click', role: 'button', name: 'Yes, cancel' },
    { tool: 'click', args: { nac_id: 'shop.yes' } },
  ],
  [
    { do: 'click', role: 'tab', name: 'Lines' },
    { tool: 'tab', args: { plugin: 'shop', tab_key: 'tab.lines' } },
  ],
  [
    { do: 'click', role: 'radio', name: '30 days' },
    { tool: 'click', args: { nac_id: 'shop.days' } },
  ],
  [
    { do: 'fill', label: 'Name', text: 'Ada' },
    { tool: 'fill', args: { nac_id: 'shop.name', value: 'Ada' } },
  ],
  [
    { do: 'choose', label: 'Name', option: 'A' },
    { tool: 'select', args: { nac_id: 'shop.name', value: 'A' } },
  ],
  [{ do: 'read' }, { tool: 'describe', args: {} }],
];

test.each(CASES)('%j is %j', async (intent, call) => {
  expect(await bindNac3(intent, SEEN)).toEqual({ kind: 'call', call });
});

test.each<SurfaceIntent>([
  { do: 'click', role: 'button', name: 'Send' },
  { do: 'click', role: 'tab', name: 'Save' },
  { do: 'fill', label: 'Save', text: 'x' },
])('%j is missing: it looks again', async (intent) => {
  const look = { kind: 'observe', call: { tool: 'describe', args: {} } };
  expect(await bindNac3(intent, SEEN)).toEqual(look);
  expect(await bindNac3(intent, null)).toEqual(look);
});

test.each([
  ['Total (EUR) now', 'Total  now'],
  ['a (b (c) d)', 'a  d)'],
  ['a) b (c', 'a) b (c'],
  ['none', 'none'],
])('%s is %s without them', (text, expected) => {
  expect(withoutParentheses(text)).toBe(expected);
});

test('parentheses that never close are read in linear time', () => {
  const open = '('.repeat(1_000_000);
  expect(withoutParentheses(open)).toBe(open);
});
