import { stripVTControlCharacters } from 'node:util';

/** Characters that a terminal draws two columns wide, taken broadly: what is counted too wide is only cut too early. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{3fffd}]/u;

/** Count the columns that a text without colours takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** Count the columns that a text takes, its colours left out. */
export function shownWidth(text: string): number {
  return widthOf(stripVTControlCharacters(text));
}

/** Cut a text to so many columns; that it was cut is seen. */
export function cutTo(columns: number, text: string): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const character of text) {
    width += widthOf(character);
    if (width >= columns) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept}…`;
}
