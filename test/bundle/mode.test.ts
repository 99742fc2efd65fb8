import { describe, expect, test } from 'vitest';
import { deriveMode, type Mode, type ModeFacts } from '../../src/bundle/row-words.ts';

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
