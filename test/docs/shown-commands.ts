import { type Block, blocksOf, codeSpans, type Page, pages } from './pages.ts';

export interface Shown {
  page: string;
  /** Page and line of its block, or the page alone for one in running text. */
  place: string;
  line: string;
}

/** The programs that documents have their readers type. */
const PROGRAM =
  /^(?:[A-Z_]+=\S+ )*(?:touchstone|npm|npx|node|python3?|pip3?|docker|kubectl|git|curl|jq|sha256sum|diff|openssl|export|redis-server|redis-cli|apt-get|brotli|unzip|mkdir|cd)(?: |$)/;
/** A form of a command, with parts left open. */
const FORM = /…|<[^>]+>|\[[^\]]+\]|\{\{|\bDIR\b/;

/** Every command of a page: those in blocks in their order, then those in running text. */
export function shownIn(page: Page): Shown[] {
  const inBlocks = blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text, place }) => linesOf(text).map((line) => ({ page: page.name, place, line })));
  const inText = codeSpans(page.text)
    // In a table a pipe is written so.
    .map((span) => span.replaceAll(String.raw`\|`, '|'))
    .filter(isWholeCommand)
    .map((line) => ({ page: page.name, place: page.name, line }));
  return [...inBlocks, ...inText];
}

export const SHOWN: readonly Shown[] = pages().flatMap(shownIn);

/** Blocks that hold a command and are not marked as shell, so that no check would see it. */
export function unmarkedIn(page: Page): Block[] {
  return blocksOf(page).filter(
    ({ language, text }) =>
      ['', 'text', 'bash', 'shell', 'console'].includes(language) && text.split('\n').some(isCommand),
  );
}

function isCommand(line: string): boolean {
  return PROGRAM.test(line.replace(/^\$ /, ''));
}

/** Not a name (`touchstone run`, `npm install`), nor a form (`touchstone show <bundle>`). */
function isWholeCommand(span: string): boolean {
  return isCommand(span) && span.includes(' ') && !FORM.test(span) && !isName(span);
}

/** A command mentioned by name; a block shows what it does without arguments. */
function isName(span: string): boolean {
  return /^(?:npx )?touchstone(?: [a-z-]+)?$|^(?:npm (?:install|start|pack)|git clone|npm run touchstone --)$/.test(
    span,
  );
}

function linesOf(shell: string): string[] {
  return shell
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}
