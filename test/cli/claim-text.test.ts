import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/finish-row.ts';
import { messageFor, remedyOf } from '../../src/messages/messages.ts';
import { claimText } from '../../src/cli/claim-text.ts';
import { widthOf } from '../../src/cli/live/text-width.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { claimsOn } from '../report/axis-claims.ts';
import { drawnReport } from '../report/drawn-report.ts';

const TERMINAL = { out: () => {}, note: () => {}, command: 'npx touchstone' };
const ENTRANT = { agent: SAMPLE.agent, surface: SAMPLE.surface };

/** A text as it was before it was broken into lines. */
function whole(lines: readonly string[]): string {
  return lines.join(' ').replaceAll(/ +/g, ' ');
}

test('every reason against a claim is said, with what would lift it, in commands as they are typed here', () => {
  const report = drawnReport(1, [finishRow({ ...SAMPLE, plan_index: 0 })], [ENTRANT]);
  const [entrant] = report.claims.entrants;
  const reasons = entrant?.aggregate.reasons ?? [];
  expect(reasons.length).toBeGreaterThan(1);
  const text = whole(claimText(report, TERMINAL));
  expect(text).toContain(`${reasons.length} reasons against a claim, each with what would lift it:`);
  for (const reason of reasons) {
    expect(text).toContain(messageFor(reason));
    expect(text).toContain(`to lift it: ${(remedyOf(reason) ?? '').replaceAll('touchstone ', 'npx touchstone ')}`);
  }
});

test('there are as many items as reasons are said to be, whatever was found of each and of whom', () => {
  const rows = [
    { mode: 'scripted', decider: 'reference' } as const,
    { agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' } as const,
  ];
  const modes = rows.map((edit, at) => finishRow({ ...SAMPLE, plan_index: at, ...edit }));
  const entrants = [ENTRANT, { ...ENTRANT, agent: 'null' }];
  const { claims, headlines } = drawnReport(2, modes, entrants);
  const comparisons: typeof claims.comparisons = [];
  const lines = claimText({ claims: { ...claims, comparisons }, headlines }, TERMINAL);
  const [, said] = /(\d+) reasons against a claim,/.exec(whole(lines)) ?? [];
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(Number(said));
  expect(whole(lines)).toMatch(/- mode scripted .* \(model through aria\); mode control .* \(null through aria\)/);
});

test('a claim that may be made is said in full', () => {
  const report = drawnReport(0, []);
  expect(claimText({ ...report, headlines: ['a passed more than b.'] }, TERMINAL)[0]).toBe(
    'claims         a passed more than b.',
  );
  expect(claimText(report, TERMINAL)[0]).toBe('claims         none about who does better');
});

test('what is said of faults and of logins stands apart, each with its own grades', () => {
  const text = claimText({ claims: claimsOn('fault_recovery'), headlines: [] }, TERMINAL);
  expect(text).toContain('primary        enough through aria: may be published as a result');
  expect(whole(text)).toContain('1 reason against a claim about recovering from faults, each with what would lift it:');
  expect(whole(text)).toContain(
    '- the task with the fewest repetitions has 1, and 10 are needed (scarce through aria)',
  );
});

test('no line is wider than 80 columns, or obeyed by a terminal, whatever a reason quotes', () => {
  const claims = claimsOn('authentication');
  const text = `\u001b[2J\u202e${'很长的理由 '.repeat(40)}`;
  const other_axes = claims.other_axes.map((each) => ({
    ...each,
    reasons: each.reasons.map((reason) => ({ ...reason, params: { fewest: text, least: 10 } })),
  }));
  const lines = claimText({ claims: { ...claims, other_axes }, headlines: [] }, TERMINAL);
  expect(lines.join('')).toContain('很长的理由');
  for (const line of lines) {
    expect(widthOf(line)).toBeLessThanOrEqual(80);
    expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
  }
});
