import { expect, test } from 'vitest';
import { archiveFuzz } from './archive-fuzz.ts';

test('an archive with any byte of it changed is nobody’s crash, and writes nothing', async () => {
  expect(await archiveFuzz(50)).toEqual([]);
});
