import { expect, test } from 'vitest';
import { BUNDLE_COMMANDS, fuzz, SUITE_COMMANDS } from './fuzz.ts';
import { committedBundle } from '../committed-bundle.ts';

test('a bundle with anything in it ends every command with 0, 1 or 2, and is nobody’s crash', async () => {
  expect(await fuzz(await committedBundle('account'), BUNDLE_COMMANDS, { seed: 1, times: 8 })).toEqual([]);
});

test.each(['account', 'webvoyager'])('the suite %s with anything in it does so too', async (name) => {
  expect(await fuzz(`suites/${name}`, SUITE_COMMANDS, { seed: 1, times: 8 })).toEqual([]);
});
