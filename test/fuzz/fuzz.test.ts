import { expect, test } from 'vitest';
import { BUNDLE_COMMANDS, fuzz, SUITE_COMMANDS } from './fuzz.ts';
import { committedBundle } from '../committed-bundle.ts';

test('a bundle with any content ends every command with 0, 1 or 2, without a crash', async () => {
  expect(await fuzz(await committedBundle('account'), BUNDLE_COMMANDS, { seed: 1, times: 8 })).toEqual([]);
});

test.each(['account', 'webvoyager'])('the suite %s with any content does so too', async (name) => {
  expect(await fuzz(`suites/${name}`, SUITE_COMMANDS, { seed: 1, times: 8 })).toEqual([]);
});
