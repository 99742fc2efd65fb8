import { expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { signInFigures } from '../../src/claim/sign-in.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const ENTRANT = { agent: SAMPLE.agent, surface: SAMPLE.surface };
const open: Row = { ...SAMPLE, status: 'passed' };
const byForm: Row = { ...open, auth: { by: 'form' } };
const stored: Row = { ...open, auth: { by: 'stored_state', role: 'grace', setup_ms: 4_000 } };

test('only tasks behind a login are counted, by the way of signing in', () => {
  const rows = [open, byForm, { ...byForm, status: 'failed' } satisfies Row, stored];
  expect(signInFigures(rows, [ENTRANT])?.entrants).toMatchObject([
    { ...ENTRANT, by: 'form', passed: { count: 1, of: 2 } },
    { ...ENTRANT, by: 'stored_state', passed: { count: 1, of: 1 } },
  ]);
});

test('the cost of a role is given once, with how many episodes it served, and again if it was made again', () => {
  const again: Row = { ...stored, auth: { by: 'stored_state', role: 'grace', setup_ms: 5_000 } };
  const { suite } = SAMPLE;
  expect(signInFigures([stored, stored, byForm, again], [ENTRANT])?.setups).toEqual([
    { suite, role: 'grace', setup_ms: 4_000, episodes: 2 },
    { suite, role: 'grace', setup_ms: 5_000, episodes: 1 },
  ]);
});

test('nothing is reported if no task is behind a login, or none of them ran', () => {
  expect(signInFigures([open], [ENTRANT])).toBeNull();
  expect(signInFigures([{ ...byForm, status: 'not_applicable' }], [ENTRANT])).toBeNull();
});
