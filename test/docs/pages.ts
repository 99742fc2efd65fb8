import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../src/plan/package-root.ts';

/** A fenced code block of a Markdown page. */
export interface Block {
  place: string;
  language: string;
  /** The words that follow it: what the block is checked as, and the file that it stands for. */
  marks: readonly string[];
  /** From `file=…`. */
  file: string | null;
  text: string;
}

export interface Page {
  name: string;
  text: string;
}

export function pages(): Page[] {
  const root = packageRoot();
  const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const names = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.map((name) => `docs/${name}`)];
  return names
    .filter((name) => name.endsWith('.md') && existsSync(path.join(root, name)))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }));
}

export function blocksOf({ name, text }: Page): Block[] {
  const blocks: Block[] = [];
  let open: { info: string; place: string; lines: string[] } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    // In a list it is indented.
    if (!/^ *```/.test(line)) open?.lines.push(line);
    else if (open === null) open = { info: line.trim().slice(3).trim(), place: `${name}:${index + 1}`, lines: [] };
    else {
      blocks.push(blockOf(open));
      open = null;
    }
  }
  if (open !== null) throw new Error(`${open.place}: the code block is not closed`);
  return blocks;
}

export function codeSpans(text: string): string[] {
  const outside = text.replaceAll(/^ *```[^]*?^ *```/gm, '');
  return [...outside.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

function blockOf({ info, place, lines }: { info: string; place: string; lines: readonly string[] }): Block {
  const [language = '', ...words] = info.split(/\s+/);
  const file = words.find((word) => word.startsWith('file='))?.slice('file='.length) ?? null;
  const marks = words.filter((word) => !word.startsWith('file='));
  return { place, language, marks, file, text: `${lines.join('\n')}\n` };
}
