import { describe, expect, test } from 'vitest';
import { abilityCases, IDS, NAMING, quickCases, tried } from './conformance-cases.ts';
import { describeTargets } from './conformance-targets.ts';

describe.each(IDS)('through %s', (surface) => {
  const quick = quickCases(surface);
  test.each(abilityCases(surface).filter((each) => !quick.includes(each)))('%s: %s', async (...each) => {
    const [, , , , outcome] = each;
    expect(await tried(surface, each)).toEqual({ ok: true, outcome });
  });
});

for (const surface of NAMING.filter((each) => each !== 'aria')) describeTargets(surface);
