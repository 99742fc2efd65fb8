import { openBlobs } from '../bundle/blobs.ts';
import { BundleError } from '../bundle/errors.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { AttemptKey } from '../bundle/row.ts';
import type { Evidence } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import { liesUnder, placesThatDiffer, pointerByIds } from '../contract/json-pointer.ts';
import type { Judgement } from '../contract/judgement.ts';
import { shortened } from '../messages/printable.ts';
import { controlsIn } from '../report/roles.ts';
import type { ReportedEpisodes } from '../report/report.ts';
import type { Change, StateChanges } from '../report/sentence.ts';
import { recordedEvents } from '../row/recorded.ts';

const MAX = { read: 20, characters: 40, before: 10 };

/** Finds what else failed episodes changed. Rows name only the clause that decided, and not how a place changed. */
export async function stateChanges(report: ReportedEpisodes, layout: BundleLayout): Promise<StateChanges> {
  const controls = controlsIn(report.agents);
  const broken = report.episodes.filter(({ agent, guard_verdict: guard }) => guard === 'fail' && !controls.has(agent));
  const found = new Map<string, readonly Change[]>();
  for (const line of broken.slice(0, MAX.read)) found.set(line.episode_id, await changesIn(line, layout));
  return found;
}

/** Returns none if the evidence cannot be read, which the verification of the bundle reports. */
export async function changesIn(row: AttemptKey, layout: BundleLayout): Promise<Change[]> {
  let except: string[] | null = null;
  let evidence: string | null = null;
  try {
    for await (const { event } of recordedEvents(layout, row)) {
      if (event.type === 'captured' && event.moment === 'end') ({ evidence } = event);
      if (event.type === 'contract_evaluation' && event.contract === 'guards') except = exceptionsOf(event.judgement);
    }
    if (except === null || evidence === null) return [];
    return changesAgainst(except, (await loadEvidence(openBlobs(layout.blobs), evidence)).app_state);
  } catch (error) {
    if (error instanceof BundleError) return [];
    throw error;
  }
}

/** The exceptions of the `unchanged` that failed; null if none did. */
function exceptionsOf({ kind, verdict, expected, children }: Judgement): string[] | null {
  if (verdict !== 'fail') return null;
  if (kind !== 'unchanged') return children.map(exceptionsOf).find((each) => each !== null) ?? null;
  const except = typeof expected === 'string' ? [] : expected.params['except'];
  return Array.isArray(except) ? except : [];
}

function changesAgainst(allowed: readonly string[], state: Evidence['app_state']): Change[] {
  if (!state.captured) return [];
  const { start, now } = state.value;
  return placesThatDiffer(start, now, allowed)
    .filter(({ at }) => !allowed.some((pattern) => liesUnder(at, pattern)))
    .map(({ at, old, young }) => ({
      place: at === '' ? 'the whole state' : pointerByIds(at, start, now),
      ...howChanged(old, young),
    }));
}

function howChanged(old: Json | undefined, young: Json | undefined): Omit<Change, 'place'> {
  if (young === undefined) return { how: 'gone' };
  if (old === undefined) return { how: 'new' };
  const [from, to] = [JSON.stringify(old), JSON.stringify(young)];
  let at = 0;
  while (at < from.length && from[at] === to[at]) at += 1;
  return { how: 'changed', from: around(from, at), to: around(to, at) };
}

/** Cuts a long text to where it differs. */
function around(text: string, differsAt: number): string {
  const start = text.length <= MAX.characters ? 0 : Math.max(0, differsAt - MAX.before);
  return `${start === 0 ? '' : '…'}${shortened(text.slice(start), MAX.characters)}`;
}
