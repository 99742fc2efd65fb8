import path from 'node:path';
import type { BundleLayout } from '../bundle/layout.ts';
import { FailedSteps } from '../episode/failed-steps.ts';
import type { EpisodeLine } from '../report/counted-rows.ts';
import { firstFailures } from '../report/failure-groups.ts';
import type { ReportedEpisodes } from '../report/report.ts';
import { recordedEvents } from '../row/recorded.ts';
import { instanceName } from '../task/instance.ts';
import { readTasks } from '../task/load-task.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { withIndices } from '../task/source/source.ts';
import { isReference } from '../report/roles.ts';

/** The first failed step of a solution, in words, by the id of its episode. */
export type FailedSolutions = ReadonlyMap<string, string>;

/** Finds failed steps of solutions that went on: the likely cause of a contract that is not met. */
export async function failedSolutions(report: ReportedEpisodes, layout: BundleLayout): Promise<FailedSolutions> {
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

type SuiteTasks = Pick<LoadedSuite, 'id' | 'kinds' | 'tasks'>;

/** The place of the clause that decided, by the id of an episode. */
export type ContractPlaces = ReadonlyMap<string, string>;

/** Finds the places of clauses that solutions have not met: `tasks/sign.yaml:14 success.children[1]`. */
export async function contractPlaces(report: ReportedEpisodes, suites: readonly SuiteTasks[]): Promise<ContractPlaces> {
  const places = new Map<string, string>();
  for (const line of firstFailures(report).filter(isReference)) {
    const place = await placeOf(line, suites);
    if (place !== null) places.set(line.episode_id, place);
  }
  return places;
}

async function placeOf(
  { suite, task, instance, failed_contract: clause }: EpisodeLine,
  suites: readonly SuiteTasks[],
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
