import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The files and folders of the repository that a page links to, by their path from the root; those that are not there are left out. */
export function linkedFiles(root: string, page: string, text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '');
  const targets = [...prose.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => path.posix.join(path.posix.dirname(page), target).replace(/\/$/, ''))
    .filter((file) => !file.startsWith('..') && isBelow(root, file));
}

/** Whether a file is there, and no link leads out of the repository on the way to it. */
function isBelow(root: string, file: string): boolean {
  const place = path.join(root, file);
  return existsSync(place) && !path.relative(realpathSync(root), realpathSync(place)).startsWith('..');
}
