import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { DatasetError } from '../../dataset/dataset-error.ts';
import type { ListedTask } from '../../dataset/importer.ts';
import { solvedTasks } from '../../dataset/solved-tasks.ts';
import { BUILD, readGames } from '../../dataset/webgames/build.ts';
import { gameTasks, webgamesSuite } from '../../dataset/webgames/suite.ts';
import { fact } from '../../messages/messages.ts';
import { hashTree } from '../../plan/pins.ts';
import { PACKAGE_APPS } from '../../task/suite-paths.ts';
import { placesFrom, writeJson } from './import-files.ts';

const APP = path.join(PACKAGE_APPS, 'webgames/app.ts');

const Upstream = z.object({ password: z.string(), tags: z.array(z.string()) });

interface Import {
  checkout: string;
  out: string;
  /** Seeds run from 0 up to this, exclusive. */
  seeds: number;
  listed: readonly ListedTask[];
}

/** Writes a suite over the build in a checkout of WebGames. */
export async function writeWebgames({ checkout, out, seeds, listed }: Import): Promise<void> {
  const find = await readGames(checkout);
  const solved = await solvedTasks('webgames');
  const missing: string[] = [];
  await mkdir(path.join(out, 'tasks'));
  for (const task of listed.filter(({ standing }) => standing === 'draft')) {
    const { password, tags } = Upstream.parse(task.upstream);
    const game = find(task.id, password);
    if (game === null) missing.push(task.id);
    else {
      const tasks = gameTasks({ task, tags, game, seeds, solved: solved.tasks[task.id] });
      await writeJson(path.join(out, 'tasks', `${task.id}.json`), tasks);
    }
  }
  if (missing.length > 0) throw new DatasetError(fact('webgames_built_otherwise', { ids: missing }));
  const from = placesFrom(out);
  const folder = path.join(checkout, BUILD);
  const data = { app: from(APP), folder: from(folder), sha256: await hashTree({ places: [folder] }) };
  await writeJson(path.join(out, 'suite.json'), webgamesSuite(data));
}
