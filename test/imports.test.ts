import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

const IMPORTS: [file: string, imported: string, allowed: boolean][] = [
  ['src/contract/a.ts', '../task/b.ts', false],
  ['src/contract/assertions/a.ts', '../../bundle/b.ts', false],
  ['src/contract/assertions/a.ts', '../evidence.ts', true],
  ['src/process/a.ts', '../contract/b.ts', false],
  ['src/world/a.ts', '../process/b.ts', true],
  ['src/bundle/a.ts', '../process/b.ts', false],
  ['src/fault/a.ts', '../contract/b.ts', true],
  ['src/fault/a.ts', '../task/b.ts', false],
  ['src/browser/a.ts', '../fault/b.ts', false],
  ['src/world/a.ts', '../fault/b.ts', true],
  ['src/task/a.ts', '../contract/b.ts', true],
  ['src/task/a.ts', '../fault/b.ts', true],
  ['src/task/a.ts', '../agent/b.ts', false],
  ['src/dataset/a.ts', '../task/b.ts', true],
  ['src/dataset/a.ts', '../bundle/b.ts', false],
  ['src/verify/a.ts', '../dataset/b.ts', false],
  ['src/agent/a.ts', '../surface/b.ts', false],
  ['src/surface/aria/a.ts', '../../episode/b.ts', false],
  ['src/browser/a.ts', '../world/b.ts', false],
  ['src/episode/a.ts', '../surface/b.ts', true],
  ['src/episode/a.ts', '../bundle/b.ts', false],
  ['src/plan/a.ts', '../episode/b.ts', true],
  ['src/plan/a.ts', '../row/b.ts', false],
  ['src/row/a.ts', '../plan/b.ts', true],
  ['src/row/a.ts', '../run/b.ts', false],
  ['src/run/a.ts', '../row/b.ts', true],
  ['src/run/a.ts', '../queue/b.ts', false],
  ['src/queue/a.ts', '../run/b.ts', true],
  ['src/run/a.ts', '../report/b.ts', false],
  ['src/report/a.ts', '../plan/b.ts', false],
  ['src/verify/a.ts', '../row/b.ts', true],
  ['src/verify/a.ts', '../run/b.ts', false],
  ['src/qualify/a.ts', '../run/b.ts', true],
  ['src/qualify/a.ts', '../verify/b.ts', false],
  ['src/rerun/a.ts', '../verify/b.ts', true],
  ['src/rerun/a.ts', '../cli/b.ts', false],
  ['src/viewer/a.ts', '../report/b.ts', true],
  ['src/viewer/a.ts', '../cli/b.ts', false],
  ['src/report/a.ts', '../viewer/b.ts', false],
  ['src/export/a.ts', '../viewer/b.ts', true],
  ['src/export/a.ts', '../verify/b.ts', false],
  ['src/viewer/a.ts', '../export/b.ts', false],
  ['src/testing/a.ts', '../cli/b.ts', true],
  ['src/viewer/a.ts', '../testing/b.ts', false],
  ['src/fault/b.ts', './kinds/a.ts', true],
  ['src/task/b.ts', '../fault/kinds/a.ts', false],
  ['src/cli/actions/b.ts', '../../contract/assertions/url.ts', false],
  ['src/cli/actions/b.ts', '../../contract/evidence.ts', true],
];

interface Diagnostic {
  filename: string;
  code: string;
}

/** A line of the table as a file of its own, as some stand in the same folder. */
function fileOf(file: string, at: number): string {
  return path.posix.join(path.dirname(file), `importing-${at}.ts`);
}

let report: { number_of_files: number; diagnostics: Diagnostic[] } = { number_of_files: 0, diagnostics: [] };

// One process looks at all of them: each takes as long to start as all files take.
beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  await copyFile(path.join(ROOT, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  for (const [at, [file, imported]] of IMPORTS.entries()) {
    const place = path.join(folder, fileOf(file, at));
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, `import { b } from '${imported}';\nexport const a = b;\n`);
  }
  const oxlint = path.join(ROOT, 'node_modules/.bin/oxlint');
  const printed = await promisify(execFile)(oxlint, ['--deny-warnings', '--format=json', 'src'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  report = JSON.parse(printed.stdout);
  return async () => rm(folder, { recursive: true });
});

test('oxlint has looked at each file', () => {
  expect(report.number_of_files).toBe(IMPORTS.length);
});

test.each(IMPORTS.map((each, at) => [...each, at] as const))(
  '%s importing %s: allowed is %s',
  (file, _imported, allowed, at) => {
    const found = report.diagnostics.filter(({ filename }) => filename === fileOf(file, at));
    expect(found.map(({ code }) => code)).toEqual(allowed ? [] : ['eslint(no-restricted-imports)']);
  },
);
