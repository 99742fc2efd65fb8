import { execFile } from 'node:child_process';
import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { packageRoot } from '../../src/plan/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Type-checks sources (by file name) as if they lay in the root of the project, in one program; gives every complaint. */
export async function typeProblems(sources: Readonly<Record<string, string>>): Promise<string[]> {
  const root = packageRoot();
  // The compiler knows its working folder by its real path.
  const folder = realpathSync(await temporaryFolder());
  for (const name of ['node_modules', 'package.json', 'schemas']) {
    symlinkSync(path.join(root, name), path.join(folder, name));
  }
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(folder, name), text);
  const config = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: { rootDirs: [folder, root] },
    files: Object.keys(sources),
    include: [],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  return await compilerProblems(folder);
}

async function compilerProblems(folder: string): Promise<string[]> {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  // Several threads would do much of the work twice.
  const args = [path.join(path.dirname(manifest), 'bin/tsc'), '--noEmit', '--pretty', 'false', '--singleThreaded'];
  const { error, printed } = await new Promise<{ error: Error | null; printed: string }>((done) => {
    execFile(process.execPath, args, { cwd: folder }, (failure, stdout) => {
      done({ error: failure, printed: stdout });
    });
  });
  // Further lines of a complaint are indented.
  const problems = printed.split(/\n(?! )/).filter((each) => each !== '');
  if (error !== null && problems.length === 0) throw error;
  return problems.map((each) => each.replace(/^(.+?)\(\d+,\d+\): error TS\d+: /, '$1: ').trimEnd());
}
