import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compilePattern } from '../contract/pattern.ts';

/** Whether a path holds a sign that stands for names. */
export function isGlob(path: string): boolean {
  return /[*?]/.test(path);
}

/** The files below a folder whose path matches, sorted. Hidden folders and `node_modules` are left out; links are not entered. */
export async function filesMatching(folder: string, glob: string): Promise<string[]> {
  const matches = globMatcher(glob.replace(/^\.\//, ''));
  const found: string[] = [];
  const waiting = [''];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      else if (matches(path)) found.push(path);
    }
  }
  return found.toSorted();
}

/** `*` and `?` stay inside one name; `**` stands for any folders. Runs in linear time, whatever the glob. */
function globMatcher(glob: string): (path: string) => boolean {
  const parts = glob.split(/(\*\*\/|\*+|\?)/).map((part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part.startsWith('*')) return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return compilePattern(`^${parts.join('')}$`);
}
