import type { CapturedElement, CapturedNode } from '../../contract/dom/captured-tree.ts';
import type { TabDocument } from './tab-reader.ts';

/** Longest HTML of a tab and longest value of an attribute that an agent is shown, in characters. */
export const MAX_HTML = 250_000;
export const MAX_ATTRIBUTE = 2_000;

/** Comments are not captured. */
const LEFT_OUT: ReadonlySet<string> = new Set(['script', 'style', 'noscript']);
/** Attributes of another protocol, from which agents that read HTML must not profit. */
const DECORATION = /^data-nac-/;
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

export interface SerialisedTab {
  html: string;
  /** The elements and texts in it. */
  written: ReadonlySet<CapturedNode>;
}

/**
 * The HTML of a tab. Open shadow roots are in their host as `<template shadowrootmode="open">`, the documents of frames inside the tag of
 * their frame. `<!-- now: … -->` follows a field that holds another value than its markup; the page's own comments are left out.
 */
export function serialise(tab: TabDocument, limit = MAX_HTML): SerialisedTab {
  const writer = new Writer(limit);
  writer.document(tab);
  return { html: writer.html, written: writer.written };
}

export function isShownAttribute(name: string): boolean {
  return !DECORATION.test(name);
}

type Task = { text: string } | { node: CapturedNode; tab: TabDocument };

class Writer {
  readonly written = new Set<CapturedNode>();
  readonly #limit: number;
  readonly #parts: string[] = [];
  #length = 0;
  /** A stack, since a page may nest without limit. */
  readonly #tasks: Task[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get html(): string {
    const whole = this.#parts.join('');
    if (this.#length <= this.#limit) return whole;
    return `${whole}\n<!-- cut: the page goes on for ${this.#length - whole.length} characters more -->`;
  }

  document(tab: TabDocument): void {
    this.#later(tab.frame.document.children, tab);
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) {
      if ('text' in task) this.#write(task.text);
      else if (task.node.kind === 'element') this.#element(task.node, task.tab);
      else if (this.#write(textOf(task.node.value))) this.written.add(task.node);
    }
  }

  #element(element: CapturedElement, tab: TabDocument): void {
    if (LEFT_OUT.has(element.name)) return;
    if (this.#write(startTag(element))) this.written.add(element);
    const state = stateOf(element, tab);
    if (state !== null) this.#write(`<!-- now: ${state} -->`);
    if (VOID.has(element.name)) return;
    this.#tasks.push({ text: `</${element.name}>` });
    const content = tab.inside.get(element.index);
    if (content !== undefined) this.#later(content.frame.document.children, content);
    this.#later(element.children, tab);
    const { shadowRoot } = element;
    if (shadowRoot !== null && shadowRoot.kind === 'open') {
      this.#tasks.push({ text: '</template>' });
      this.#later(shadowRoot.children, tab);
      this.#tasks.push({ text: '<template shadowrootmode="open">' });
    }
  }

  #later(nodes: readonly CapturedNode[], tab: TabDocument): void {
    for (const node of nodes.toReversed()) this.#tasks.push({ node, tab });
  }

  /** @returns whether it is within the limit; the rest is only counted */
  #write(text: string): boolean {
    this.#length += text.length;
    if (this.#length > this.#limit) return false;
    this.#parts.push(text);
    return true;
  }
}

function startTag({ name, attributes }: CapturedElement): string {
  const shown = [...attributes].filter(([attribute]) => isShownAttribute(attribute));
  return `<${name}${shown.map(([attribute, value]) => ` ${attribute}="${valueOf(value)}"`).join('')}>`;
}

function valueOf(value: string): string {
  const whole = value.length <= MAX_ATTRIBUTE;
  const text = whole ? value : `${value.slice(0, MAX_ATTRIBUTE)}[cut: ${value.length} characters]`;
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** Collapses white space, as HTML does. */
function textOf(value: string): string {
  const text = value.replaceAll(/\s+/g, (run) => (run.includes('\n') ? '\n' : run)).replaceAll(/[ \t]{2,}/g, ' ');
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns the current value if the markup has another; else null. */
function stateOf(element: CapturedElement, { values }: TabDocument): string | null {
  const { name, attributes, checked, selected } = element;
  const states: string[] = [];
  if (name === 'input' && checked !== attributes.has('checked')) states.push(checked ? 'checked' : 'not checked');
  if (name === 'option' && selected !== attributes.has('selected')) states.push(selected ? 'selected' : 'not selected');
  const value = values.get(element.index);
  const written = name === 'textarea' ? contentOf(element) : (attributes.get('value') ?? '');
  if (takesText(element) && value !== undefined && value !== written) {
    // A page must not end the comment.
    states.push(
      JSON.stringify(value)
        .replaceAll('--', String.raw`-\u002d`)
        .replaceAll('>', String.raw`\u003e`),
    );
  }
  return states.length === 0 ? null : states.join(', ');
}

/** Whether a user can enter its value. */
export function takesText({ name, attributes }: CapturedElement): boolean {
  const type = attributes.get('type')?.toLowerCase() ?? 'text';
  return (
    name === 'textarea' || (name === 'input' && !/^(?:checkbox|radio|button|submit|reset|image|hidden)$/.test(type))
  );
}

function contentOf({ children }: CapturedElement): string {
  return children.map((child) => (child.kind === 'text' ? child.value : '')).join('');
}
