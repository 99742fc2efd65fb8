import { generateKeyPairSync } from 'node:crypto';
import { appendFile, cp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const ALTERED = ['report.json', 'report.md', 'report.html', 'rows.jsonl'].flatMap((name) =>
  ['sign', 'compare', 'publish'].map((command) => [name, command] as const),
);

async function copied(): Promise<{ bundle: string; rest: (command: string) => string[] }> {
  const folder = await temporaryFolder();
  const [bundle, key] = [path.join(folder, 'bundle'), path.join(folder, 'key.pem')];
  await cp(await committedBundle('account'), bundle, { recursive: true });
  await writeFile(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const more: Record<string, string[]> = { sign: ['--key', key], publish: ['--to', path.join(folder, 'out')] };
  return { bundle, rest: (command) => [bundle, ...(more[command] ?? [])] };
}

test.each(ALTERED)('a bundle whose %s was altered is refused by %s', async (name, command) => {
  const { bundle, rest } = await copied();
  await appendFile(path.join(bundle, name), '\n');
  const { exit, err } = await touchstone(command, ...rest(command));
  expect(err).toContain(`${bundle} does not verify: ${name}`);
  expect(exit).toBe(2);
  expect(await readdir(bundle)).not.toContain('signature.json');
});

test('one whose reports were drawn again is taken, and so is one as it was left', async () => {
  const { bundle, rest } = await copied();
  await appendFile(path.join(bundle, 'report.md'), '\n');
  expect(await touchstone('report', bundle)).toMatchObject({ exit: 0 });
  for (const command of ['compare', 'publish', 'sign']) {
    expect(await touchstone(command, ...rest(command))).toMatchObject({ exit: 0 });
  }
});
