import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { Decider as AgentDecider } from '../../src/agent/agent.ts';
import type { BrowserKind as KindOfBinary } from '../../src/browser/find.ts';
import type { BrowserIdentity as LaunchedBrowser } from '../../src/browser/judged-browser.ts';
import type { Isolation as PoolIsolation } from '../../src/browser/pool.ts';
import type { BrowserIdentity } from '../../src/bundle/row-fields.ts';
import {
  type BrowserKind,
  type Decider,
  Isolation,
  deriveMode,
  type Mode,
  type ModeFacts,
} from '../../src/bundle/row-words.ts';

// Browser and agent may not import from the bundle, so they write these words themselves; the type check holds them together.
describe('the words of rows', () => {
  test('are those of agents and browsers', () => {
    expectTypeOf<Decider>().toEqualTypeOf<AgentDecider>();
    expectTypeOf<BrowserKind>().toEqualTypeOf<KindOfBinary>();
    expectTypeOf<Exclude<Isolation, 'none'>>().toEqualTypeOf<PoolIsolation>();
  });

  test('accept every identity of a browser, and have no other field', () => {
    expectTypeOf<LaunchedBrowser>().toExtend<z.infer<typeof BrowserIdentity>>();
    expectTypeOf<keyof LaunchedBrowser>().toEqualTypeOf<keyof z.infer<typeof BrowserIdentity>>();
  });

  test('spell isolation as the command line does', () => {
    expect(Isolation.options).toEqual(['context', 'browser', 'none']);
    expect(Isolation.safeParse('fresh_context').success).toBe(false);
  });
});

const LIVE: ModeFacts = {
  dry_run: false,
  status: 'passed',
  world_kind: 'live_web',
  decider: 'model',
  endpoint_kind: 'provider',
};

const TABLE: [Mode, Partial<ModeFacts>][] = [
  ['live', {}],
  ['live', { world_kind: 'real_app' }],
  ['live', { world_kind: 'fixture_app' }],
  ['live', { decider: 'process', endpoint_kind: 'none' }],
  ['live', { endpoint_kind: 'custom' }],
  ['live', { status: 'infra_error' }],
  ['recorded-real', { world_kind: 'recorded_web' }],
  ['facsimile', { world_kind: 'facsimile' }],
  ['mock', { endpoint_kind: 'mock' }],
  ['mock', { endpoint_kind: 'mock', world_kind: 'recorded_web' }],
  ['mock', { endpoint_kind: 'mock', decider: 'process' }],
  ['scripted', { decider: 'reference', endpoint_kind: 'none' }],
  ['scripted', { decider: 'reference', world_kind: 'facsimile' }],
  ['replay', { decider: 'transcript', endpoint_kind: 'none' }],
  ['replay', { endpoint_kind: 'cassette' }],
  ['replay', { endpoint_kind: 'cassette', world_kind: 'recorded_web' }],
  ['control', { decider: 'control' }],
  ['control', { decider: 'baseline', world_kind: 'recorded_web' }],
  ['skip', { status: 'not_applicable', decider: 'control' }],
  ['skip', { status: 'unavailable' }],
  ['dry-run', { dry_run: true, status: 'not_applicable' }],
];

describe('the mode of a row', () => {
  test.each(TABLE)('is %s given %j', (mode, facts) => {
    expect(deriveMode({ ...LIVE, ...facts })).toBe(mode);
  });
});
