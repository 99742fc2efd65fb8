import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { requireBrowser } from '../../src/browser/find.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { cacheFolder } from '../../src/process/own-folder.ts';
import { freePort } from '../../bench/redis-server.ts';
import { writeLibrarySuiteTo } from './library-suite.ts';
import { blocksOf, pages } from './pages.ts';

const run = promisify(execFile);
/** Most of what a command prints that the tests keep. */
const MAX_PRINTED = 64_000_000;

type Words = Readonly<Record<string, string>>;

export interface Ended {
  exit: number | null;
  said: string;
}

/** A clone of the working tree, built and committed, in a folder that is its own; `touchstone` is the program in it. */
export interface Clone {
  folder: string;
  remove(): Promise<void>;
}

/** Copies the files that git would commit, and the build, so that a command that writes into its clone writes there. */
export async function cloneOfThis(): Promise<Clone> {
  const home = await mkdtemp(path.join(tmpdir(), 'touchstone-docs-'));
  const folder = path.join(home, 'clone');
  const root = packageRoot();
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const name of stdout.split('\0').filter((each) => each !== '' && each !== 'node_modules')) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await copyFile(path.join(root, name), path.join(folder, name)).catch((error: unknown) => {
      // Removed here, and not yet in a commit.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    });
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await run('cp', ['-R', path.join(root, 'dist'), folder]);
  const git = async (...args: string[]) => await run('git', args, { cwd: folder });
  await git('init', '--quiet');
  await git('config', 'user.name', 'Reader');
  await git('config', 'user.email', 'reader@example.com');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'As it is');
  return { folder, remove: async () => await rm(home, { recursive: true, force: true }) };
}

export class Stage {
  /** Replaces text of a document by what is typed: addresses, and shared folders. */
  readonly #standIns: Map<string, string>;
  readonly #started: Started[] = [];
  readonly #environment: NodeJS.ProcessEnv;

  readonly folder: string;
  readonly #home: string;

  private constructor(home: string, variables: Words, standIns: Words) {
    this.#home = home;
    this.folder = path.join(home, 'clone');
    this.#standIns = new Map(Object.entries({ '/tmp/': `${home}/tmp/`, ...standIns }));
    this.#environment = {
      ...process.env,
      HOME: home,
      PATH: `${home}/bin:${process.env['PATH'] ?? ''}`,
      // npm goes on as it is set up here: with its registry, and with what it has fetched before.
      npm_config_cache: path.join(homedir(), '.npm'),
      npm_config_userconfig: path.join(homedir(), '.npmrc'),
      TOUCHSTONE_BROWSER: requireBrowser('full').path,
      TOUCHSTONE_CACHE: path.dirname(cacheFolder('apps')),
      ...variables,
    };
  }

  /** A copy of the clone, with the suite of docs/write-a-task.md as `my-suite`, and a folder `own` outside of it. */
  static async open(clone: Clone, variables: Words = {}, addresses: Words = {}): Promise<Stage> {
    const home = await mkdtemp(path.join(tmpdir(), 'touchstone-docs-'));
    const folder = path.join(home, 'clone');
    // The function of Node takes six times as long.
    await run('cp', ['-R', clone.folder, folder]);
    for (const name of ['bin', 'tmp', 'own']) await mkdir(path.join(home, name));
    const program = path.join(home, 'bin', 'touchstone');
    await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${folder}/dist/cli/main.js" "$@"\n`);
    await chmod(program, 0o755);
    await writeLibrarySuiteTo(folder);
    await writeFile(path.join(home, 'tmp', 'press.mts'), scriptOfTheApi());
    const ports = { '6379': `${await freePort()}`, '9222': `${await freePort()}` };
    return new Stage(home, variables, { ...ports, ...addresses });
  }

  async run(line: string, where: string): Promise<Ended> {
    return await (
      await this.#start(line, where)
    ).ended;
  }

  /** Starts a line that ends only on request, and waits until it has printed this. */
  async start(line: string, where: string, until: string): Promise<Ended> {
    const started = await this.#start(line, where);
    this.#started.push(started);
    await started.says(until);
    return started.sofar();
  }

  async close(): Promise<void> {
    for (const started of this.#started.toReversed()) {
      started.interrupt();
      await started.ended;
    }
    await rm(this.#home, { recursive: true, force: true });
  }

  async #start(line: string, where: string): Promise<Started> {
    const exported = /^export ([A-Z_]+)=(.*)$/.exec(line);
    if (exported !== null) this.#environment[exported[1] ?? ''] = exported[2];
    const cwd = path.join(where.startsWith('own') ? this.#home : this.folder, where);
    const child = spawn('bash', ['-c', `set -o pipefail; ${await this.#typed(line)}`], {
      cwd,
      env: this.#environment,
      // A group of its own: Ctrl-C reaches the whole line, as in a terminal.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Started(child);
  }

  /** The line with replacements for what only its reader has. */
  async #typed(line: string): Promise<string> {
    let typed = line;
    for (const [shown, standIn] of this.#standIns) typed = typed.replaceAll(shown, standIn);
    for (const [shown, found] of FOUND) {
      if (typed.includes(shown)) typed = typed.replaceAll(shown, await found(this.#home, typed));
    }
    return typed;
  }
}

/** Names that are known only once an earlier line has run. */
const FOUND: readonly [shown: string, found: (home: string, line: string) => Promise<string>][] = [
  ['bundles/<name>', async (home) => await newestBundle(home)],
  [
    '<id>',
    async (home, line) => {
      const [bundle = ''] = /\S*bundles\/\S+/.exec(line) ?? [];
      const [episode = ''] = await readdir(path.join(home, 'clone', bundle, 'episodes'));
      return episode;
    },
  ],
  [
    'a09f5a3e3f8d1c0d5f3504f9bceb35d93df9b4b0f6454b8629b481e4490eca47',
    async (home) => {
      const pins = await readFile(path.join(home, 'clone/bundles/mine/campaign.json'), 'utf8');
      return /"plan_hash": ?"(\w{64})"/.exec(pins)?.[1] ?? '';
    },
  ],
];

function scriptOfTheApi(): string {
  const blocks = pages().flatMap(blocksOf);
  const own = blocks.filter(
    ({ place, language, file }) => place.startsWith('docs/write-a-task.md:') && language === 'ts' && file === null,
  );
  return own.at(-1)?.text ?? '';
}

async function newestBundle(home: string): Promise<string> {
  for (const place of ['own', 'clone']) {
    const names = await readdir(path.join(home, place, 'bundles')).catch(() => []);
    const newest = names
      .filter((name) => !name.includes('.'))
      .toSorted()
      .at(-1);
    if (newest !== undefined) return `bundles/${newest}`;
  }
  throw new Error('no line has left a bundle');
}

class Started {
  readonly ended: Promise<Ended>;
  #said = '';
  #heard: () => void = () => {};

  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (this.#said.length < MAX_PRINTED) this.#said += text;
        this.#heard();
      });
    }
    this.ended = new Promise((resolve) => {
      child.on('close', (exit) => {
        resolve({ exit, said: this.#said });
        this.#heard();
      });
    });
  }

  sofar(): Ended {
    return { exit: this.#child.exitCode, said: this.#said };
  }

  async says(text: string): Promise<void> {
    while (!this.#said.includes(text)) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`ended without saying "${text}":\n${this.#said}`);
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  interrupt(): void {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) return;
    process.kill(-this.#child.pid, 'SIGINT');
  }
}
