import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { type OverlaidSuite, TASKS } from '../../dataset/overlay.ts';
import { makeNewFolder } from '../../run/new-folder.ts';
import type { Suite, SuiteSite } from '../../task/suite.ts';
import { placesFrom, writeJson } from './import-files.ts';

/** Writes the suite of an overlay into a new folder, with copies of the files beside the overlay that it names. */
export async function writeOverlay(
  overlay: string,
  { suite, tasks, given }: OverlaidSuite,
  folder: string,
): Promise<void> {
  await makeNewFolder(folder);
  const carry = await carrier(path.dirname(path.resolve(overlay)), folder);
  for (const file of given) await carry(file);
  await writeJson(path.join(folder, TASKS), tasks);
  await writeJson(path.join(folder, 'suite.json'), { ...suite, world: await carriedWorld(suite.world, carry) });
}

/** Brings a file or folder that the overlay names to the suite, and gives its place as the suite names it. */
type Carry = (place: string, withFolder?: boolean) => Promise<string>;

async function carrier(base: string, folder: string): Promise<Carry> {
  const from = placesFrom(folder);
  const list = await realpath(path.dirname(folder));
  return async (place, withFolder = false) => {
    const within = path.relative(base, path.resolve(base, place));
    if (within.split(path.sep)[0] === '..') return from(path.resolve(base, place));
    const parent = path.dirname(within);
    const copied = withFolder && parent !== '.' ? parent : within;
    // An archive may be recorded later.
    if (existsSync(path.join(base, copied)))
      await copy(await realpath(path.join(base, copied)), path.join(folder, copied), list);
    return place;
  };
}

/** Leaves out the list, which may lie in a folder that the overlay names. Links are copied as links. */
async function copy(source: string, target: string, list: string): Promise<void> {
  if (!list.startsWith(source + path.sep)) {
    await cp(source, target, { recursive: true, verbatimSymlinks: true });
    return;
  }
  await mkdir(target, { recursive: true });
  for (const name of await readdir(source)) {
    const each = path.join(source, name);
    if (each !== list) await copy(each, path.join(target, name), list);
  }
}

async function carriedWorld(world: Suite['world'], carry: Carry): Promise<object> {
  if (world.kind === 'archive') return { ...world, archive: await carry(world.archive) };
  const sites: object[] = [];
  for (const site of world.sites) sites.push(await carriedSite(site, carry));
  return { ...world, sites };
}

async function carriedSite(site: z.infer<typeof SuiteSite>, carry: Carry): Promise<object> {
  const { app, static: folder, program, files = [], data, ...rest } = site;
  const carried: string[] = [];
  for (const each of files) carried.push(await carry(each));
  return {
    ...rest,
    // Its file may import others in its folder.
    ...(app === undefined ? {} : { app: await carry(app, true) }),
    ...(folder === undefined ? {} : { static: await carry(folder) }),
    ...(program === undefined ? {} : { program: { ...program, folder: await carry(program.folder) } }),
    ...(files.length === 0 ? {} : { files: carried }),
    ...(data === undefined ? {} : { data: { ...data, folder: await carry(data.folder) } }),
  };
}
