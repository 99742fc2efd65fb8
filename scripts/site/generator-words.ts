/**
 * Words that only the site's generator understands: settings of a page, and scripts among them; files that are put into it,
 * wherever they lie; boxes, and blocks of code or notes whose title is taken for markup. On GitHub they are text.
 */
const WORDS: Record<string, RegExp> = {
  'front matter': /^---[ \t]*\n/,
  'a file that is put in': /<!--\s*@include:|^[ \t>*+-]*<<</m,
  'a box': /^[ \t>*+-]*:::/m,
  'a title of a note': /^[ \t>*+-]*\[![A-Za-z]+\][ \t]*\S/m,
  'a word of a block of code that is none': /^[ \t>*+-]*(?:```+(?!`)|~~~+(?!~))(?![\w=./ -]*$)[^`\n]*$/m,
};

/** @throws Error where a page has words for the generator in it, since other readers would not see their effect */
export function refuseGeneratorWords(file: string, page: string): void {
  const found = Object.entries(WORDS).find(([, word]) => word.test(page));
  if (found !== undefined)
    throw new Error(`${file} has ${found[0]} in it, which only the generator of the site understands`);
}
