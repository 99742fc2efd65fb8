import type { Row } from '../../src/bundle/row.ts';
import { type Evidence, finalUrlIn } from '../../src/contract/evidence.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import type { EpisodeEvent, Moment } from '../../src/episode/events.ts';
import type { Task } from '../../src/task/schema.ts';

export type Claims = Pick<Row, 'status' | 'stop' | 'goal_verdict' | 'guard_verdict' | 'failed_contract'>;

type Stored = { name: string; evidence: Evidence } | undefined;

/** The events of an attempt that lead to the claims, true or not. */
export function eventsFor(
  claims: Claims,
  { task, agent, surface }: { task: Task; agent: string; surface: string },
  { start, end }: { start: Stored; end: Stored },
): EpisodeEvent[] {
  const { stop, status } = claims;
  if (stop === null) {
    return [
      { type: 'impossible', status: status === 'unavailable' ? status : 'not_applicable', why: 'as it was staged' },
    ];
  }
  const hasGuards = task.guards !== undefined;
  const isLast = end === undefined || stop === 'invalid_task';
  const first = isLast ? claims : ({ goal_verdict: 'fail', guard_verdict: 'pass', failed_contract: null } as const);
  return [
    { type: 'reset', task: task.id, start_url: task.startUrl, surface, agent },
    ...momentOf('start', start, first, hasGuards),
    ...(stop === 'invalid_task' || start === undefined ? [] : [ACTED]),
    { type: 'stop', stop, detail: null, answer: end?.evidence.answer ?? null },
    ...(isLast ? [] : momentOf('end', end, claims, hasGuards)),
    {
      type: 'surroundings',
      runtime_version: null,
      manifest_checksum: null,
      runtime_hash: null,
      off_archive: null,
      violations: {},
    },
  ];
}

const ACTED: EpisodeEvent = { type: 'acted', wall_ms: 0 };

function momentOf(
  moment: Moment,
  stored: Stored,
  {
    goal_verdict: goal,
    guard_verdict: guard,
    failed_contract: failed,
  }: Pick<Claims, 'goal_verdict' | 'guard_verdict' | 'failed_contract'>,
  hasGuards: boolean,
): EpisodeEvent[] {
  if (stored === undefined || goal === null || guard === null) return [];
  const { name, evidence } = stored;
  const judged = (contract: 'success' | 'guards', verdict: Verdict): EpisodeEvent => ({
    type: 'contract_evaluation',
    moment,
    contract,
    judgement: judgementOf(contract, verdict, failed),
  });
  return [
    { type: 'captured', moment, evidence: name, screenshot: null },
    judged('success', goal),
    ...(hasGuards ? [judged('guards', guard)] : []),
    { type: 'judged', moment, unsettled: false, url: finalUrlIn(evidence) ?? '', settle_ms: 0, judge_ms: 0 },
  ];
}

function judgementOf(contract: 'success' | 'guards', verdict: Verdict, failed: Claims['failed_contract']): Judgement {
  const root = {
    verdict,
    path: '',
    kind: contract === 'success' ? 'and' : 'unchanged',
    expected: '',
    observed: null,
    why: '',
    children: [],
  };
  const [of, ...path] = failed?.path.split('.') ?? [];
  if (failed === null || of !== contract) return root;
  const leaf = {
    ...root,
    path: path.join('.'),
    kind: failed.kind,
    expected: typeof failed.expected === 'string' ? failed.expected : '',
  };
  return path.length === 0 ? leaf : { ...root, children: [leaf] };
}
