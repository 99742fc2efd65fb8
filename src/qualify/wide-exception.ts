import type { Evidence } from '../contract/evidence.ts';
import { isRecord } from '../contract/validation/record.ts';
import { differences, liesUnder } from '../contract/json-pointer.ts';
import type { Contract } from '../contract/schema.ts';

/** Exceptions of guards that leave nothing of an app's state to be guarded. */
export interface WideException {
  except: string[];
  /** The places that the solution changes, where they are narrower; few of them, and each short. */
  changed: string[];
}

/** Most places that are named, and most characters of each: the app names them. */
const MOST = { places: 4, characters: 100 };

/** Finds exceptions that cover all that there is; null where something is guarded, or nothing is known. */
export function wideException(guards: Contract | undefined, end: Evidence | null | undefined): WideException | null {
  const state = end?.app_state;
  if (guards === undefined || state?.captured !== true || !isRecord(state.value.now)) return null;
  const except = exceptionsOf(guards);
  const parts = Object.keys(state.value.now).map(pointerTo);
  if (except.length === 0 || !parts.every((part) => except.some((pattern) => liesUnder(part, pattern)))) return null;
  const changed = differences(state.value.start, state.value.now);
  const isNarrower = changed.every((each) => !except.includes(each) && each.length <= MOST.characters);
  return { except, changed: isNarrower && changed.length <= MOST.places ? changed : [] };
}

function pointerTo(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The exceptions of all that is guarded. */
export function exceptionsOf(contract: Contract): string[] {
  if (contract.kind === 'unchanged') return contract.except ?? [];
  return contract.kind === 'and' ? contract.children.flatMap(exceptionsOf) : [];
}
