import { createHash } from 'node:crypto';
import { printable } from '../../messages/printable.ts';

/** Escaped HTML, which only this file makes. */
class Written {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Markup = Written;

/** Text, which is escaped, or markup. */
type Content = Markup | readonly Markup[] | string | number | null;

/**
 * HTML from a template. Text between `${…}` is data, in an element or in an attribute between double quotes: it is made printable, and
 * escaped.
 */
export function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const text = parts.map((part, at) => part + contentText(contents[at] ?? null));
  return new Written(text.join(''));
}

function contentText(content: Content): string {
  if (content === null) return '';
  if (content instanceof Written) return content.toString();
  if (typeof content === 'object') return content.join('');
  return escaped(String(content));
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}

/** A style or a script in the page, with its name in a content security policy. */
export interface Inlined {
  element: Markup;
  /** `'sha256-…'`. */
  source: string;
}

/** @param text of a file of ours. */
export function inlined(name: 'style' | 'script', text: string): Inlined {
  if (/<\/(?:style|script)|<!--/i.test(text)) throw new Error(`a ${name} of ours would end its own element`);
  const source = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return { element: new Written(`<${name}>${text}</${name}>`), source };
}

/** JSON for a script of the page; as every `<` is escaped, no text can end the element. */
export function dataBlock(id: string, value: unknown): Markup {
  const json = printable(JSON.stringify(value)).replaceAll('<', String.raw`\u003c`);
  return markup`<script type="application/json" id="${id}">${new Written(json)}</script>`;
}
