import { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind } from '../assertion-kind.ts';
import { AT_LEAST_ONE, canChange, Counted, holds, holdsOfNone, type Operator, Pattern } from '../fields.ts';
import type { Evidence, NetworkEntry } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { rule } from '../validation/wording.ts';
import { piecesOf } from '../strings.ts';
import { each, looserCounts, unanchored } from '../loosening.ts';
import { compilePattern } from '../pattern.ts';
import type { Verdict } from '../verdict.ts';

const Network = z.strictObject({
  kind: z.literal('network'),
  url_pattern: Pattern,
  status_in: z.array(z.int().min(100).max(599)).min(1, rule('list_empty', { entry: 'status, for example [200]' })),
  since: z.enum(['contract_enter', 'last_tool_call']),
  method: z
    .string()
    .regex(/^[A-Z]+$/, rule('not_http_method'))
    .optional(),
  count: Counted,
  body_matches: Pattern.optional(),
});
type NetworkNode = z.infer<typeof Network>;

export const network: AssertionKind<typeof Network> = {
  version: 1,
  schema: Network,
  seedFields: ['kind', 'url_pattern', 'status_in', 'since'],
  judge: judgeNetwork,
  literals: ({ url_pattern: url, body_matches: body }) => [...piecesOf(url), ...piecesOf(body)],
  asksForFresh: () => false,
  proof: ({ count }) => (holdsOfNone(count ?? AT_LEAST_ONE) ? 'denied' : 'asserted'),
  loosened: looserNetwork,
};

/**
 * The world's log has exchanges with this URL and one of these statuses: at least one, or as `count` states. An exchange whose
 * body was cut may match or not: if that could change the verdict, it is inconclusive.
 */
function judgeNetwork(node: NetworkNode, evidence: Evidence): Finding {
  const { op, value } = node.count ?? AT_LEAST_ONE;
  const expected = expectedOf(node, { op, value });
  const { network: log } = evidence;
  if (!log.captured)
    return { verdict: 'inconclusive', expected, observed: null, why: fact('not_captured', { why: log.why }) };
  const scanned = log.value.entries.filter(({ seq }) => seq >= log.value.since[node.since]);
  const match = matcher(node);
  const matched = scanned.filter((entry) => match(entry) === 'pass');
  const unread = scanned.filter((entry) => match(entry) === 'inconclusive').length;
  const last = matched.at(-1) ?? scanned.at(-1);
  const observed =
    last === undefined ? null : observedAs(`${last.method} ${last.url} → ${last.status ?? 'no response'}`);
  const counts = { matched: matched.length, scanned: scanned.length };
  if (canChange(matched.length, unread, op, value)) {
    return { verdict: 'inconclusive', expected, observed, why: fact('exchanges_cut', { ...counts, unread }) };
  }
  return {
    verdict: holds(matched.length, op, value) ? 'pass' : 'fail',
    expected,
    observed,
    why: fact('exchanges_counted', counts),
  };
}

function matcher(node: NetworkNode): (entry: NetworkEntry) => Verdict {
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

function expectedOf(
  { method, url_pattern: url, status_in: statuses, body_matches: body, since }: NetworkNode,
  count: { op: Operator; value: number },
): Fact {
  const ofBody = { has_body: body !== undefined, body: body ?? '' };
  return fact('exchange_count', { ...count, method, url, ...ofBody, statuses: statuses.map(String), since });
}

/** One whole URL, escaped. It is an equality, so its anchors need no near-misses of their own. */
const WHOLE_URL = /^\^https?:\/\/(?:\\[^A-Za-z0-9]|[^\\^$.*+?()[\]{}|])+\$$/;

function looserNetwork(node: NetworkNode): Record<string, NetworkNode> {
  const { method, body_matches: body, ...rest } = node;
  const looserUrls = WHOLE_URL.test(node.url_pattern) ? {} : unanchored(node.url_pattern);
  return {
    ...each(looserUrls, (pattern) => ({ ...node, url_pattern: pattern })),
    ...(node.count === undefined ? {} : each(looserCounts(node.count), (count) => ({ ...node, count }))),
    ...(method === undefined ? {} : { any_method: body === undefined ? rest : { ...rest, body_matches: body } }),
    ...(body === undefined ? {} : { any_body: method === undefined ? rest : { ...rest, method } }),
    ...(node.since === 'last_tool_call' ? { any_time: { ...node, since: 'contract_enter' as const } } : {}),
  };
}
