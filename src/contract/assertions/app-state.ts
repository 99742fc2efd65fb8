import { canonicalJson } from '../canonical.ts';
import type { Evidence } from '../evidence.ts';
import { resolvePointer } from '../json-pointer.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { compilePattern } from '../pattern.ts';
import type { ContractNode } from '../schema.ts';

/** Touchstone's own kind: a value in the app's state, read over a channel that the browser cannot reach. */
export function judgeAppState(node: ContractNode<'app_state'>, evidence: Evidence): Finding {
  const place = node.pointer === '' ? 'the app state' : node.pointer;
  const { app_state: state } = evidence;
  const expected = describe(node, place);
  if (!state.captured) return { verdict: 'inconclusive', expected, observed: null, why: state.why };
  const value = resolvePointer(state.value.now, node.pointer);
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
  return { verdict: holds ? 'pass' : 'fail', expected, observed, why: `${place} ${holds ? 'is' : 'is not'} as expected` };
}

function describe({ absent, matches, equals }: ContractNode<'app_state'>, place: string): string {
  if (absent === true) return `${place} is absent`;
  return matches === undefined ? `${place} equals ${canonicalJson(equals ?? null)}` : `${place} matches ${matches}`;
}
