import { MOST_COLUMNS } from './first-screen.ts';
import { broken, INDENT, labelled } from './labelled-lines.ts';
import type { Terminal } from './terminal.ts';

/** A text beside its label: in a terminal broken to its width, else in one line, as a script looks for it. */
export function fitted(label: string, text: string, { screen }: Pick<Terminal, 'screen'>): string[] {
  if (screen === undefined) return [label === '' ? text : `${label.padEnd(INDENT.length)}${text}`];
  const width = Math.min(screen.size.columns, MOST_COLUMNS);
  return label === '' ? broken(text, width) : labelled(label, [text], width);
}
