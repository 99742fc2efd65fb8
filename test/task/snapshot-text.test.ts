import { expect, test } from 'vitest';
import { elementIn, elementsOf } from '../../src/task/snapshot-text.ts';

test('an element is read with its marks before and after its reference', () => {
  expect(elementIn('  - button "Send" [disabled] [ref=e5] [cursor=pointer]:')).toEqual({
    role: 'button',
    name: 'Send',
    ref: 'e5',
  });
});

test('references without end in one line, which only a tool server writes, are read once', () => {
  expect(elementsOf(`- button${' [ref=e1]'.repeat(200_000)}x`)).toEqual([]);
  expect(elementsOf(`- button${' [ref=e1]'.repeat(200_000)}`)).toHaveLength(1);
});
