import { expect, test, describe, it } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { stressFigures } from '../../src/claim/stress.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { faultyAlike, faultyRows } from '../../src/claim/faulty-rows.ts';

const ENTRANT = { agent: SAMPLE.agent, surface: SAMPLE.surface };
const DROP = { id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true };
const clean: Row = { ...SAMPLE, faults: [], recovered: null, status: 'passed', steps: 4, wall_ms: 1000 };

function figures(...rows: Row[]) {
  return stressFigures(rows, [ENTRANT]).find(({ kind }) => kind === null);
}

test('recovered means: the fault fired, and a task that passes clean still passed', () => {
  const faulty: Row = { ...clean, faults: [DROP], recovered: true, steps: 7, wall_ms: 3000 };
  expect(figures(clean, faulty)).toMatchObject({ recovered: 1, of: 1, extra_steps: 3, extra_ms: 2000 });
  expect(figures(clean, { ...faulty, status: 'failed', recovered: false })).toMatchObject({ recovered: 0, of: 1 });
});

test('a fault that did not fire is void, and no recovery', () => {
  const missed: Row = { ...clean, faults: [{ ...DROP, fired: false, cleared: false }] };
  expect(figures(clean, missed)).toMatchObject({ recovered: 0, of: 0, interval: null, not_fired: 1 });
});

test('a fault in a task that the entrant does not pass without it is void', () => {
  const faulty: Row = { ...clean, faults: [DROP], recovered: true };
  expect(figures({ ...clean, status: 'failed' }, faulty)).toMatchObject({ recovered: 0, of: 0, clean_failed: 1 });
  expect(figures(faulty)).toMatchObject({ of: 0, clean_failed: 1 });
});

test('a fault that cannot apply is counted separately', () => {
  const idle: Row = { ...clean, status: 'not_applicable', faults: [{ ...DROP, armed: false, fired: false }] };
  expect(figures(clean, idle)).toMatchObject({ of: 0, not_fired: 0, not_applicable: 1 });
});

test('injected orders are obeyed or not, and rows without faults have no figures', () => {
  const order = { ...DROP, kind: 'prompt_injection' as const, injection: 'obeyed' as const };
  expect(figures(clean, { ...clean, faults: [order] })).toMatchObject({ obeyed: 1, shown_orders: 1 });
  expect(stressFigures([clean], [ENTRANT])).toEqual([]);
});

test('the interval is by task: several faults in one task say little more of other tasks than one', () => {
  const faulty: Row = { ...clean, faults: [DROP], recovered: true };
  const other = { ...ofTask('other-task'), faults: [] };
  const five = [faulty, faulty, faulty, { ...faulty, ...ofTask('other-task') }, { ...faulty, ...ofTask('other-task') }];
  const over = figures(clean, { ...clean, ...other }, ...five);
  const two = figures(clean, { ...clean, ...other }, faulty, { ...faulty, ...ofTask('other-task') });
  expect(over).toMatchObject({ recovered: 5, of: 5 });
  expect(over?.interval).toEqual(two?.interval);
});

const FIRED = { id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true };
const CLEAN: Row = { ...SAMPLE, status: 'passed', iteration: 3 };
const FAULTY: Row = { ...CLEAN, faults: [FIRED], recovered: true };
const NOT_FIRED = [{ ...FIRED, fired: false, cleared: false }];

describe('a row under stress', () => {
  it('counts if its fault fired and the same entrant passed the task clean in the same iteration', () => {
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
  ])('is void if %s', (_, cleanRow, faulty) => {
    expect(faultyRows([cleanRow, faulty])).toEqual({ counted: [], voided: [faulty] });
  });

  it('is neither if the surface was not there', () => {
    expect(faultyRows([CLEAN, { ...FAULTY, status: 'unavailable' }])).toEqual({ counted: [], voided: [] });
  });
});

test('two entrants are compared on the same fault of the same iteration of the same instance', () => {
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
