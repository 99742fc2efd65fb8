import { readdir, readFile } from 'node:fs/promises';
import { messageOf } from '../contract/message-of.ts';
import path from 'node:path';
import { parseTranscript } from '../agent/transcript.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { FileProblem } from '../task/source/source.ts';
import { loadApp } from '../world/load-app.ts';

/** What is wrong with the apps and transcripts of a suite, which nothing but a run would load otherwise. */
export async function codeProblems({ file, world }: LoadedSuite): Promise<FileProblem[]> {
  const apps = world.sites.filter(({ serves }) => serves === 'app').map((site) => site.path);
  const transcripts = await transcriptsIn(path.join(path.dirname(file), 'transcripts'));
  const problems = await Promise.all([
    ...apps.map((app) => problemIn(app, async () => loadApp(app))),
    ...transcripts.map((each) => problemIn(each, async () => parseTranscript(await readFile(each, 'utf8'), each))),
  ]);
  return problems.flat();
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
    const said = messageOf(error);
    // Such errors name their file, and some the line: both have fields of their own here.
    const line = said.startsWith(`${file}:`) ? /^(\d+): /.exec(said.slice(file.length + 1)) : null;
    const own = line === null ? said : said.slice(file.length + 1 + line[0].length);
    const message = own.replaceAll(`${file} `, '').replaceAll(`${file}: `, '');
    return [{ file, line: line === null ? null : Number(line[1]), column: null, path: [], message }];
  }
}
