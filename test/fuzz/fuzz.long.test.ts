import { expect, test } from 'vitest';
import { smallBundles } from '../../scripts/draw-bundles.ts';
import { BUNDLE_COMMANDS, fuzz, SUITE_COMMANDS } from './fuzz.ts';
import { committedBundle } from '../committed-bundle.ts';

test.each(smallBundles())('the bundle %s with any content crashes nothing', async (name) => {
  expect(await fuzz(await committedBundle(name), BUNDLE_COMMANDS, { seed: 1, times: 30 })).toEqual([]);
});

test.each(['account', 'basics', 'stress', 'webvoyager'])(
  'the suite %s with any content crashes nothing',
  async (name) => {
    expect(await fuzz(`suites/${name}`, SUITE_COMMANDS, { seed: 1, times: 60 })).toEqual([]);
  },
);
