import { execFile } from 'node:child_process';
import { readFile, symlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packedBundle } from '../../scripts/draw-bundles.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readCountedRows } from '../../src/bundle/sealed-rows.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { committedBundle, copyOf } from '../committed-bundle.ts';

const FOLDER = await committedBundle('tool-servers');

/** Runs lines of Python with a bundle open, and returns what they print, or the last line of the error. */
async function python(bundle: string, lines: string): Promise<string> {
  const program = `import json, sys
from touchstone_bundle import open_bundle
with open_bundle(sys.argv[1]) as bundle:
    rows = list(bundle.rows())
    ${lines.replaceAll('\n', '\n    ')}
`;
  const env = { ...process.env, PYTHONPATH: path.join(packageRoot(), 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
  const ran = promisify(execFile)('python3', ['-c', program, bundle], { env });
  const { stdout } = await ran.catch((error: { stderr: string }) => ({
    stdout: error.stderr.trimEnd().split('\n').at(-1) ?? '',
  }));
  return stdout.trimEnd();
}

async function altered(name: string, to: (text: string) => string): Promise<string> {
  const { root: copy } = await copyOf(FOLDER);
  const file = path.join(copy, name);
  await writeFile(file, to(await readFile(file, 'latin1')), 'latin1');
  return copy;
}

test.each([
  ['a folder', FOLDER],
  ['a packed one', packedBundle('tool-servers')],
])('Python reads the rows that we read: %s', async (_what, bundle) => {
  const printed = await python(
    bundle,
    `print(json.dumps([[r.task, r.surface, r.status, r.passed, r.steps, r.failed_contract and r.failed_contract.kind] for r in rows]))`,
  );
  const rows = await readCountedRows(bundleLayout(FOLDER));
  expect(JSON.parse(printed)).toEqual(
    rows.map(({ task, surface, status, steps, failed_contract: failed }) => [
      task,
      surface,
      status,
      status === 'passed',
      steps,
      failed?.kind ?? null,
    ]),
  );
});

test('plan, report, events and pictures are read too', async () => {
  const printed = await python(
    packedBundle('tool-servers'),
    `picture = bundle.blob(rows[0].artifacts["screenshot_end"])
print(json.dumps([bundle.campaign()["campaign_id"] == bundle.report()["campaign_id"], next(bundle.events(rows[0]))["event"]["type"], picture[:4].decode("latin1")]))`,
  );
  const [same, first, magic]: unknown[] = JSON.parse(printed);
  expect([same, typeof first]).toEqual([true, 'string']);
  expect(['RIFF', '\u0089PNG', '\u00FF\u00D8\u00FF\u00DB', '\u00FF\u00D8\u00FF\u00E0']).toContain(magic);
});

test('evidence with another byte, a row of another format and a link that leads out are refused', async () => {
  const [row] = await readCountedRows(bundleLayout(FOLDER));
  const picture = row?.artifacts['screenshot_end'] ?? '';
  const changed = await altered(`blobs/${picture}`, (text) => `${text}x`);
  expect(await python(changed, `bundle.blob("${picture}")`)).toContain('does not match the hash in its name');
  const later = await altered('rows.jsonl', (text) => text.replaceAll('"schema_version":2', '"schema_version":3'));
  expect(await python(later, 'print(rows)')).toContain('rows.jsonl:1 is of format 3');
  await rm(path.join(changed, 'rows.jsonl'));
  await symlink('/etc/hostname', path.join(changed, 'rows.jsonl'));
  expect(await python(changed, 'print(rows)')).toContain('rows.jsonl leads out of the bundle');
});

test('a folder that is no bundle is reported as none, and an invalid hash leads nowhere', async () => {
  expect(await python(packageRoot(), 'print(rows)')).toContain('is no bundle: it has no campaign.json');
  expect(await python('/etc/hostname', 'print(rows)')).toContain('is no bundle');
  expect(await python(FOLDER, 'bundle.blob("../campaign.json")')).toContain('is no SHA-256');
});
