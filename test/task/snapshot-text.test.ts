import { expect, test } from 'vitest';
import { elementIn, elementsOf } from '../../src/task/snapshot-text.ts';

test('an element is read with its marks before and after its reference', () => {
  expect(elementIn('  - button "Send" [disabled] [ref=e5] [cursor=pointer]:')).toEqual({
    role: 'button',
    name: 'Send',
    ref: 'e5',
  });
});

test('endless references in one line, which only a tool server writes, are read once', () => {
  expect(elementsOf(`- button${' [ref=e1]'.repeat(200_000)}x`)).toEqual([]);
  expect(elementsOf(`- button${' [ref=e1]'.repeat(200_000)}`)).toHaveLength(1);
});

test('a link with only a picture has its name as text', () => {
  const link = (...inner: string[]) => ['- link [ref=e1]:', '  - /url: "#"', ...inner, '- status [ref=e9]'].join('\n');
  const picture = '  - img "Newsletter" [ref=e2]';
  expect(elementsOf(link(picture))[0]).toMatchObject({ role: 'link', name: '', text: 'Newsletter' });
  expect(elementsOf(link(picture, '  - button "Close" [ref=e3]'))[0]).not.toHaveProperty('text');
  expect(elementsOf(link('  - button "Close" [ref=e3]'))[0]).not.toHaveProperty('text');
});
