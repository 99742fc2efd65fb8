import path from 'node:path';
import type { EpisodeLine } from '../report/counted-rows.ts';
import { firstFailures } from '../report/failure-groups.ts';
import { isReference } from '../report/glossary.ts';
import type { Report } from '../report/report.ts';
import { instanceName } from '../task/instance.ts';
import { readTasks } from '../task/load-task.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { withIndices } from '../task/source/source.ts';

/** The place of a clause, by the id of an episode that ended on it. */
export type ContractPlaces = ReadonlyMap<string, string>;

/** Find where the clauses stand that solutions have not met: `tasks/sign.yaml:14 success.children[1]`. */
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
