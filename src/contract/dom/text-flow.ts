/**
 * Joins pieces of text as the inner text of the HTML standard: collapses white space (CSS Text, "white space processing") and
 * turns required line breaks into new lines.
 */
export class TextFlow {
  #text = '';
  #breaks = 0;
  /** Whether the next collapsible space collapses. */
  #afterSpace = true;
  /** A collapsible space after the text, dropped when the line ends. Held apart, since cutting it off would copy the text. */
  #space: '' | ' ' = '';

  /** Adds text as laid out. Hidden text shows nothing, but takes part in collapsing. */
  add(text: string, whiteSpace: string, visible: boolean): void {
    if (whiteSpace === 'collapse') this.#addCollapsible(text, visible);
    else if (whiteSpace === 'preserve-breaks') this.#addLines(text, visible);
    else if (text !== '') this.#append(text, visible, false);
  }

  /** Adds text that is shown as it is. */
  addLine(text: string): void {
    this.breakLine(1);
    this.add(text, 'preserve', true);
    this.breakLine(1);
  }

  /** `<br>`. */
  newLine(): void {
    this.endLine();
    this.#emit('\n');
  }

  tab(): void {
    this.endLine();
    this.#emit('\t');
  }

  /** The border of a block: at least `count` line breaks around it. */
  breakLine(count: number): void {
    this.endLine();
    this.#breaks = Math.max(this.#breaks, count);
  }

  /** An inline block begins: the space before it stays, but its content starts a line of its own. */
  enter(): void {
    this.#keepSpace();
    this.#afterSpace = true;
  }

  leave(): void {
    this.endLine();
    this.object();
  }

  /** Drops the collapsible spaces at the end of the line and at the start of the next. */
  endLine(): void {
    this.#space = '';
    this.#afterSpace = true;
  }

  /** Something without text in the line, such as an image or a field: spaces next to it do not collapse. */
  object(): void {
    this.#keepSpace();
    this.#afterSpace = false;
  }

  toString(): string {
    return this.#text + this.#space;
  }

  #addLines(text: string, visible: boolean): void {
    for (const [i, line] of text.split('\n').entries()) {
      if (i > 0) {
        this.endLine();
        if (visible) this.#emit('\n');
      }
      this.#addCollapsible(line, visible);
    }
  }

  #addCollapsible(text: string, visible: boolean): void {
    const collapsed = text.replaceAll(/[ \t\n\r\f]+/g, ' ');
    const rest = this.#afterSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
    if (rest !== '') this.#append(rest, visible, rest.endsWith(' '));
  }

  #append(text: string, visible: boolean, space: boolean): void {
    if (visible) this.#emit(space ? text.slice(0, -1) : text);
    else this.#keepSpace();
    this.#space = visible && space ? ' ' : '';
    this.#afterSpace = space;
  }

  #keepSpace(): void {
    this.#text += this.#space;
    this.#space = '';
  }

  #emit(text: string): void {
    this.#keepSpace();
    if (this.#text !== '') this.#text += '\n'.repeat(this.#breaks);
    this.#breaks = 0;
    this.#text += text;
  }
}
