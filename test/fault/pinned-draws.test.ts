import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readFaultProfiles } from '../../src/cli/built-in-files.ts';
import { hashJson } from '../../src/contract/canonical.ts';
import { drawFault, type ArmedFault } from '../../src/fault/schema.ts';

const ELEMENTS = ['Save', 'Cancel', 'Next'].map((name) => ({ role: 'button', name }));
const PROFILES = readdirSync(path.resolve(import.meta.dirname, '../../faults')).map((file) =>
  path.basename(file, '.yaml'),
);

/** Draws of the seed 7, by the id of the fault in its profile. A fault that is added changes none of them. */
const PINNED: Readonly<Record<string, string>> = {
  'browser-crash': 'call 4',
  'browser-closed': 'call 4',
  'browser-cut': 'call 2',
  'browser-offline': 'call 2',
  'browser-throttle': 'call 2',
  'browser-cookies': 'call 2',
  'net-drop': 'request 1',
  'net-reset': 'request 1',
  'net-stall': 'request 2',
  'net-slow': 'request 2',
  'net-truncated': 'request 2',
  'net-429': 'request 2',
  'net-503': 'request 2',
  'page-rerendered': 'Cancel',
  'page-renamed': 'Cancel',
  'page-covered': 'Next',
  'page-disabled': 'Save',
  'page-moved': 'Cancel',
  'page-reordered': 'Cancel',
  'page-late': 'Next',
  'page-modal': 'Cancel',
  'page-beforeunload': 'Cancel',
  'page-injection': 'Save canary-49955f6bca00',
  'server-killed': 'call 4',
  'server-hung': 'call 2',
  'server-malformed': 'call 4',
};

/** Draw the pinned faults of the built-in profiles, as a campaign with this seed does in these iterations. */
async function schedule(seed: number, iterations: number): Promise<ArmedFault[]> {
  const faults = (await readFaultProfiles(PROFILES.toSorted())).filter(({ id }) => id in PINNED);
  const lots = Array.from({ length: iterations }, (_, iteration) => ({
    seed,
    suite: 'stress',
    task: 'pay',
    iteration,
  }));
  const drawn = faults.flatMap((fault) => lots.map((lot) => drawFault(fault, lot, ELEMENTS)));
  return drawn.flatMap((each) => ('armed' in each ? [each.armed] : []));
}

function words(armed: ArmedFault): string {
  if ('nth' in armed) return `request ${armed.nth}`;
  if ('call' in armed) return `call ${armed.call}`;
  return `${armed.element.name}${armed.canary === undefined ? '' : ` ${armed.canary}`}`;
}

test('the same seed draws the pinned schedule', async () => {
  const drawn = (await schedule(7, 1)).map((armed) => [armed.id, words(armed)]);
  expect(Object.fromEntries(drawn)).toEqual(PINNED);
});

test('every field of 100 repetitions with three seeds is drawn as pinned', async () => {
  const all = await Promise.all([1, 2, 3].map((seed) => schedule(seed, 100)));
  expect(all.flat()).toHaveLength(7_800);
  expect(hashJson(all)).toBe('c695ce47ebdc26e061df39415a2c9a2f0c1f904560caf597fabca0a7b3480857');
});
