import path from 'node:path';
import { openBlobs } from '../bundle/blobs.ts';
import { BundleError } from '../bundle/errors.ts';
import { loadEvidence } from '../bundle/evidence-file.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { FailedSteps } from '../episode/failed-steps.ts';
import type { EpisodeLine } from '../report/counted-rows.ts';
import { firstFailures } from '../report/failure-groups.ts';
import type { Report } from '../report/report.ts';
import { recordedEvents } from '../row/recorded.ts';
import { instanceName } from '../task/instance.ts';
import { readTasks } from '../task/load-task.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { withIndices } from '../task/source/source.ts';
import type { Evidence } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import { differences, liesUnder, resolvePointer } from '../contract/json-pointer.ts';
import type { Judgement } from '../contract/judgement.ts';
import { controlsIn, isReference } from '../report/roles.ts';
import type { Change } from '../report/sentence.ts';

/** The first failed step of a solution, in words, by the id of its episode. */
export type FailedSolutions = ReadonlyMap<string, string>;

/** Finds failed steps of solutions that went on: the likely cause of a contract that is not met. */
export async function failedSolutions(
  report: Pick<Report, 'episodes' | 'agents'>,
  layout: BundleLayout,
): Promise<FailedSolutions> {
  const found = new Map<string, string>();
  for (const line of firstFailures(report).filter(mayTell)) {
    const step = await firstFailedStep(line, layout);
    if (step !== null) found.set(line.episode_id, step);
  }
  return found;
}

/** Whether a solution reached its end in spite of failed steps. */
function mayTell(line: EpisodeLine): boolean {
  return isReference(line) && line.failed_contract !== null && (line.tool_errors ?? 0) > 0;
}

async function firstFailedStep(line: EpisodeLine, layout: BundleLayout): Promise<string | null> {
  const failed = new FailedSteps();
  for await (const { event } of recordedEvents(layout, line)) failed.take(event);
  return failed.first;
}

/** Places of the app's state that episodes changed against `unchanged`, by their ids. */
export type StateChanges = ReadonlyMap<string, readonly Change[]>;

const MOST_READ = 20;

/** Finds what else failed episodes changed. Rows name only the clause that decided, and not how a place changed. */
export async function stateChanges(
  report: Pick<Report, 'episodes' | 'agents'>,
  layout: BundleLayout,
): Promise<StateChanges> {
  const controls = controlsIn(report.agents);
  const broken = report.episodes.filter(({ agent, guard_verdict: guard }) => guard === 'fail' && !controls.has(agent));
  const found = new Map<string, readonly Change[]>();
  for (const line of broken.slice(0, MOST_READ)) found.set(line.episode_id, await changesIn(line, layout));
  return found;
}

async function changesIn(line: EpisodeLine, layout: BundleLayout): Promise<Change[]> {
  let except: string[] | null = null;
  let evidence: string | null = null;
  for await (const { event } of recordedEvents(layout, line)) {
    if (event.type === 'captured' && event.moment === 'end') ({ evidence } = event);
    if (event.type === 'contract_evaluation' && event.contract === 'guards') except = exceptionsOf(event.judgement);
  }
  if (except === null || evidence === null) return [];
  const allowed = except;
  const state = await stateIn(layout, evidence);
  if (!state?.captured) return [];
  const { start, now } = state.value;
  return differences(start, now, allowed)
    .filter((place) => !allowed.some((pattern) => liesUnder(place, pattern)))
    .map((place) => ({ place: place === '' ? 'the whole state' : place, how: howChanged(start, now, place) }));
}

/** Null if the evidence cannot be read, which the verification of the bundle reports. */
async function stateIn(layout: BundleLayout, evidence: string): Promise<Evidence['app_state'] | null> {
  try {
    return (await loadEvidence(openBlobs(layout.blobs), evidence)).app_state;
  } catch (error) {
    if (error instanceof BundleError) return null;
    throw error;
  }
}

function howChanged(start: Json, now: Json, place: string): Change['how'] {
  if (resolvePointer(now, place) === undefined) return 'gone';
  return resolvePointer(start, place) === undefined ? 'new' : 'changed';
}

/** The exceptions of the `unchanged` that failed; null if none did. */
function exceptionsOf({ kind, verdict, expected, children }: Judgement): string[] | null {
  if (verdict !== 'fail') return null;
  if (kind !== 'unchanged') return children.map(exceptionsOf).find((each) => each !== null) ?? null;
  const except = typeof expected === 'string' ? [] : expected.params['except'];
  return Array.isArray(except) ? except : [];
}

/** The place of the clause that decided, by the id of an episode. */
export type ContractPlaces = ReadonlyMap<string, string>;

/** Finds the places of clauses that solutions have not met: `tasks/sign.yaml:14 success.children[1]`. */
export async function contractPlaces(
  report: Pick<Report, 'episodes' | 'agents'>,
  suites: readonly Pick<LoadedSuite, 'id' | 'kinds' | 'tasks'>[],
): Promise<ContractPlaces> {
  const places = new Map<string, string>();
  for (const line of firstFailures(report).filter(isReference)) {
    const place = await placeOf(line, suites);
    if (place !== null) places.set(line.episode_id, place);
  }
  return places;
}

async function placeOf(
  { suite, task, instance, failed_contract: clause }: EpisodeLine,
  suites: readonly Pick<LoadedSuite, 'id' | 'kinds' | 'tasks'>[],
): Promise<string | null> {
  if (clause === null) return null;
  const loaded = suites.find(({ id }) => id === suite);
  const known = loaded?.tasks.find((each) => each.task.id === task && instanceName(each.task) === instance);
  if (loaded === undefined || known === undefined) return null;
  const { tasks } = await readTasks(known.file, { kinds: loaded.kinds });
  const placed = tasks.find((each) => each.task.id === task && instanceName(each.task) === instance);
  const parts = clause.path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const { line = null } = placed?.source.placeOf([...placed.path, ...parts]) ?? {};
  const file = path.relative('.', known.file);
  return `${file}${line === null ? '' : `:${line}`} ${withIndices(clause.path)}`;
}
