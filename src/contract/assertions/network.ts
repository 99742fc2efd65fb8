import { compare, type Comparison, describeComparison } from '../comparison.ts';
import type { Evidence, NetworkEntry } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { compilePattern } from '../pattern.ts';
import type { ContractNode } from '../schema.ts';
import type { Verdict } from '../verdict.ts';

/**
 * The world's own log has exchanges with this URL and one of these statuses: at least one, or as `count` says.
 * One that has no response yet never matches, nor does one without a body when `body_matches` is given. One whose body
 * was cut may match or not: while that could change the verdict, it is inconclusive.
 */
export function judgeNetwork(node: ContractNode<'network'>, evidence: Evidence): Finding {
  const { op, value } = node.count ?? { op: 'gte', value: 1 };
  const expected = `${describeComparison(op, value)} × ${describe(node)}`;
  const { network } = evidence;
  if (!network.captured) return { verdict: 'inconclusive', expected, observed: null, why: network.why };
  const scanned = network.value.entries.filter(({ seq }) => seq >= network.value.since[node.since]);
  const match = matcher(node);
  const matched = scanned.filter((entry) => match(entry) === 'pass');
  const unread = scanned.filter((entry) => match(entry) === 'inconclusive').length;
  const last = matched.at(-1) ?? scanned.at(-1);
  const observed =
    last === undefined ? null : observedAs(`${last.method} ${last.url} → ${last.status ?? 'no response'}`);
  const counts = `${matched.length} of ${scanned.length} exchanges match`;
  if (canChange(matched.length, unread, op, value)) {
    return { verdict: 'inconclusive', expected, observed, why: `${counts}, and the body of ${unread} more was cut` };
  }
  return { verdict: compare(matched.length, op, value) ? 'pass' : 'fail', expected, observed, why: counts };
}

/** Whether the comparison depends on how many of the unread would match: between none and all of them. */
function canChange(matched: number, unread: number, op: Comparison, value: number): boolean {
  if (op === 'eq') return unread > 0 && matched <= value && value <= matched + unread;
  return compare(matched, op, value) !== compare(matched + unread, op, value);
}

function matcher(node: ContractNode<'network'>): (entry: NetworkEntry) => Verdict {
  const url = compilePattern(node.url_pattern);
  const body = node.body_matches === undefined ? null : compilePattern(node.body_matches);
  return (entry) => {
    const matches =
      entry.status !== null &&
      node.status_in.includes(entry.status) &&
      (node.method === undefined || node.method === entry.method) &&
      url(entry.url);
    if (!matches) return 'fail';
    if (body === null) return 'pass';
    if (entry.request_body_truncated) return 'inconclusive';
    return entry.request_body !== null && body(entry.request_body) ? 'pass' : 'fail';
  };
}

function describe({
  method,
  url_pattern: url,
  status_in: statuses,
  body_matches: body,
  since,
}: ContractNode<'network'>) {
  const withBody = body === undefined ? '' : ` with a body that matches ${body}`;
  return `${method ?? 'any method'} ${url}${withBody} → ${statuses.join(' or ')} since ${since}`;
}
