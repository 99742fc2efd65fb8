import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUDGETS = path.join(ROOT, 'test', 'budgets.json');

/** Words and turns of phrase that an engineer who grew up with English would put differently. */
const PHRASES: Readonly<Record<string, RegExp>> = {
  'nobody, somebody': /\b(?:no|some)body\b/gi,
  'whoever, whatever, whom': /\b(?:whoever|whatever|whom)\b/gi,
  'told, tells': /\b(?:told|tells)\b/gi,
  'says, said': /\b(?:says|said)\b/gi,
  'is no, are none': /\b(?:is no|is none|are none)\b/gi,
  'comes to, came of': /\b(?:comes? to|came (?:to|of))\b/gi,
  'stands in, for, against': /\bstands? (?:in|for|against|beside|there)\b/gi,
  'beside, alike, anew, till': /\b(?:beside|alike|anew|till)\b/gi,
  'deed, purse, sighting, foreseen': /\b(?:deeds?|purse|sightings?|foreseen)\b/gi,
  'a comment that begins with What, Of, How or Whose': /^\s*(?:\/\*\*|\*|\/\/) (?:What|Of|How|Whose) /gm,
};

/** Counts by name: lines and files of `src` and of each of its folders, lines of tests, words of documents, odd phrases. */
export type Counts = Record<string, number>;

/** Counts the repository as it is. */
export function countAll(): Counts {
  const source = read(['src/**/*.ts'], ['src/report/pages/**']);
  const counts: Counts = {};
  for (const [file, text] of source) {
    const folder = file.split('/').slice(0, 2).join('/');
    add(counts, `lines of ${folder}`, linesOf(text));
    add(counts, `files of ${folder}`, 1);
    add(counts, 'lines of src', linesOf(text));
    add(counts, 'files of src', 1);
  }
  add(counts, 'lines of test', sum(read(['test/**/*.ts']), linesOf));
  add(counts, 'words of documents', sum(read(['README.md', 'docs/**/*.md']), wordsOf));
  for (const [name, pattern] of Object.entries(PHRASES))
    add(
      counts,
      `“${name}” in src`,
      sum(source, (text) => text.match(pattern)?.length ?? 0),
    );
  return counts;
}

/** Lists every count that is above its budget or has none. */
export function overBudget(counts: Counts, budgets: Counts): string[] {
  return Object.entries(counts)
    .filter(([name, count]) => count > (budgets[name] ?? 0))
    .map(([name, count]) => `${name}: ${count}, budget ${budgets[name] ?? 'none'}`);
}

export function readBudgets(): Counts {
  const budgets: Counts = JSON.parse(readFileSync(BUDGETS, 'utf8'));
  return budgets;
}

/** Lowers budgets to what is there. A budget never rises, and one of a folder that is gone goes too. */
export function lowered(counts: Counts, budgets: Counts): Counts {
  const names = Object.keys(counts).toSorted();
  return Object.fromEntries(names.map((name) => [name, Math.min(counts[name] ?? 0, budgets[name] ?? Infinity)]));
}

function read(patterns: string[], ignore: string[] = []): [file: string, text: string][] {
  const files = globSync(patterns, { cwd: ROOT, ignore }).toSorted();
  return files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]);
}

function add(counts: Counts, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

function sum(texts: readonly [string, string][], count: (text: string) => number): number {
  return texts.reduce((total, [, text]) => total + count(text), 0);
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(BUDGETS, `${JSON.stringify(lowered(countAll(), readBudgets()), null, 2)}\n`);
}
