/**
 * The form in which text is compared: Unicode NFC, every run of white space (Unicode's White_Space, so a no-break space
 * too) one space, none at the ends.
 *
 * Characters that have no glyph and no meaning of their own are removed, as neither the user nor the author of a
 * contract can see them: soft hyphen, zero-width space, word joiner, byte order mark, and the marks that only steer the
 * direction of text (which date and number formatting inserts). The zero-width joiner and non-joiner are kept: they
 * make different words and different emoji.
 */
export function normaliseText(text: string): string {
  return text.replaceAll(INVISIBLE, '').normalize('NFC').replaceAll(WHITE_SPACE, ' ').trim();
}

const INVISIBLE = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu;
const WHITE_SPACE = /\p{White_Space}+/gu;
