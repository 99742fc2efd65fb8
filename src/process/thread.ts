import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TransferListItem, Worker } from 'node:worker_threads';
import { packageFolderOf } from './packages.ts';

/** Largest heap of a thread, in MB: one that needs more ends, and this process does not. */
const MAX_HEAP_MB = 512;

/**
 * Starts a module of ours in a thread. In a clone it is TypeScript, which Node cannot read by itself.
 * @param nextTo address of a module in the folder of this one
 * @param workerData given to the module
 */
export function startThread(
  name: string,
  nextTo: string,
  workerData: object,
  transferList: TransferListItem[],
): Worker {
  const options = { workerData, transferList, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } };
  const module = new URL(`${name}${path.extname(fileURLToPath(nextTo))}`, nextTo);
  if (!module.pathname.endsWith('.ts')) return new Worker(module, options);
  return new Worker(throughJiti(fileURLToPath(module)), { ...options, eval: true });
}

function throughJiti(file: string): string {
  const cache = path.join(packageFolderOf(import.meta.dirname) ?? '', 'node_modules/.cache/touchstone');
  const [jiti, at] = [createRequire(import.meta.url).resolve('jiti'), file].map((each) => JSON.stringify(each));
  return `require(${jiti}).createJiti(${at}, { fsCache: ${JSON.stringify(cache)}, interopDefault: false }).import(${at});`;
}
