import { createHash } from 'node:crypto';
import { printable } from '../../messages/printable.ts';

/** HTML that we wrote. Whatever was put into it is escaped, and only this file makes any. */
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

/** A part of markup: text, which is escaped, or markup. Null is nothing. */
type Content = Markup | readonly Markup[] | string | number | null;

/**
 * HTML from a template. Text between `${…}` is data, in an element or in an attribute between double quotes: control
 * characters are made visible, and what could end or begin markup is written as a character reference.
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

/** A style or a script of ours in the page, with what a content security policy calls it. */
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

/** JSON for a script of the page to read. No text in it can end the element: every `<` is escaped. */
export function dataBlock(id: string, value: unknown): Markup {
  const json = printable(JSON.stringify(value)).replaceAll('<', String.raw`\u003c`);
  return markup`<script type="application/json" id="${id}">${new Written(json)}</script>`;
}
