export type CountTokens = (text: string) => number;

/** Runs of one kind that are longer are measured in pieces: the time that a run takes grows with the square of its length. */
const LONG_RUN = /(\S{200}|\s{200})/;

/**
 * Loads the vocabulary o200k_base, by which texts are measured whatever model reads them: what a provider bills is the
 * provider's to say. Takes some 200 ms.
 */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text of a page may look like a mark of the vocabulary's own; it is text.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => text.split(LONG_RUN).reduce((total, piece) => total + countTokens(piece, asText), 0);
}
