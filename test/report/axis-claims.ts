import type { Claims } from '../../src/claim/claims.ts';
import type { Decision } from '../../src/claim/eligibility.ts';
import { POLICY, type HeadlineAxis } from '../../src/claim/policy.ts';
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
  const reasons = [{ code: 'too_few_repetitions' as const, text: 'once is too few' }];
  return {
    ...drawnReport(0, []).claims,
    other_axes: [decided('enough', { grade: 'primary', reasons: [] }), decided('scarce', { grade: 'smoke', reasons })],
  };
}
