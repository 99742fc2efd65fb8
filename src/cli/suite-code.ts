import { readdir, readFile } from 'node:fs/promises';
import { messageOf } from '../contract/message-of.ts';
import path from 'node:path';
import { z } from 'zod';
import { parseTranscript } from '../agent/transcript.ts';
import type { LoadedSuite, SoundParts } from '../task/load-suite.ts';
import { readSource } from '../task/source/read-source.ts';
import { type FileProblem, NOWHERE } from '../task/source/source.ts';
import { Archive } from '../world/archive/archive.ts';
import { ArchiveIndex } from '../world/archive/matcher.ts';
import { WorldError } from '../world/error.ts';
import type { CreateApp } from '../world/app.ts';
import { loadApp } from '../world/load-app.ts';
import { outsideApp } from '../world/outside-app/outside-app.ts';
import { realAppOf } from '../world/real-app/define-real-app.ts';

/** Finds problems in the apps, the archive and the transcripts of a suite, which otherwise only a run would load. */
export async function codeProblems(suite: SoundParts): Promise<FileProblem[]> {
  const transcripts = await transcriptsIn(path.join(path.dirname(suite.file), 'transcripts'));
  const problems = await Promise.all([
    worldProblems(suite),
    ...transcripts.map((each) => problemIn(each, async () => parseTranscript(await readFile(each, 'utf8'), each))),
  ]);
  return problems.flat();
}

async function worldProblems({ file, world, tasks }: SoundParts): Promise<FileProblem[]> {
  if (world.kind === 'archive') return await archiveProblems(world, tasks);
  const problems = world.sites.map(async ({ origin, serves, path: place, program }) => {
    if (program !== undefined) {
      const found = await problemIn(file, async () => outsideApp({ origin, folder: place, app: program }));
      return await Promise.all(found.map((problem) => atCommand(problem, origin)));
    }
    if (serves !== 'app') return [];
    const own = tasks.find(({ task }) => task.startUrl.startsWith(`${origin}/`));
    return await problemIn(place, async () => assertState(await loadApp(place), own?.task.instance?.parameters ?? {}));
  });
  return (await Promise.all(problems)).flat();
}

const NamedSites = z.object({ world: z.object({ sites: z.array(z.object({ origin: z.unknown() })) }) });

/** A problem with the program of a site, where the suite file names its command. */
async function atCommand(problem: FileProblem, origin: string): Promise<FileProblem> {
  const read = await readSource(problem.file);
  if (!read.ok) return problem;
  const named = NamedSites.safeParse(read.value.value).data?.world.sites ?? [];
  const field = ['world', 'sites', named.findIndex((site) => site.origin === origin), 'program', 'command'];
  return { ...problem, ...read.value.placeOf(field), path: field };
}

/** Makes an instance of an app of ours, which is cheap, to see whether it tells its state; a real one it only loads. */
async function assertState(create: CreateApp, parameters: Record<string, string | number>): Promise<void> {
  if (realAppOf(create) !== null) return;
  const app = await create(parameters);
  await app.close?.();
  if (typeof Reflect.get(app, 'state') === 'function') return;
  throw new Error(
    'its app has no state(), so assertions on the state (app_state, unchanged) could never be judged; add "state: () => …", which returns all of it as JSON',
  );
}

/** Finds problems in an archive, and tasks that start on a page that it does not have. */
async function archiveProblems(
  { file, ignoreQuery }: LoadedSuite['world'] & { kind: 'archive' },
  tasks: LoadedSuite['tasks'],
): Promise<FileProblem[]> {
  let archive: Archive;
  try {
    archive = await openChecked(file);
  } catch (error) {
    const remedy = error instanceof WorldError ? `; ${error.remedy}` : '';
    return [{ file, ...NOWHERE, path: [], message: `${messageOf(error)}${remedy}` }];
  }
  const index = new ArchiveIndex(archive.exchanges, ignoreQuery);
  return tasks.flatMap(({ file: taskFile, task: { id, startUrl } }) => {
    if (startUrl === 'about:blank') return [];
    if (index.find({ method: 'GET', url: startUrl, digest: null }).exchanges.length > 0) return [];
    const message = `of "${id}", ${startUrl}, is not in the archive ${path.basename(file)}; record it again, or start on a page that is in it`;
    return [{ file: taskFile, ...NOWHERE, path: ['startUrl'], message }];
  });
}

/** An archive all of whose bodies have been looked at, closed again. */
async function openChecked(file: string): Promise<Archive> {
  const archive = await Archive.open(file);
  try {
    await archive.check();
  } finally {
    archive.close();
  }
  return archive;
}

async function transcriptsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(folder, name));
}

async function problemIn(file: string, load: () => Promise<unknown>): Promise<FileProblem[]> {
  try {
    await load();
    return [];
  } catch (error) {
    // The author of an app knows how to fix it; whatever else it needs, the app itself has said.
    const isItsOwn = error instanceof WorldError && error.cause instanceof Error && 'remedy' in error.cause;
    const remedy = isItsOwn ? `; ${error.remedy}` : '';
    const said = `${messageOf(error)}${remedy}`;
    // Such errors name their file, and some the line: both have fields of their own here.
    const line = said.startsWith(`${file}:`) ? /^(\d+): /.exec(said.slice(file.length + 1)) : null;
    const own = line === null ? said : said.slice(file.length + 1 + line[0].length);
    const message = own.replaceAll(`${file} `, '').replaceAll(`${file}: `, '');
    return [{ file, line: line === null ? null : Number(line[1]), column: null, path: [], message }];
  }
}
