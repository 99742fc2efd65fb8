import { expect, test } from 'vitest';
import { archiveFuzz } from './archive-fuzz.ts';

test('an archive with any byte changed crashes nothing, and writes nothing', async () => {
  expect(await archiveFuzz(25)).toEqual([]);
});
