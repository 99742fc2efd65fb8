import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeFolder } from '../src/process/own-folder.ts';
import { drawPicture, pictureFile } from './picture.ts';
import { terminalPage } from './terminal-page.ts';

/** The picture in `docs/quickstart.md`: what a run prints in a terminal of 80 columns. */
export const TERMINAL_PICTURE = pictureFile('terminal');

/** In two lines, since one would not fit into 80 columns. */
const COMMAND = ['run basics --task dialog-delete,iframe-vote', '--agent reference,null,parrot'];
/** Columns and rows of the terminal, and the pixels that one of each, and the margin, take on the page. */
const SIZE = { columns: 80, rows: 24, column: 8.43, line: 18.9, padding: 40 };

/** Runs a small campaign, and draws its output. */
async function drawTerminalPicture(): Promise<void> {
  const folder = makeFolder('bundle');
  try {
    const typed = `$ npx touchstone ${COMMAND.join(' \\\n    ')}`.split('\n');
    const lines = [...typed, ...(await printedIn(folder))];
    const page = path.join(folder, 'terminal.html');
    writeFileSync(page, terminalPage(lines));
    const size = {
      width: Math.ceil(SIZE.columns * SIZE.column) + SIZE.padding,
      height: Math.ceil(lines.length * SIZE.line) + SIZE.padding,
    };
    await drawPicture({ file: TERMINAL_PICTURE, address: pathToFileURL(page).href, size });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs it in a folder, so that the bundle has the same short name as for a user. */
async function printedIn(folder: string): Promise<string[]> {
  // Colours are chosen when the program is loaded.
  process.env['FORCE_COLOR'] = '1';
  const { main } = await import('../src/cli/program.ts');
  const lines: string[] = [];
  const print = (text: string): void => {
    lines.push(...text.split('\n'));
  };
  const screen = { size: SIZE, show: () => {} };
  const args = [...COMMAND.join(' ').split(' '), '--out', 'bundles/first'];
  const before = process.cwd();
  process.chdir(folder);
  await main(args, { out: print, note: print, command: 'npx touchstone', screen });
  process.chdir(before);
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await drawTerminalPicture();
