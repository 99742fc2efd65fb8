import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashJson } from '../../src/contract/canonical.ts';
import { BodyStore, writeArchive } from '../../src/world/archive/write-archive.ts';
import { sampleHar } from '../world/archive/sample-archive.ts';
import { type Ran, touchstone } from './touchstone.ts';

/** The bundle of a campaign with only hostile entrants. */
export interface HostileRun {
  suite: string;
  bundle: string;
  ran: Ran;
}

export type Enemy = 'agent' | 'tool server' | 'archive' | 'author';

/** The text of each, meant to run in a report, to be a line of it, and to steer a terminal. */
export function wordsOf(enemy: Enemy): string {
  return `by ${enemy} </script><img src=x onerror="document.title='taken'">|\`\u001b[2J\u009b31m\u202e\rpassed\n\n- all passed by ${enemy}`;
}

const ADDRESS = 'https://hostile.test/';

let running: Promise<HostileRun> | null = null;

/** A campaign of a hostile author, on a hostile archive, by a hostile agent and through a hostile tool server. It is run once. */
export async function hostileRun(): Promise<HostileRun> {
  running ??= run();
  return await running;
}

async function run(): Promise<HostileRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  process.once('exit', () => void rm(folder, { recursive: true, force: true }));
  await cp(fileURLToPath(new URL('fixtures', import.meta.url)), path.join(folder, 'them'), {
    recursive: true,
  });
  const [agent, server] = [path.join(folder, 'them/liar.yaml'), path.join(folder, 'them/hostile.yaml')];
  await writeFile(agent, JSON.stringify({ command: 'node', args: ['hostile-agent.mjs', wordsOf('agent')] }));
  await writeFile(
    server,
    JSON.stringify({ id: 'hostile', command: './hostile-server.mjs', args: [wordsOf('tool server')] }),
  );
  const suite = path.join(folder, 'suite');
  await writeSuite(suite);
  const bundle = path.join(folder, 'bundle');
  const entrants = ['--agent', `${agent},transcript,null`, '--surface', `own,${server}`];
  const ran = await touchstone('run', suite, ...entrants, '--verbose', '--out', bundle);
  return { suite, bundle, ran };
}

async function writeSuite(suite: string): Promise<void> {
  const words = JSON.stringify(wordsOf('author'));
  await mkdir(path.join(suite, 'transcripts'), { recursive: true });
  await writeFile(
    path.join(suite, 'suite.yaml'),
    `{ id: hostile, title: ${words}, description: ${words}, tasks: [task.yaml], world: { kind: archive, archive: web.zip } }`,
  );
  await writeFile(
    path.join(suite, 'task.yaml'),
    JSON.stringify({
      id: 'hostile',
      title: wordsOf('author'),
      goal: wordsOf('author'),
      startUrl: ADDRESS,
      success: { kind: 'dom_text', selector: 'h1', equals: wordsOf('author') },
    }),
  );
  const calls = ['look', wordsOf('tool server')].map((tool) => ({
    kind: 'tool_call',
    tool,
    args: {},
    args_digest_sha256: hashJson({}),
    response_kind: 'text',
  }));
  const header = { kind: 'header', schema_version: 1, task: 'hostile', surface: 'hostile', provenance: 'authored' };
  const lines = [header, ...calls].map((line) => `${JSON.stringify(line)}\n`);
  await writeFile(path.join(suite, 'transcripts/hostile.hostile.jsonl'), lines.join(''));
  await using bodies = await BodyStore.create();
  const escaped = wordsOf('archive').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const body = `<!doctype html><meta charset="utf-8"><title>${escaped}</title><h1>${escaped}</h1>`;
  await writeArchive(
    path.join(suite, 'web.zip'),
    await sampleHar([{ url: ADDRESS, page: 'hostile', body }], bodies),
    bodies,
  );
}
