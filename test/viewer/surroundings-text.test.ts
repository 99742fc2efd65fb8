import { describe, expect, test } from 'vitest';
import { surroundingsText } from '../../src/viewer/surroundings-text.ts';

const NONE = {
  type: 'surroundings',
  runtime_version: null,
  manifest_checksum: null,
  runtime_hash: null,
  off_archive: null,
  violations: {},
} as const;

describe('what stood around an episode is told in words', () => {
  test('and nothing is told of what was not there', () => {
    expect(surroundingsText(NONE)).toBe('no NAC3 runtime, and nothing against the rules');
    expect(surroundingsText({ ...NONE, runtime_version: '2.4.0' })).toBe('NAC3 runtime 2.4.0');
  });

  test('with what was missed in the archive, and each violation by its name', () => {
    expect(surroundingsText({ ...NONE, off_archive: 3, violations: { duplicate_id: 2 } })).toBe(
      'asked 3 times for what the archive has not; 2 × duplicate_id',
    );
  });
});
