import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hashJson, sha256Hex } from '../contract/canonical.ts';
import { packageRoot } from '../plan/package-root.ts';
import { hashTree } from '../plan/pins.ts';

/** SHA-256 of all code of ours that runs here, and of the versions that it asks for: a commit says nothing of a clone with changes. */
export async function codeHash(): Promise<string> {
  const root = packageRoot();
  const code = path.join(import.meta.dirname, '..');
  const manifest = readFileSync(path.join(root, 'package.json'));
  const files = await hashTree({ places: [code, path.join(root, 'surfaces'), path.join(root, 'prompts')] });
  return hashJson({ files, manifest: sha256Hex(manifest) });
}
