import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readFaultProfiles } from '../../src/cli/fault-profiles.ts';
import { hashJson } from '../../src/contract/canonical.ts';
import { drawFault } from '../../src/fault/schedule.ts';

const ELEMENTS = ['Save', 'Cancel', 'Next'].map((name) => ({ role: 'button', name }));
const NAMES = readdirSync(path.resolve(import.meta.dirname, '../../faults')).map((file) =>
  path.basename(file, '.yaml'),
);

/** Draw every fault of the built-in profiles, as a campaign with this seed does in these iterations. */
async function schedule(seed: number, iterations: number) {
  const faults = await readFaultProfiles(NAMES.toSorted());
  const lots = Array.from({ length: iterations }, (_, iteration) => ({
    seed,
    suite: 'stress',
    task: 'pay',
    iteration,
  }));
  return faults.flatMap((fault) => lots.map((lot) => drawFault(fault, lot, ELEMENTS)));
}

test('the same seeds draw the same schedules as ever', async () => {
  const drawn = (await schedule(7, 1)).flatMap((each) => {
    if (!('armed' in each)) return [];
    const { armed } = each;
    if ('nth' in armed) return [`${armed.id}: request ${armed.nth}`];
    if ('call' in armed) return [`${armed.id}: call ${armed.call}`];
    return [`${armed.id}: ${armed.element.name}${armed.canary === undefined ? '' : ` ${armed.canary}`}`];
  });
  expect(drawn).toMatchInlineSnapshot(`
    [
      "browser-crash: call 4",
      "browser-closed: call 4",
      "browser-cut: call 2",
      "browser-offline: call 2",
      "browser-throttle: call 2",
      "browser-cookies: call 2",
      "net-drop: request 1",
      "net-reset: request 1",
      "net-stall: request 2",
      "net-slow: request 2",
      "net-truncated: request 2",
      "net-429: request 2",
      "net-503: request 2",
      "page-rerendered: Cancel",
      "page-renamed: Cancel",
      "page-covered: Next",
      "page-disabled: Save",
      "page-moved: Cancel",
      "page-reordered: Cancel",
      "page-late: Next",
      "page-modal: Cancel",
      "page-beforeunload: Cancel",
      "page-injection: Save canary-49955f6bca00",
      "server-killed: call 4",
      "server-hung: call 2",
      "server-malformed: call 4",
    ]
  `);
});

test('every field of 100 repetitions with three seeds is drawn as ever', async () => {
  const all = await Promise.all([1, 2, 3].map((seed) => schedule(seed, 100)));
  expect(all.flat()).toHaveLength(7_800);
  expect(hashJson(all)).toMatchInlineSnapshot(`"b12a3a5bba5b7664f4b65250fcba70b3c5611a0feead10bb260759e584575b5f"`);
});
