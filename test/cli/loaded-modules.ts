import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { temporaryFolder } from '../temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const Coverage = z.object({ result: z.array(z.object({ url: z.string() })) });

interface Loaded {
  files: string[];
  packages: string[];
}

const known = new Map<string, Promise<Loaded>>();

/** Runs the program as a process, once for each line, and returns our files (`src/…`) and the npm packages that V8 has loaded for it. */
export async function loadedBy(...args: string[]): Promise<Loaded> {
  const loading = known.get(args.join(' ')) ?? load(args);
  known.set(args.join(' '), loading);
  return await loading;
}

async function load(args: readonly string[]): Promise<Loaded> {
  const folder = await temporaryFolder();
  const line = ['--import', 'tsx', path.join(ROOT, 'src/cli/main.ts'), ...args];
  await promisify(execFile)(process.execPath, line, {
    cwd: ROOT,
    env: { ...process.env, NODE_V8_COVERAGE: folder },
  });
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')));
  const urls = texts.flatMap((text) => Coverage.parse(JSON.parse(text)).result.map(({ url }) => url));
  const names = urls.filter((url) => url.startsWith('file:')).map((url) => path.relative(ROOT, fileURLToPath(url)));
  return {
    files: names.filter((name) => name.startsWith('src/')).map((name) => name.replace(/\?.*$/, '')),
    packages: [...new Set(names.flatMap((name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []))],
  };
}
