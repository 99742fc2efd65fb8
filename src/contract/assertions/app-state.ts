import { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind, Tree } from '../assertion-kind.ts';
import { canonicalJson } from '../canonical.ts';
import type { Evidence } from '../evidence.ts';
import { EVEN_IF_FIELDS_ARE_WRONG, exactlyOne, Pattern, Pointer } from '../fields.ts';
import { Json, isDeeperThan } from '../json.ts';
import { namesByKey, namesOfPointer, placeNamed } from '../json-pointer.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { leavesOf, piecesOf } from '../strings.ts';
import { each, unanchored } from '../loosening.ts';
import { compilePattern } from '../pattern.ts';

const AppState = z
  .strictObject({
    kind: z.literal('app_state'),
    pointer: Pointer,
    equals: Json.optional(),
    matches: Pattern.optional(),
    absent: z.literal(true).optional(),
  })
  .superRefine((node, context) => {
    exactlyOne(node, ['equals', 'matches', 'absent'], context);
  }, EVEN_IF_FIELDS_ARE_WRONG);
type AppStateNode = z.infer<typeof AppState>;

export const appState: AssertionKind<typeof AppState> = {
  version: 2,
  versionOf: ({ pointer }) => (namesByKey(pointer) ? 2 : 1),
  schema: AppState,
  seedFields: null,
  judge: judgeAppState,
  literals: ({ equals, matches, pointer }) => [...leavesOf(equals), ...piecesOf(matches), ...namesOfPointer(pointer)],
  asksForFresh: () => false,
  proof: () => 'asserted',
  loosened: looserState,
};

/** Deepest value that is compared. Fixed, since the depth of the stack differs between machines and the verdict must not. */
const MAX_NESTING = 500;

/**
 * A value in the app's state, read over a channel that the browser cannot reach. `equals` compares as JSON, types included;
 * `matches` holds of text only.
 */
function judgeAppState(node: AppStateNode, evidence: Evidence): Finding {
  const place = node.pointer === '' ? {} : { place: node.pointer };
  const { app_state: state } = evidence;
  const expected = expectedOf(node, place);
  if (!state.captured)
    return { verdict: 'inconclusive', expected, observed: null, why: fact('not_captured', { why: state.why }) };
  const found = placeNamed(state.value.now, node.pointer);
  if (found === 'ambiguous')
    return { verdict: 'inconclusive', expected, observed: null, why: fact('state_ambiguous', place) };
  const { value } = found;
  if (isDeeperThan(value, MAX_NESTING)) {
    const why = fact('state_too_deep', { ...place, levels: MAX_NESTING });
    return { verdict: 'inconclusive', expected, observed: null, why };
  }
  const observed = value === undefined ? null : observedAs(canonicalJson(value));
  if (node.absent === true) {
    const why = fact(value === undefined ? 'state_is_absent' : 'state_is_present', place);
    return { verdict: value === undefined ? 'pass' : 'fail', expected, observed, why };
  }
  if (value === undefined) return { verdict: 'fail', expected, observed, why: fact('state_is_absent', place) };
  const holds = holdsOf(node, value);
  return {
    verdict: holds ? 'pass' : 'fail',
    expected,
    observed,
    why: fact('state_compared', { ...place, holds }),
  };
}

function holdsOf({ matches, equals }: AppStateNode, value: Json): boolean {
  if (matches !== undefined) return typeof value === 'string' && compilePattern(matches)(value);
  return canonicalJson(value) === canonicalJson(equals);
}

function expectedOf({ absent, matches, equals }: AppStateNode, place: { place?: string }): Fact {
  if (absent === true) return fact('state_absent', place);
  if (matches !== undefined) return fact('state_matches', { ...place, pattern: matches });
  if (equals === undefined) throw new Error('has neither equals nor matches nor absent');
  return fact('state_equals', { ...place, json: canonicalJson(equals) });
}

function looserState(node: AppStateNode): Record<string, Tree<AppStateNode>> {
  const { equals, matches, ...rest } = node;
  if (matches !== undefined) return each(unanchored(matches), (pattern) => ({ ...rest, matches: pattern }));
  if (equals === undefined) return {};
  if (typeof equals === 'number') {
    const or = (other: number): Tree<AppStateNode> => ({ kind: 'or', children: [node, { ...rest, equals: other }] });
    return { one_more: or(equals + 1), one_less: or(equals - 1) };
  }
  return { any_value: { kind: 'not', child: { ...rest, absent: true } } };
}
