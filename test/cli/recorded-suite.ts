import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const PAGES = { 'index.html': '<h1>Example Domain</h1><a href="/more">More</a>', 'more.html': '<h1>More</h1>' };

const SUITE = `id: small
title: Small
tasks: [tasks/*]
world: { kind: local, sites: [{ origin: https://example.com, static: site, stand_in: true }] }
`;

function task(id: string, file: string): string {
  const url = `https://example.com/${file}`;
  return `id: ${id}
title: Open a page
startUrl: about:blank
goal: Open ${url}
success: { kind: and, children: [{ kind: url, pattern: '${file}$' }, { kind: dom_count, selector: h1, op: eq, value: 1 }] }
solutions: [{ steps: [{ do: go, url: '${url}' }, { do: read }] }]
`;
}

export async function writeSmallSuite(folder: string): Promise<string> {
  const suite = path.join(folder, 'small');
  for (const each of ['site', 'tasks']) await mkdir(path.join(suite, each), { recursive: true });
  await writeFile(path.join(suite, 'suite.yaml'), SUITE);
  for (const [name, html] of Object.entries(PAGES))
    await writeFile(path.join(suite, 'site', name), `<!doctype html>${html}`);
  await writeFile(path.join(suite, 'tasks/a.yaml'), task('open-first', 'index.html'));
  await writeFile(path.join(suite, 'tasks/b.yaml'), task('open-more', 'more.html'));
  return suite;
}

let recording: Promise<string> | null = null;

/** A copy of that suite, with the transcripts that were recorded of the reference and accepted, and a baseline of them. */
export async function recordedSuite(): Promise<string> {
  recording ??= record();
  const copy = path.join(await temporaryFolder(), 'small');
  await cp(await recording, copy, { recursive: true });
  return copy;
}

async function record(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  process.once('exit', () => void rm(folder, { recursive: true, force: true }));
  const suite = await writeSmallSuite(folder);
  const bundle = path.join(folder, 'bundle');
  await touchstone('run', suite, '--out', bundle);
  await touchstone('transcripts', bundle, suite, '--accept', '--baseline', path.join(suite, 'baseline.json'));
  return suite;
}

export function transcriptIn(suite: string, id = 'open-first'): string {
  return path.join(suite, `transcripts/${id}.aria.jsonl`);
}

export async function editTranscript(
  file: string,
  edit: (lines: Record<string, unknown>[]) => unknown[],
): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const parsed: Record<string, unknown>[] = lines.map((line): ReturnType<typeof JSON.parse> => JSON.parse(line));
  await writeFile(
    file,
    edit(parsed)
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
}
