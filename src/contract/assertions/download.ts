import { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind } from '../assertion-kind.ts';
import { type Download, type Evidence, missing } from '../evidence.ts';
import {
  AT_LEAST_ONE,
  canChange,
  Counted,
  EVEN_IF_FIELDS_ARE_WRONG,
  exactlyOne,
  has,
  holds,
  holdsOfNone,
  Pattern,
  Text,
} from '../fields.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { each, looserCounts, unanchored } from '../loosening.ts';
import { compilePattern } from '../pattern.ts';
import { leavesOf, normaliseText, piecesOf } from '../strings.ts';
import { rule } from '../validation/wording.ts';
import { all, type Verdict } from '../verdict.ts';

const OF_TEXT = ['contains', 'equals', 'matches'];

const DownloadAssertion = z
  .strictObject({
    kind: z.literal('download'),
    name_pattern: Pattern.optional(),
    url_pattern: Pattern.optional(),
    bytes: Counted,
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, rule('not_sha256'))
      .optional(),
    contains: Text.optional(),
    equals: Text.optional(),
    matches: Pattern.optional(),
    count: Counted,
  })
  .superRefine((node, context) => {
    if (OF_TEXT.some((field) => has(node, field))) exactlyOne(node, OF_TEXT, context);
  }, EVEN_IF_FIELDS_ARE_WRONG);
type DownloadNode = z.infer<typeof DownloadAssertion>;

export const download: AssertionKind<typeof DownloadAssertion> = {
  version: 1,
  schema: DownloadAssertion,
  seedFields: null,
  judge: judgeDownload,
  literals: ({ name_pattern: name, url_pattern: url, contains, equals, matches }) => [
    ...leavesOf([contains, equals]),
    ...[name, url, matches].flatMap(piecesOf),
  ],
  asksForFresh: () => false,
  // A script in the page can make a download of any name and content, but not one that the world has sent.
  proof: ({ count = AT_LEAST_ONE, url_pattern: url }) => {
    if (holdsOfNone(count)) return 'denied';
    return url === undefined ? 'page' : 'asserted';
  },
  loosened: looserDownload,
};

/**
 * Downloads that are completed and fit: at least one, or as `count` states. One that is not completed, or not read whole, may fit or
 * not: if that could change the verdict, it is inconclusive.
 */
function judgeDownload(node: DownloadNode, evidence: Evidence): Finding {
  const { op, value } = node.count ?? AT_LEAST_ONE;
  const expected = expectedOf(node, { op, value });
  const downloads = evidence.downloads ?? missing(evidence.pages_missing ?? 'downloads were not recorded');
  if (!downloads.captured)
    return { verdict: 'inconclusive', expected, observed: null, why: fact('not_captured', { why: downloads.why }) };
  const match = matcher(node);
  const fitting = (verdict: Verdict): Download[] => downloads.value.filter((found) => match(found) === verdict);
  const [matched, open] = [fitting('pass'), fitting('inconclusive')];
  const last = matched.at(-1) ?? open.at(-1) ?? downloads.value.at(-1);
  const observed = last === undefined ? null : observedAs(shown(last));
  const counts = { matched: matched.length, begun: downloads.value.length };
  if (canChange(matched.length, open.length, op, value)) {
    const why = fact('downloads_open', { ...counts, open: open.length });
    return { verdict: 'inconclusive', expected, observed, why };
  }
  const verdict = holds(matched.length, op, value) ? 'pass' : 'fail';
  return { verdict, expected, observed, why: fact('downloads_counted', counts) };
}

function shown({ name, url, state, bytes, text }: Download): string {
  const size = bytes === null ? '' : `, ${bytes} bytes`;
  return `${name} from ${url}: ${state}${size}${text === null ? '' : `: ${text}`}`;
}

function matcher(node: DownloadNode): (found: Download) => Verdict {
  const name = node.name_pattern === undefined ? null : compilePattern(node.name_pattern);
  const url = node.url_pattern === undefined ? null : compilePattern(node.url_pattern);
  const text = textMatcher(node);
  return (found) => {
    if (found.state === 'canceled') return 'fail';
    if (name !== null && !name(found.name)) return 'fail';
    // A page makes up what a `blob:` or `data:` URL holds.
    if (url !== null && !(/^https?:/.test(found.url) && url(found.url))) return 'fail';
    if (found.state !== 'completed') return 'inconclusive';
    return all([
      known(node.bytes, found.bytes, ({ op, value }, bytes) => holds(bytes, op, value)),
      known(node.sha256, found.sha256, (wanted, sha256) => wanted === sha256),
      ...(text === null ? [] : [found.bytes === null ? 'inconclusive' : text(found)]),
    ]);
  };
}

function known<Wanted, Found>(
  wanted: Wanted | undefined,
  found: Found | null,
  fits: (wanted: Wanted, found: Found) => boolean,
): Verdict {
  if (wanted === undefined) return 'pass';
  if (found === null) return 'inconclusive';
  return fits(wanted, found) ? 'pass' : 'fail';
}

function textMatcher({ contains, equals, matches }: DownloadNode): ((found: Download) => Verdict) | null {
  const wanted = contains ?? equals ?? matches;
  if (wanted === undefined) return null;
  const part = normaliseText(wanted);
  const pattern = matches === undefined ? null : compilePattern(matches);
  return ({ text, text_truncated: isCut }) => {
    if (text === null) return 'fail';
    const found = normaliseText(text);
    // A text that was cut goes on, so it holds all that this part does.
    if (contains !== undefined && found.includes(part)) return 'pass';
    if (isCut) return 'inconclusive';
    if (pattern !== null) return pattern(found) ? 'pass' : 'fail';
    return equals !== undefined && found === part ? 'pass' : 'fail';
  };
}

function expectedOf(node: DownloadNode, count: NonNullable<DownloadNode['count']>): Fact {
  const { name_pattern: name, url_pattern: url, bytes, sha256, contains, equals, matches } = node;
  const by =
    contains !== undefined ? 'contains' : equals !== undefined ? 'equals' : matches !== undefined ? 'matches' : '';
  return fact('download_count', {
    ...count,
    name,
    url,
    has_bytes: bytes !== undefined,
    bytes_op: bytes?.op ?? '',
    bytes: bytes?.value ?? 0,
    has_sha256: sha256 !== undefined,
    sha256: sha256 ?? '',
    by,
    text: contains ?? equals ?? matches ?? '',
  });
}

/** None if it holds of no download: with fewer conditions, it would let less pass. */
function looserDownload(node: DownloadNode): Record<string, DownloadNode> {
  const { equals, ...withoutText } = node;
  const { count } = node;
  const counted = count === undefined ? {} : each(looserCounts(count), (looser) => ({ ...node, count: looser }));
  if (holdsOfNone(count ?? AT_LEAST_ONE)) return counted;
  return {
    ...counted,
    ...(equals === undefined ? {} : { contains: { ...withoutText, contains: equals } }),
    ...Object.assign({}, ...CONDITIONS.map((field) => looserBy(node, field))),
  };
}

const CONDITIONS = ['name_pattern', 'url_pattern', 'matches', 'bytes', 'sha256', 'contains'] as const;

function looserBy(node: DownloadNode, field: (typeof CONDITIONS)[number]): Record<string, DownloadNode> {
  const value = node[field];
  if (value === undefined) return {};
  const { [field]: _dropped, ...rest } = node;
  const without = { [`any_${field}`]: rest };
  if (typeof value === 'object') return { ...without, ...each(looserCounts(value), (bytes) => ({ ...node, bytes })) };
  if (field === 'sha256' || field === 'contains') return without;
  return { ...without, ...each(unanchored(value), (pattern) => ({ ...node, [field]: pattern })) };
}
