import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FAULT_KINDS } from '../src/fault/registry.ts';

/** The page with the table of kinds. */
export const STRESS_DOCS = fileURLToPath(new URL('../docs/stress.md', import.meta.url));

const BEGIN = '<!-- drawn by scripts/draw-fault-kinds.ts from src/fault/registry.ts -->\n';
const END = '<!-- to here -->\n';

/** Put what the registry says of each kind in the place of what stood on the page. */
export function drawFaultKinds(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${STRESS_DOCS} does not say where the table stands`);
  const rows = FAULT_KINDS.map(({ kind, where, about }) => `| \`${kind}\` | ${where} | ${about} |\n`);
  const table = ['| kind | where | what goes wrong |\n', '|---|---|---|\n', ...rows];
  return `${page.slice(0, begin + BEGIN.length)}\n${table.join('')}\n${page.slice(end)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(STRESS_DOCS, drawFaultKinds(readFileSync(STRESS_DOCS, 'utf8')));
}
