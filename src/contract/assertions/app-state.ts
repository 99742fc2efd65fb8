import { canonicalJson } from '../canonical.ts';
import type { Evidence } from '../evidence.ts';
import { resolvePointer } from '../json-pointer.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { isDeeperThan } from '../nesting.ts';
import { compilePattern } from '../pattern.ts';
import type { ContractNode } from '../schema.ts';

/**
 * Deepest value that is compared and shown. A fixed limit, as the stack's own differs between machines, and the same
 * evidence must give the same verdict on all of them.
 */
const MAX_NESTING = 500;

/**
 * Touchstone's own kind: a value in the app's state, read over a channel that the browser cannot reach.
 * `equals` compares as JSON: the order of keys does not matter, the type does ("1" is not 1). `matches` holds of text only.
 */
export function judgeAppState(node: ContractNode<'app_state'>, evidence: Evidence): Finding {
  const place = node.pointer === '' ? 'the app state' : node.pointer;
  const { app_state: state } = evidence;
  const expected = describe(node, place);
  if (!state.captured) return { verdict: 'inconclusive', expected, observed: null, why: state.why };
  const value = resolvePointer(state.value.now, node.pointer);
  if (isDeeperThan(value, MAX_NESTING)) {
    const why = `${place} is nested deeper than ${MAX_NESTING} levels`;
    return { verdict: 'inconclusive', expected, observed: null, why };
  }
  const observed = value === undefined ? null : observedAs(canonicalJson(value));
  if (node.absent === true) {
    const why = value === undefined ? `${place} is absent` : `${place} is there`;
    return { verdict: value === undefined ? 'pass' : 'fail', expected, observed, why };
  }
  if (value === undefined) return { verdict: 'fail', expected, observed, why: `${place} is absent` };
  const holds =
    node.matches === undefined
      ? canonicalJson(value) === canonicalJson(node.equals ?? null)
      : typeof value === 'string' && compilePattern(node.matches)(value);
  return {
    verdict: holds ? 'pass' : 'fail',
    expected,
    observed,
    why: `${place} ${holds ? 'is' : 'is not'} as expected`,
  };
}

function describe({ absent, matches, equals }: ContractNode<'app_state'>, place: string): string {
  if (absent === true) return `${place} is absent`;
  return matches === undefined ? `${place} equals ${canonicalJson(equals ?? null)}` : `${place} matches ${matches}`;
}
