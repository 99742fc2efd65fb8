import type { Claims } from '../../src/claim/claims.ts';
import type { Decision } from '../../src/claim/eligibility.ts';
import { POLICY, type HeadlineAxis } from '../../src/claim/policy.ts';
import { fact } from '../../src/messages/messages.ts';
import { drawnReport } from './drawn-report.ts';

/** Claims of a campaign without rows, and what was decided of two entrants on another axis. */
export function claimsOn(axis: HeadlineAxis): Claims {
  const decided = (agent: string, rest: Pick<Decision, 'grade' | 'reasons'>): Decision => ({
    policy_version: POLICY.version,
    question: { kind: 'aggregate', axis, entrants: [{ agent, surface: 'aria' }] },
    scope: 'these tasks only',
    waivers: [],
    false_passes: { judged: 18, passed: 0, upper: 0.1759 },
    ...rest,
  });
  const reasons = [fact('too_few_repetitions', { fewest: 1, least: 10 })];
  return {
    ...drawnReport(0, []).claims,
    other_axes: [decided('enough', { grade: 'primary', reasons: [] }), decided('scarce', { grade: 'smoke', reasons })],
  };
}
