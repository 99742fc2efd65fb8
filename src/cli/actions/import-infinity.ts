import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatasetError } from '../../dataset/dataset-error.ts';
import { contractFrom } from '../../dataset/webarena-infinity/contract.ts';
import { type Solved, solvedTasks } from '../../dataset/solved-tasks.ts';
import { infinitySuite, infinityTask } from '../../dataset/webarena-infinity/suite.ts';
import { type UpstreamEnds, upstreamEnds } from '../../dataset/webarena-infinity/upstream.ts';
import type { ListedTask } from '../../dataset/importer.ts';
import { fact } from '../../messages/messages.ts';
import { hashTree } from '../../plan/pins.ts';
import { PACKAGE_APPS } from '../../task/suite-paths.ts';
import type { Terminal } from '../terminal.ts';
import { placesFrom, writeJson } from './import-files.ts';

const APP = path.join(PACKAGE_APPS, 'webarena-infinity/app.ts');

interface Import {
  checkout: string;
  out: string;
  listed: readonly ListedTask[];
}

/** Writes a suite for each app of a checkout of WebArena-Infinity. @returns the list, with the tasks that have no contract */
export async function writeInfinity({ checkout, out, listed }: Import, terminal: Terminal): Promise<ListedTask[]> {
  const standings: ListedTask[] = [];
  for (const name of new Set(listed.map(appOf))) {
    const tasks = listed.filter((task) => appOf(task) === name);
    terminal.note(`${name}: ${tasks.length} right ends`);
    const folder = path.join(checkout, 'apps', name);
    const upstream = await upstreamEnds(folder);
    standings.push(...(await writeSuite({ name, folder, place: path.join(out, name), tasks }, upstream)));
  }
  return standings;
}

function appOf({ id }: ListedTask): string {
  return path.posix.dirname(id);
}

async function writeSuite(
  { name, folder, place, tasks }: { name: string; folder: string; place: string; tasks: readonly ListedTask[] },
  { seed, ends }: UpstreamEnds,
): Promise<ListedTask[]> {
  const solved = await solvedTasks(`webarena-infinity/${name}`);
  const gone = Object.keys(solved.tasks).filter((id) => !ends.has(id));
  if (gone.length > 0) throw new DatasetError(fact('infinity_tasks_gone', { app: name, ids: gone }));
  await mkdir(path.join(place, 'tasks'), { recursive: true });
  const standings: ListedTask[] = [];
  for (const task of tasks) {
    const id = path.posix.basename(task.id);
    const own: Solved['tasks'][string] | undefined = solved.tasks[id];
    const end = ends.get(id);
    const draft =
      end === undefined
        ? { ok: false as const, why: fact('infinity_without_end') }
        : contractFrom(seed, end, task.goal, solved);
    standings.push(draft.ok ? task : { ...task, standing: 'needs a contract', why: draft.why });
    if (!draft.ok) continue;
    const {
      goal,
      start_urls: [startUrl = ''],
    } = task;
    const written = infinityTask({ id, goal, startUrl, contracts: draft.contracts, solved: own });
    await writeJson(path.join(place, 'tasks', `${id}.json`), written);
  }
  const waivers = Object.entries(solved.tasks).flatMap(([task, own]) => own.waivers.map((each) => ({ task, ...each })));
  const from = placesFrom(place);
  const data = { app: from(APP), folder: from(folder), sha256: await hashTree({ places: [folder] }) };
  await writeJson(
    path.join(place, 'suite.json'),
    infinitySuite({ name, origin: `http://${name}.localhost`, waivers }, data),
  );
  return standings;
}
