import { expect, test } from 'vitest';
import { Availability } from '../../src/verify/read-attempts.ts';

/** Findings of rows, one after the other. */
function findings(...rows: Parameters<Availability['problemsOf']>[0][]): string[] {
  const availability = new Availability();
  return rows.flatMap((row) => availability.problemsOf(row).map(({ code }) => code));
}

test('a surface that is there for one episode is there for all', () => {
  const [ran, lost] = [{ surface: 'a', status: 'failed' } as const, { surface: 'a', status: 'unavailable' } as const];
  expect(findings(ran, lost, ran)).toEqual(['surface_was_available']);
  expect(findings(lost, ran)).toEqual(['surface_was_unavailable']);
});

test('surfaces differ, and a cell that can never run tells nothing of its surface', () => {
  const lost = { surface: 'a', status: 'unavailable' } as const;
  expect(
    findings(lost, { ...lost, status: 'not_applicable' }, { ...lost, surface: 'b', status: 'passed' }, lost),
  ).toEqual([]);
});
