import type { Evidence } from '../evidence.ts';
import { differences, liesUnder } from '../json-pointer.ts';
import { type Finding, observedAs } from '../judgement.ts';
import type { ContractNode } from '../schema.ts';

/** Touchstone's own kind: the app's state equals that at the start, but for named paths. Made for `guards`. */
export function judgeUnchanged({ except = [] }: ContractNode<'unchanged'>, evidence: Evidence): Finding {
  const expected = except.length === 0 ? 'app state unchanged' : `app state unchanged, except ${except.join(', ')}`;
  const { app_state: state } = evidence;
  if (!state.captured) return { verdict: 'inconclusive', expected, observed: null, why: state.why };
  const changed = differences(state.value.start, state.value.now).filter(
    (pointer) => !except.some((pattern) => liesUnder(pointer, pattern)),
  );
  if (changed.length === 0) return { verdict: 'pass', expected, observed: null, why: 'nothing else changed' };
  const places = changed.map((pointer) => (pointer === '' ? 'the whole state' : pointer));
  return { verdict: 'fail', expected, observed: observedAs(places.join(', ')), why: `changed: ${places.length}` };
}
