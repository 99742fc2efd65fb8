/** A picture that a surface replied with, a PNG. */
export interface ModelPicture {
  base64: string;
}

/** Every PNG in Base64 begins with the signature of the format, and holds more than that. */
const PICTURE = /iVBORw0KGgo[A-Za-z0-9+/]{16,}={0,2}/g;

/**
 * A text, such as the body of a request, with a word in the place of each picture: two pictures of one page differ by a
 * caret, and whoever reads a request would find little else in it.
 */
export function withoutPictures(text: string): string {
  return text.replaceAll(PICTURE, '<picture>');
}
