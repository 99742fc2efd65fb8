import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Decider as AgentDecider } from '../../src/agent/agent.ts';
import type { BrowserKind as KindOfBinary } from '../../src/browser/find.ts';
import type { BrowserIdentity as LaunchedBrowser } from '../../src/browser/judged-browser.ts';
import type { Isolation as PoolIsolation } from '../../src/browser/pool.ts';
import type { BrowserIdentity } from '../../src/bundle/row-fields.ts';
import { type BrowserKind, type Decider, Isolation } from '../../src/bundle/row-words.ts';
import type { z } from 'zod';

// Browser and agent may not import from the bundle, so they write these words themselves; the type check holds them together.
describe('the words of rows', () => {
  test('are those of agents and browsers', () => {
    expectTypeOf<Decider>().toEqualTypeOf<AgentDecider>();
    expectTypeOf<BrowserKind>().toEqualTypeOf<KindOfBinary>();
    expectTypeOf<Exclude<Isolation, 'none'>>().toEqualTypeOf<PoolIsolation>();
  });

  test('take whatever a browser says of itself, and have no field that it does not say', () => {
    expectTypeOf<LaunchedBrowser>().toExtend<z.infer<typeof BrowserIdentity>>();
    expectTypeOf<keyof LaunchedBrowser>().toEqualTypeOf<keyof z.infer<typeof BrowserIdentity>>();
  });

  test('spell isolation as the command line does', () => {
    expect(Isolation.options).toEqual(['context', 'browser', 'none']);
    expect(Isolation.safeParse('fresh_context').success).toBe(false);
  });
});
