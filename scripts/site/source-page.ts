import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { frontMatter } from './home-page.ts';

/** Languages that the name of a file does not say; any other is called like its ending. */
const LANGUAGES: Record<string, string> = { '.py': 'python', '.mjs': 'js', '.jsonl': 'json' };
const TEXTS = new Set(['.css', '.html', '.js', '.json', '.jsonl', '.mjs', '.py', '.sh', '.ts', '.yaml', '.yml']);

/** Longer files are shown without colours, which weigh seven times what they colour. */
const COLOURED = 32_768;

/** Whether a page can show this file; pictures and archives are left as they are. */
export function isText(file: string): boolean {
  return TEXTS.has(path.extname(file));
}

/** The address of the page that shows a file. */
export function sourceAddress(file: string): string {
  return `/${file}.source.html`;
}

/** A page that shows a file of the repository. */
export function sourcePage(file: string, text: string): string {
  const language = text.length > COLOURED ? 'text' : (LANGUAGES[path.extname(file)] ?? path.extname(file).slice(1));
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${heading(file)}${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

/** A page that lists the files of a folder. */
export function folderPage(folder: string, files: readonly string[]): string {
  const lines = files.map((file) => {
    const name = `\`${path.posix.relative(folder, file)}\``;
    return isText(file) ? `- [${name}](${sourceAddress(file)})` : `- ${name}`;
  });
  return `${heading(`${folder}/`)}${lines.join('\n')}\n`;
}

/** The files in a folder and below, except installed ones. */
export function filesIn(root: string, folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !/(?:^|\/)(?:node_modules|\.[^/]+)\//.test(file))
    .toSorted();
}

/** Reads a file for the page that shows it. */
export function readSource(root: string, file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** Neither found by a search, which is for prose, nor part of any list. */
function heading(name: string): string {
  return `${frontMatter({ title: name, search: false, outline: false, aside: false, prev: false, next: false })}\n# \`${name}\`\n\n`;
}
