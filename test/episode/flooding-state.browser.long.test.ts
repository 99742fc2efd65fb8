import { expect, test } from 'vitest';
import type { Json } from '../../src/contract/json.ts';
import { grownUnderGuard, STATE_MISSING } from './growing-state.ts';

test.each<[string, () => Json]>([
  ['90 MB that JSON escapes', () => ({ text: '\u0001'.repeat(90e6) })],
  ['90 MB of letters', () => ({ text: 'x'.repeat(90e6) })],
  ['30 MB in small pieces', () => Array.from({ length: 1e6 }, () => 'x'.repeat(27))],
])('an app state of %s is missing, and the attempt counts', async (_what, grown) => {
  expect(await grownUnderGuard(grown)).toMatchObject(STATE_MISSING);
});
