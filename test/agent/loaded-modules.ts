import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { tempFiles } from '../task/temp-files.ts';

const HOOK = fileURLToPath(new URL('fixtures/note-loads.mjs', import.meta.url));

/** Runs a program (TypeScript or not) in a process of its own; gives how it exited, and the address of every module it loaded. */
export async function loadsOf(program: string, args: readonly string[]): Promise<{ exit: number; loaded: string[] }> {
  await using files = await tempFiles({ loads: '' });
  const child = spawn(process.execPath, ['--import', 'tsx', '--import', HOOK, program, ...args], {
    stdio: 'ignore',
    env: { ...process.env, LOADS: files.path('loads') },
  });
  const [exit] = await once(child, 'close');
  const loads = await readFile(files.path('loads'), 'utf8');
  return { exit: Number(exit), loaded: [...new Set(loads.split('\n'))].filter((url) => url !== '') };
}

const MODEL_CODE = [
  /\/(?:src|dist)\/(?:agent\/)?model\//,
  /\/node_modules\/(?:@ai-sdk|@anthropic-ai|ai|openai|@google)\//,
];

/** Those modules that talk to models: ours, and the packages of providers. */
export function modelCodeIn(loaded: readonly string[]): string[] {
  return loaded.filter((url) => MODEL_CODE.some((pattern) => pattern.test(url)));
}
