import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from './source-page.ts';

/** A tag that leads to something or loads it. Text has no `<` of its own in a built page. */
const TAG = /<(a|img|link|script|source|iframe)\b([^>]*)>/g;

/** All that is wrong with the links of a built site, by page: files and headings that are not there, and what would be loaded from elsewhere. */
export function linkProblems(built: string, base = '/'): string[] {
  const pages = filesIn(built, '.').filter((file) => file.endsWith('.html'));
  const ids = new Map(pages.map((page) => [page, idsIn(readFileSync(path.join(built, page), 'utf8'))]));
  return pages.flatMap((page) => {
    const html = readFileSync(path.join(built, page), 'utf8');
    const problems = linksIn(html).map((link) => problemOf(link, { built, base, page, ids }));
    return [...new Set(problems)].flatMap((problem) => (problem === null ? [] : [`${page}: ${problem}`]));
  });
}

interface Link {
  tag: string;
  target: string;
}

interface Site {
  built: string;
  base: string;
  page: string;
  ids: ReadonlyMap<string, ReadonlySet<string>>;
}

function problemOf({ tag, target }: Link, { built, base, page, ids }: Site): string | null {
  const here = new URL(`http://site${base}${page}`);
  const url = new URL(target, here);
  if (url.protocol === 'data:' || url.protocol === 'mailto:') return null;
  if (url.host !== here.host) return tag === 'a' ? null : `loads ${target}`;
  const file = fileOf(built, base, decodeURIComponent(url.pathname));
  if (file === null) return `${target} leads nowhere`;
  // After a question mark, a report's index has its filters.
  const heading = decodeURIComponent(url.hash.slice(1).split('?', 1)[0] ?? '');
  const known = ids.get(file);
  return heading === '' || known === undefined || known.has(heading) ? null : `${target} names no heading there`;
}

/** The file that a server answers an address with; null when there is none. */
export function fileOf(built: string, base: string, address: string): string | null {
  if (!address.startsWith(base)) return null;
  const below = address.slice(base.length);
  const file = path.posix.normalize(below === '' || below.endsWith('/') ? `${below}index.html` : below);
  const absolute = path.join(built, file);
  if (file.startsWith('..') || !existsSync(absolute) || !statSync(absolute).isFile()) return null;
  return file;
}

function linksIn(html: string): Link[] {
  return [...html.matchAll(TAG)].flatMap(([, tag = '', attributes = '']) =>
    [...attributes.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, target = '']) => ({
      tag,
      target: unescaped(target),
    })),
  );
}

function idsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/<[a-z][^>]*?\sid="([^"]*)"/g)].map(([, id = '']) => unescaped(id)));
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}
