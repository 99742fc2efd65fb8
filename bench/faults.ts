/**
 * Every kind of fault, on every surface through which it can be injected: a task of the suite `stress` through four surfaces, clean and with each
 * kind, by an agent that looks again and retries. Prints, tab-separated, how often a kind fired, was cleared and was recovered from
 * on each surface, and fails where one that applies never fired. `--task` takes others of the suite, or several; `--surface` and
 * `--only-fault` take fewer.
 *
 *   npm run bench:faults [-- --task <ids>] [--surface <ids>] [--only-fault <ids>] [--out <folder>]
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleLayout } from '../src/bundle/layout.ts';
import { readCountedRows } from '../src/bundle/sealed-rows.ts';
import { main } from '../src/cli/program.ts';
import { FAULT_KINDS } from '../src/fault/schema.ts';

const { values } = parseArgs({
  options: {
    // It has a form, a session with cookies, and a password to confirm: there is something for every kind to break.
    task: { type: 'string', default: 'change-address' },
    surface: { type: 'string', default: 'aria,dom,playwright-mcp,chrome-devtools-mcp' },
    'only-fault': { type: 'string' },
    out: { type: 'string' },
  },
});
const surfaces = values.surface.split(',');
const fewer = values['only-fault'] === undefined ? [] : ['--only-fault', values['only-fault']];
const bundle = values.out ?? path.join(mkdtempSync(path.join(tmpdir(), 'touchstone-faults-')), 'bundle');
const ended = await main([
  'run',
  'stress',
  '--task',
  values.task,
  '--agent',
  'retrying-reference',
  '--surface',
  values.surface,
  ...fewer,
  '--out',
  bundle,
]);

const rows = await readCountedRows(bundleLayout(bundle));
const notFired: string[] = [];
console.log(['kind', ...surfaces].join('\t'));
for (const { kind } of FAULT_KINDS) console.log([kind, ...surfaces.map((surface) => cell(kind, surface))].join('\t'));
for (const each of notFired) console.error(`never fired, though it can: ${each}`);
console.error(bundle);
process.exit(ended <= 1 && notFired.length === 0 ? 0 : 1);

/** `fired/cleared/recovered of applicable`, or `-` where the kind cannot be injected through the surface. */
function cell(kind: string, surface: string): string {
  const own = rows.filter((row) => row.surface === surface && row.status !== 'not_applicable');
  const planned = own.flatMap(({ faults, recovered }) =>
    faults.filter((fault) => fault.kind === kind).map((fault) => ({ ...fault, recovered })),
  );
  if (planned.length === 0) return '-';
  const fired = planned.filter((fault) => fault.fired);
  if (fired.length === 0) notFired.push(`${kind} through ${surface}`);
  const cleared = fired.filter((fault) => fault.cleared);
  const recovered = fired.filter((fault) => fault.recovered === true);
  return `${fired.length}/${cleared.length}/${recovered.length} of ${planned.length}`;
}
