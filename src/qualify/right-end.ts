import { canonicalJson } from '../contract/canonical.ts';
import type { Answer, Evidence } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import { differences, liesUnder } from '../contract/json-pointer.ts';

/** The parts of an episode's end that can be compared with another's. */
export interface RightEnd {
  answer: Answer | null;
  startUrl: string;
  finalUrl: string | null;
  evidence: Evidence | null;
}

/**
 * Whether an end is as good as the reference's: it has the same app state, and the same answer if the reference gave one. If the
 * reference changes no state, the end has the same address, or has sent everything that the reference sent. Null if nothing
 * distinguishes the reference's end from others: no state, no answer, nothing sent, and the address of the start.
 * @param volatile paths of the app state that are not compared
 */
export function isRightEnd(own: RightEnd, right: RightEnd, volatile: readonly string[]): boolean | null {
  // If the reference gives no answer, any answer is right.
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

/** The traces that distinguish a reference's end; if all are false, only its page does. */
export interface Left {
  /** A change of the app's state. */
  state: boolean;
  /** A request that carries something. */
  sent: boolean;
  answer: boolean;
  /** An address that is not the start's. */
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

function hasSentAll(own: Evidence | null, right: Evidence | null): boolean {
  const wanted = sentIn(right);
  const sent = sentIn(own);
  return wanted.size > 0 && [...wanted].every((each) => sent.has(each));
}

/** Lists the requests with a body in the agent's part of the episode. */
function sentIn(evidence: Evidence | null): Set<string> {
  const network = evidence?.network;
  if (network?.captured !== true) return new Set();
  const { entries, since } = network.value;
  const own = entries.filter(({ seq, request_body: body }) => seq >= since.contract_enter && body !== null);
  return new Set(own.map(({ method, url, request_body: body }) => `${method} ${url} ${body}`));
}
