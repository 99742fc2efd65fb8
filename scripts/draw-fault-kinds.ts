import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FAULT_KINDS } from '../src/fault/schema.ts';
import { withDrawnPart } from './drawn-part.ts';

/** The page with the table of kinds. */
export const STRESS_DOCS = fileURLToPath(new URL('../docs/stress.md', import.meta.url));

/** Replaces the table of kinds on the page. */
export function drawFaultKinds(page: string): string {
  const rows = FAULT_KINDS.map(({ kind, where, about }) => `| \`${kind}\` | ${where} | ${about} |\n`);
  const table = ['| kind | where | what goes wrong |\n', '|---|---|---|\n', ...rows];
  return withDrawnPart(page, 'scripts/draw-fault-kinds.ts from src/fault/schema.ts', table.join(''));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(STRESS_DOCS, drawFaultKinds(readFileSync(STRESS_DOCS, 'utf8')));
}
