import { compare, describeComparison } from '../comparison.ts';
import type { Evidence, NetworkEntry } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { compilePattern } from '../pattern.ts';
import type { ContractNode } from '../schema.ts';

/** The world's own log has exchanges with this URL and one of these statuses: at least one, or as `count` says. */
export function judgeNetwork(node: ContractNode<'network'>, evidence: Evidence): Finding {
  const { op, value } = node.count ?? { op: 'gte', value: 1 };
  const expected = `${describeComparison(op, value)} × ${describe(node)}`;
  const { network } = evidence;
  if (!network.captured) return { verdict: 'inconclusive', expected, observed: null, why: network.why };
  const scanned = network.value.entries.filter(({ seq }) => seq >= network.value.since[node.since]);
  const matched = scanned.filter(matcher(node));
  const last = matched.at(-1) ?? scanned.at(-1);
  const observed = last === undefined ? null : observedAs(`${last.method} ${last.url} → ${last.status ?? 'no response'}`);
  const counts = `${matched.length} of ${scanned.length} exchanges match`;
  const unread = scanned.some((entry) => entry.request_body_truncated && !matched.includes(entry));
  if (node.body_matches !== undefined && unread) {
    return { verdict: 'inconclusive', expected, observed, why: `${counts}, and a request body was cut` };
  }
  return { verdict: compare(matched.length, op, value) ? 'pass' : 'fail', expected, observed, why: counts };
}

function matcher(node: ContractNode<'network'>): (entry: NetworkEntry) => boolean {
  const url = compilePattern(node.url_pattern);
  const body = node.body_matches === undefined ? null : compilePattern(node.body_matches);
  return (entry) =>
    entry.status !== null &&
    node.status_in.includes(entry.status) &&
    (node.method === undefined || node.method === entry.method) &&
    url(entry.url) &&
    (body === null || body(entry.request_body ?? ''));
}

function describe({ method, url_pattern: url, status_in: statuses, body_matches: body, since }: ContractNode<'network'>) {
  const withBody = body === undefined ? '' : ` with a body that matches ${body}`;
  return `${method ?? 'any method'} ${url}${withBody} → ${statuses.join(' or ')} since ${since}`;
}
