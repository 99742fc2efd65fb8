import { readdir, readFile } from 'node:fs/promises';
import { messageOf } from '../contract/message-of.ts';
import path from 'node:path';
import { parseTranscript } from '../agent/transcript.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { type FileProblem, NOWHERE } from '../task/source/source.ts';
import { Archive } from '../world/archive/archive.ts';
import { ArchiveIndex } from '../world/archive/matcher.ts';
import { WorldError } from '../world/error.ts';
import { loadApp } from '../world/load-app.ts';
import { outsideApp } from '../world/outside-app/outside-app.ts';

/** What is wrong with the apps, the archive and the transcripts of a suite, which nothing but a run would load otherwise. */
export async function codeProblems(suite: LoadedSuite): Promise<FileProblem[]> {
  const transcripts = await transcriptsIn(path.join(path.dirname(suite.file), 'transcripts'));
  const problems = await Promise.all([
    worldProblems(suite),
    ...transcripts.map((each) => problemIn(each, async () => parseTranscript(await readFile(each, 'utf8'), each))),
  ]);
  return problems.flat();
}

async function worldProblems({ world, tasks }: LoadedSuite): Promise<FileProblem[]> {
  if (world.kind === 'archive') return await archiveProblems(world, tasks);
  const problems = world.sites.map(async ({ origin, serves, path: place, program }) => {
    if (program !== undefined) {
      return await problemIn(place, async () => outsideApp({ origin, folder: place, app: program }));
    }
    return serves === 'app' ? await problemIn(place, async () => loadApp(place)) : [];
  });
  return (await Promise.all(problems)).flat();
}

/** What is wrong with an archive, and which tasks start where it has nothing. */
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
    // Whoever writes an app knows how to mend it; what else it needs, the app itself has said.
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
