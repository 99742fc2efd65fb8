import { expect, test } from 'vitest';
import { takenList } from '../../../src/surface/page/tools.ts';

test('a list of more tools than a thousand is refused, before any of its schemas is read', () => {
  let read = 0;
  const tool = {
    name: 'a',
    get inputSchema() {
      read += 1;
      return {};
    },
  };
  expect(takenList([tool])).toEqual([{ name: 'a', description: '', input_schema: {} }]);
  expect(() => takenList(Array.from({ length: 1_001 }, () => tool))).toThrow('its list has 1001 tools, more than 1000');
  expect(read).toBe(1);
});
