import { describe, expect, it, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { faultyAlike, faultyRows } from '../../src/claim/faulty-rows.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const FIRED = { id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true };
const CLEAN: Row = { ...SAMPLE, status: 'passed', iteration: 3 };
const FAULTY: Row = { ...CLEAN, faults: [FIRED], recovered: true };
const NOT_FIRED = [{ ...FIRED, fired: false, cleared: false }];

describe('a row under stress', () => {
  it('counts where its fault fired and the same entrant passed the task clean in the same iteration', () => {
    expect(faultyRows([CLEAN, FAULTY])).toEqual({ counted: [FAULTY], voided: [] });
    const failed: Row = { ...FAULTY, status: 'failed', recovered: false };
    expect(faultyRows([CLEAN, failed])).toEqual({ counted: [failed], voided: [] });
  });

  it.each<[string, Row, Row]>([
    ['the clean one is failed', { ...CLEAN, status: 'failed' }, FAULTY],
    ['the clean one is of another iteration', { ...CLEAN, iteration: 4 }, FAULTY],
    ['the clean one is of another agent', { ...CLEAN, agent: 'other' }, FAULTY],
    ['the clean one is through another surface', { ...CLEAN, surface: 'dom' }, FAULTY],
    ['the clean one is of another instance', { ...CLEAN, instance: 'pears' }, FAULTY],
    ['its fault did not fire', CLEAN, { ...FAULTY, faults: NOT_FIRED }],
    ['its fault cannot apply', CLEAN, { ...FAULTY, status: 'not_applicable', faults: NOT_FIRED }],
  ])('is void where %s', (_, clean, faulty) => {
    expect(faultyRows([clean, faulty])).toEqual({ counted: [], voided: [faulty] });
  });

  it('is neither where the surface was not there', () => {
    expect(faultyRows([CLEAN, { ...FAULTY, status: 'unavailable' }])).toEqual({ counted: [], voided: [] });
  });
});

test('two are compared on the same fault of the same iteration of the same instance', () => {
  const second: Row = { ...FAULTY, agent: 'other' };
  expect(faultyAlike([FAULTY], [second])).toEqual({ first: [FAULTY], second: [second], oneSided: [] });
  const others: Row[] = [
    { ...second, iteration: 4 },
    { ...second, instance: 'pears' },
    { ...second, task: 'another' },
    { ...second, faults: [{ ...FIRED, id: 'another' }] },
  ];
  for (const other of others) {
    expect(faultyAlike([FAULTY], [other])).toEqual({ first: [], second: [], oneSided: [FAULTY, other] });
  }
});
