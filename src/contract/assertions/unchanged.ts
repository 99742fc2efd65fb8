import { z } from 'zod';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind } from '../assertion-kind.ts';
import type { Evidence } from '../evidence.ts';
import { Pointer } from '../fields.ts';
import { differences, liesUnder, namesByKey, namesOfPointer } from '../json-pointer.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { rule } from '../validation/wording.ts';

const Unchanged = z.strictObject({
  kind: z.literal('unchanged'),
  /** Paths that may change; a segment `*` matches any one segment, `[id=5]` one entry of a list. */
  except: z.array(Pointer.refine((pointer) => pointer !== '', rule('excepts_everything'))).optional(),
});
type UnchangedNode = z.infer<typeof Unchanged>;

export const unchanged: AssertionKind<typeof Unchanged> = {
  version: 2,
  versionOf: ({ except = [] }) => (except.some(namesByKey) ? 2 : 1),
  schema: Unchanged,
  seedFields: null,
  judge: judgeUnchanged,
  literals: ({ except = [] }) => except.flatMap(namesOfPointer),
  asksForFresh: () => false,
  // It shows that something changed, not what, so even its negation is not proof.
  proof: () => 'nothing',
  loosened: widerExceptions,
};

/** The app's state equals that at the start, except at named paths. Made for `guards`. */
function judgeUnchanged({ except = [] }: UnchangedNode, evidence: Evidence): Finding {
  const expected = fact('state_unchanged', { has_except: except.length > 0, except });
  const { app_state: state } = evidence;
  if (!state.captured)
    return { verdict: 'inconclusive', expected, observed: null, why: fact('not_captured', { why: state.why }) };
  const changed = differences(state.value.start, state.value.now, except).filter(
    (pointer) => !except.some((pattern) => liesUnder(pointer, pattern)),
  );
  if (changed.length === 0) return { verdict: 'pass', expected, observed: null, why: fact('nothing_else_changed') };
  const places = changed.map((pointer) => (pointer === '' ? 'the whole state' : pointer));
  return {
    verdict: 'fail',
    expected,
    observed: observedAs(places.join(', ')),
    why: fact('places_changed', { count: places.length }),
  };
}

/** Exceptions of the parent of each path. */
function widerExceptions(node: UnchangedNode): Record<string, UnchangedNode> {
  const { except = [] } = node;
  return Object.fromEntries(
    except.flatMap((pointer, index) => {
      const parent = pointer.slice(0, pointer.lastIndexOf('/'));
      if (parent === '') return [];
      return [[`wider_${index}`, { ...node, except: except.map((own, at) => (at === index ? parent : own)) }]];
    }),
  );
}
