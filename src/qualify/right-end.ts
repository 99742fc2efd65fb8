import { canonicalJson } from '../contract/canonical.ts';
import type { Answer, Evidence } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import { differences, liesUnder } from '../contract/json-pointer.ts';

/** The result of an episode, as far as its end may be compared with another. */
export interface RightEnd {
  answer: Answer | null;
  /** Where the task starts. */
  startUrl: string;
  finalUrl: string | null;
  /** Null where nothing was captured. */
  evidence: Evidence | null;
}

/**
 * Whether an end is as good as the reference's: the same app state, and the same answer where the reference has one; where the reference changes none, the
 * same address, or all that the reference has sent to the app sent as well, from wherever. Null where the reference leaves
 * nothing by which its end could be told from any other: no state, no answer, nothing sent, and the address of the start.
 * @param volatile paths of the app state that are not compared
 */
export function isRightEnd(own: RightEnd, right: RightEnd, volatile: readonly string[]): boolean | null {
  // If the reference gives no answer, any answer is as good as none.
  if (right.answer !== null && canonicalJson(own.answer) !== canonicalJson(right.answer)) return false;
  const [state, wanted] = [own.evidence?.app_state, right.evidence?.app_state];
  const left = leftBy(right, volatile);
  if (state?.captured === true && wanted?.captured === true) {
    if (differs(state.value.now, wanted.value.now, volatile)) return false;
    if (left.state) return true;
  }
  if (hasSentAll(own.evidence, right.evidence)) return true;
  if (own.finalUrl !== right.finalUrl) return false;
  return left.answer || left.address ? true : null;
}

/** The traces of a reference by which its end can be told from others; where all are false, nothing but its page can. */
export interface Left {
  /** A change of the app's state. */
  state: boolean;
  /** A request that carries something. */
  sent: boolean;
  answer: boolean;
  /** Another address than that of the start. */
  address: boolean;
}

export function leftBy(right: RightEnd, volatile: readonly string[]): Left {
  const state = right.evidence?.app_state;
  return {
    state: state?.captured === true && differs(state.value.start, state.value.now, volatile),
    sent: sentIn(right.evidence).size > 0,
    answer: right.answer !== null,
    address: right.finalUrl !== right.startUrl,
  };
}

function differs(one: Json, other: Json, volatile: readonly string[]): boolean {
  return !differences(one, other).every((pointer) => volatile.some((path) => liesUnder(pointer, path)));
}

/** False where the reference has sent nothing: then that says nothing. */
function hasSentAll(own: Evidence | null, right: Evidence | null): boolean {
  const wanted = sentIn(right);
  const sent = sentIn(own);
  return wanted.size > 0 && [...wanted].every((each) => sent.has(each));
}

/** The requests of an agent's part of the episode that carry something. */
function sentIn(evidence: Evidence | null): Set<string> {
  const network = evidence?.network;
  if (network?.captured !== true) return new Set();
  const { entries, since } = network.value;
  const own = entries.filter(({ seq, request_body: body }) => seq >= since.contract_enter && body !== null);
  return new Set(own.map(({ method, url, request_body: body }) => `${method} ${url} ${body}`));
}
