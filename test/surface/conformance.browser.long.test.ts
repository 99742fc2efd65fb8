import { describe, expect, test } from 'vitest';
import { abilityCases, IDS, tried } from './conformance-cases.ts';

describe.each(IDS)('through %s', (surface) => {
  test.each(abilityCases(surface))('%s: %s', async (...each) => {
    const [, , , , outcome] = each;
    expect(await tried(surface, each)).toEqual({ ok: true, outcome });
  });
});
