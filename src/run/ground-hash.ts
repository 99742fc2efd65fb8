import { statSync } from 'node:fs';
import path from 'node:path';
import { requireBrowser } from '../browser/find.ts';
import { hashJson } from '../contract/canonical.ts';
import { hashTree } from '../plan/pins.ts';

/** The folders of the code that acts, serves and captures. What judges is not among them. */
const ACTING = ['agent', 'browser', 'contract/dom', 'episode', 'fault', 'model', 'plan', 'process', 'run', 'surface'];
const SERVING = ['task', 'world'];

/**
 * SHA-256 of the ground on which episodes of a suite run: its world, the code that runs them, Node, the browser.
 * @throws BrowserError when there is no browser.
 */
export async function groundHash({ appHash, seed }: { appHash: string; seed: number }): Promise<string> {
  const folders = [...ACTING, ...SERVING].map((name) => path.join(import.meta.dirname, '..', name));
  const { path: binary } = requireBrowser('full');
  const { size, mtimeMs } = statSync(binary);
  const browser = { binary, size, mtime: mtimeMs };
  return hashJson({ appHash, seed, code: await hashTree({ places: folders }), node: process.version, browser });
}
