import { assert, json, nat, property } from 'fast-check';
import { expect, it } from 'vitest';
import { jsonFault } from '../../../src/task/source/json-text.ts';

it('finds no fault in JSON', () => {
  assert(
    property(json(), (text) => {
      expect(jsonFault(text)).toBeNull();
    }),
  );
});

it('finds a fault no later than where a character was put that JSON does not know', () => {
  const withoutText = json().filter((text) => !text.includes('"'));
  assert(
    property(withoutText, nat(), (text, at) => {
      const offset = at % (text.length + 1);
      const fault = jsonFault(`${text.slice(0, offset)}#${text.slice(offset)}`);
      expect(fault?.offset).toBeLessThanOrEqual(offset);
    }),
  );
});

it.each([
  ['', 0, 'a value'],
  ['[1 2]', 3, '"," or the closing bracket'],
  ['[1', 2, '"," or the closing bracket'],
  ['{"a" 1}', 5, '":"'],
  ["{'a': 1}", 1, 'text in double quotes, a number, true, false or null'],
  ['{"a": 1,}', 8, 'a field name in double quotes'],
  ['[}', 1, 'a value'],
  ['[1]]', 3, 'the end of the file'],
  ['"line\nbreak"', 0, 'well-formed text or a number, and no comment'],
  ['"\\x"', 0, 'well-formed text or a number, and no comment'],
  ['[1] // one', 4, 'well-formed text or a number, and no comment'],
])('%j', (text, offset, wanted) => {
  const message = `is not JSON: here should be ${wanted}; fix it, or name the file .yaml`;
  expect(jsonFault(text)).toEqual({ offset, message });
});
