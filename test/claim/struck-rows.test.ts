import { describe, expect, it, test } from 'vitest';
import type { RowDraft } from '../../src/bundle/row.ts';
import { struckAlike, struckRows } from '../../src/claim/struck-rows.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const FIRED = { id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true };
const CLEAN: RowDraft = { ...SAMPLE, status: 'passed', iteration: 3 };
const STRUCK: RowDraft = { ...CLEAN, faults: [FIRED], recovered: true };
const NOT_FIRED = [{ ...FIRED, fired: false, cleared: false }];

describe('a row under stress', () => {
  it('counts where its fault fired and the same entrant passed the task clean in the same iteration', () => {
    expect(struckRows([CLEAN, STRUCK])).toEqual({ counted: [STRUCK], voided: [] });
    const failed: RowDraft = { ...STRUCK, status: 'failed', recovered: false };
    expect(struckRows([CLEAN, failed])).toEqual({ counted: [failed], voided: [] });
  });

  it.each<[string, RowDraft, RowDraft]>([
    ['the clean one is failed', { ...CLEAN, status: 'failed' }, STRUCK],
    ['the clean one is of another iteration', { ...CLEAN, iteration: 4 }, STRUCK],
    ['the clean one is of another agent', { ...CLEAN, agent: 'other' }, STRUCK],
    ['the clean one is through another surface', { ...CLEAN, surface: 'dom' }, STRUCK],
    ['the clean one is of another instance', { ...CLEAN, instance: 'pears' }, STRUCK],
    ['its fault did not fire', CLEAN, { ...STRUCK, faults: NOT_FIRED }],
    ['its fault cannot apply', CLEAN, { ...STRUCK, status: 'not_applicable', faults: NOT_FIRED }],
  ])('is void where %s', (_, clean, struck) => {
    expect(struckRows([clean, struck])).toEqual({ counted: [], voided: [struck] });
  });

  it('is neither where the surface was not there', () => {
    expect(struckRows([CLEAN, { ...STRUCK, status: 'unavailable' }])).toEqual({ counted: [], voided: [] });
  });
});

test('two are compared on the same fault of the same iteration of the same instance', () => {
  const second: RowDraft = { ...STRUCK, agent: 'other' };
  expect(struckAlike([STRUCK], [second])).toEqual({ first: [STRUCK], second: [second], oneSided: [] });
  const others: RowDraft[] = [
    { ...second, iteration: 4 },
    { ...second, instance: 'pears' },
    { ...second, task: 'another' },
    { ...second, faults: [{ ...FIRED, id: 'another' }] },
  ];
  for (const other of others) {
    expect(struckAlike([STRUCK], [other])).toEqual({ first: [], second: [], oneSided: [STRUCK, other] });
  }
});
