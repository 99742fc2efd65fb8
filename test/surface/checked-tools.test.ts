import { expect, test } from 'vitest';
import { checkedTools } from '../../src/surface/page/tools.ts';

test('a list of more tools than a thousand is refused, before any schema is read', () => {
  let read = 0;
  const tool = {
    name: 'a',
    get inputSchema() {
      read += 1;
      return {};
    },
  };
  expect(checkedTools([tool])).toEqual([{ name: 'a', description: '', input_schema: {} }]);
  expect(() => checkedTools(Array.from({ length: 1_001 }, () => tool))).toThrow(
    'its list has 1001 tools, more than 1000',
  );
  expect(read).toBe(1);
});
