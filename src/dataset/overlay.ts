import path from 'node:path';
import { z } from 'zod';
import { nearestName } from '../contract/nearest-name.ts';
import { parsePlainly, type Problem } from '../contract/validation/problem.ts';
import { isRecord } from '../contract/validation/record.ts';
import { fact } from '../messages/messages.ts';
import { roleProblems } from '../task/auth.ts';
import { idOfFileName } from '../task/instance.ts';
import { below, checkTask, type PlacedTask } from '../task/load-task.ts';
import { readSource } from '../task/source/read-source.ts';
import { type FileProblem, formatProblem, inFile } from '../task/source/source.ts';
import { confine, PACKAGE_APPS, resolveSuitePaths } from '../task/suite-paths.ts';
import { suiteRuleProblems, waiverProblems } from '../task/suite-rules.ts';
import { Suite } from '../task/suite.ts';
import { DatasetError } from './dataset-error.ts';
import type { ListedTask } from './importer.ts';

/** A user's additions to rows of a data set: the world of a suite file and, by the id of a row, the fields of a task file. */
const Overlay = Suite.pick({ world: true, credentials: true, roles: true, caps: true, waivers: true }).extend({
  tasks: z.record(z.string(), z.record(z.string(), z.unknown())),
});

type Entry = z.infer<typeof Overlay>['tasks'][string];

/** A suite of the rows that an overlay makes runnable. */
export interface OverlaidSuite {
  suite: Suite;
  /** As a task file has them. */
  tasks: object[];
  /** The ids of their rows. */
  rows: string[];
  /** Other files that the tasks name, relative to the overlay. */
  given: string[];
}

/** Makes tasks of the rows that an overlay names. @throws DatasetError with each problem and its line */
export async function readOverlay(
  file: string,
  dataset: string,
  listed: readonly ListedTask[],
): Promise<OverlaidSuite> {
  const read = await readSource(file);
  if (!read.ok) throw malformed(read.problems);
  const source = read.value;
  const parsed = parsePlainly(Overlay, source.value);
  if (!parsed.ok) throw malformed(inFile(file, source, parsed.problems));
  const { tasks: entries, ...parts } = parsed.value;
  const id = idOfFileName(path.parse(file).name) ?? dataset;
  const suite: Suite = { id, title: `${dataset}: ${id}`, kinds: 'all', tasks: [TASKS], ...parts };
  const folder = path.dirname(path.resolve(file));
  const { problems } = await resolveSuitePaths(folder, { ...suite, tasks: [] });
  if (problems.length === 0) problems.push(...(await programsElsewhere(folder, suite)));
  const placed: PlacedTask[] = [];
  const tasks: object[] = [];
  // Zod leaves out `__proto__`.
  const written = isRecord(source.value) ? source.value['tasks'] : null;
  for (const row of Object.keys(isRecord(written) ? written : {})) {
    const entry = Object.hasOwn(entries, row) ? (entries[row] ?? {}) : {};
    const at = ['tasks', row];
    const refused = refusals(row, entry, listed);
    problems.push(...below(at, refused));
    const found = listed.find((each) => each.id === row);
    if (refused.length > 0 || found === undefined) continue;
    const made = taskOf(found, entry, dataset);
    const checked = await checkTask(made, { caps: suite.caps, folder });
    problems.push(...below(at, checked.problems));
    for (const task of checked.tasks) {
      const one = { file, task, source, path: at };
      problems.push(...below(at, suiteRuleProblems(one, placed, suite)));
      placed.push(one);
    }
    tasks.push(made);
  }
  if (Object.keys(entries).length === 0) problems.push({ path: ['tasks'], what: fact('no_tasks') });
  problems.push(...roleProblems(suite.roles, suite.credentials), ...waiverProblems(placed, suite));
  if (problems.length > 0) throw malformed(inFile(file, source, problems));
  const given = new Set(placed.flatMap(({ task }) => task.files ?? []));
  return { suite, tasks, rows: Object.keys(entries), given: [...given] };
}

/** A suite may run a program in the folder above it, which is not copied with the overlay. */
async function programsElsewhere(folder: string, { world }: Suite): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [index, { program }] of (world.kind === 'local' ? world.sites : []).entries()) {
    const confined = program === undefined ? null : await confine(folder, program.folder, [folder, PACKAGE_APPS]);
    if (confined?.ok === false)
      problems.push(...below(['world', 'sites', index, 'program', 'folder'], confined.problems));
  }
  return problems;
}

/** The file of tasks in the suite. */
export const TASKS = 'tasks.json';

function refusals(row: string, entry: Entry, listed: readonly ListedTask[]): Problem[] {
  const found = listed.find(({ id }) => id === row);
  if (found === undefined) {
    const meant = nearestName(
      row,
      listed.map(({ id }) => id),
    );
    return [{ path: [], what: fact('overlay_row_unknown', { meant: meant ?? '' }) }];
  }
  if (found.standing === 'draft') return [{ path: [], what: fact('overlay_row_drafted') }];
  return ['id', 'title', 'goal']
    .filter((field) => field in entry)
    .map((field) => ({ path: [field], what: fact('overlay_field_of_row') }));
}

/** The id of a row may have characters that the id of a task may not have, so a tag keeps it. */
function taskOf({ id, goal, start_urls: [startUrl] }: ListedTask, entry: Entry, dataset: string): object {
  const { tags = [] } = entry;
  const title = `${dataset}:${id}`;
  return {
    id: idOfFileName(id),
    title,
    goal,
    startUrl,
    ...entry,
    tags: Array.isArray(tags) ? [...tags, 'draft', title] : tags,
  };
}

function malformed(problems: readonly FileProblem[]): DatasetError {
  return new DatasetError(fact('overlay_malformed', { problems: problems.map(formatProblem) }));
}
