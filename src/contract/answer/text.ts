import { normaliseText } from '../strings.ts';

/** Characters that different keyboards and typesetters use for one. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201A\u201B\u2032\u02BC\u2039\u203A]/gu, "'"],
  [/[\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB]/gu, '"'],
  [/[\p{Pd}\u2212]/gu, '-'],
  [/\u2026/gu, '...'],
];

/** Text in which quotation marks, hyphens, dashes and ellipses have one form each, besides what `normaliseText` does. */
export function sameText(text: string): string {
  return SAME.reduce((folded, [characters, one]) => folded.replaceAll(characters, one), normaliseText(text));
}

export interface TextFolds {
  exact?: true | undefined;
  ignore_case?: boolean | undefined;
  ignore_width?: boolean | undefined;
}

/** The form in which the texts of an answer are compared. */
export function comparedText(text: string, { exact, ignore_case: anyCase, ignore_width: anyWidth }: TextFolds): string {
  if (exact === true) return normaliseText(text);
  const folded = sameText(anyWidth === true ? text.normalize('NFKC') : text);
  return anyCase === true ? folded.toLowerCase() : folded;
}
