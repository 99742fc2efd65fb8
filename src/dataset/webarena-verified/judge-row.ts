import { messageOf } from '../../contract/message-of.ts';
import { all, type Verdict } from '../../contract/verdict.ts';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { sitesNamedIn, type Sites, withPlaceholders } from './address.ts';
import type { Exchange } from './har.ts';
import { IncompleteRecord, judgeRequests, type TaskRules } from './judge-requests.ts';
import { judgeResponse, responseIn } from './judge-response.ts';
import type { ExpectedRequest, NetworkCheck, VerifiedRow } from './rows.ts';

/** The files that a run left of one task; what is null was not left, and cannot be judged. */
export interface RunRecord {
  response: string | null;
  exchanges: readonly Exchange[] | null;
  /** Why the requests cannot be read. */
  unreadable?: string;
  /** The goal that the agent had; stored runs of others do not say. */
  goal?: string;
}

export interface JudgedTask {
  task_id: number;
  verdict: Verdict;
  findings: Fact[];
}

/** Judges one task from its row and the record of a run: no clock, no file, no network. */
export function judgeRow(row: VerifiedRow, record: RunRecord, sites: Sites): JudgedTask {
  // A run of an easier task must not count for this one.
  if (record.goal !== undefined && record.goal.trim() !== row.intent.trim()) {
    return { task_id: row.task_id, ...unjudged(fact('record_of_other_goal')) };
  }
  const checked = row.eval.map((check) => judgeCheck(row, check, record, sites));
  return {
    task_id: row.task_id,
    verdict: all(checked.map(({ verdict }) => verdict)),
    findings: checked.flatMap(({ findings }) => findings),
  };
}

type Checked = Pick<JudgedTask, 'verdict' | 'findings'>;

function judgeCheck(row: VerifiedRow, check: VerifiedRow['eval'][number], record: RunRecord, sites: Sites): Checked {
  try {
    if (check.evaluator === 'AgentResponseEvaluator') {
      if (record.response === null) return unjudged(fact('record_missing', { what: 'response' }));
      return judged(judgeResponse(check, withPlaceholders(responseIn(record.response), sites)));
    }
    if (record.unreadable !== undefined) return unjudged(fact('record_unreadable', { why: record.unreadable }));
    if (record.exchanges === null || record.exchanges.length === 0) {
      return unjudged(fact('record_missing', { what: 'requests' }));
    }
    const unknown = sitesNamedIn(JSON.stringify(check.expected)).filter((each) => !sites.has(each));
    if (unknown.length > 0) return unjudged(fact('site_without_address', { sites: [...new Set(unknown)] }));
    return judged(judgeRequests(check, record.exchanges, sites, rulesOf(row, check)));
  } catch (error) {
    if (error instanceof IncompleteRecord) return unjudged(fact('record_incomplete', { parts: [...error.parts] }));
    return unjudged(fact('expectation_unreadable', { check: check.evaluator, why: messageOf(error) }));
  }
}

function rulesOf({ eval: checks }: VerifiedRow, { expected }: NetworkCheck): TaskRules {
  const isNavigating = checks.some(
    (check) => check.evaluator === 'AgentResponseEvaluator' && check.expected.task_type === 'navigate',
  );
  const subjectOf = ({ url, http_method: method, headers }: ExpectedRequest): string =>
    isNavigating && method === 'GET' ? method : JSON.stringify([method, url, headers ?? null]);
  const others = checks.filter(
    (check) =>
      check.evaluator === 'NetworkEventEvaluator' &&
      !check.should_not_exist &&
      subjectOf(check.expected) === subjectOf(expected),
  );
  return { isNavigating, siblings: Math.max(1, others.length) };
}

function judged(findings: Fact[]): Checked {
  return { verdict: findings.length === 0 ? 'pass' : 'fail', findings };
}

function unjudged(finding: Fact): Checked {
  return { verdict: 'inconclusive', findings: [finding] };
}
