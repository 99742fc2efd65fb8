export interface SnapshotElement {
  role: string;
  name: string;
  ref: string;
  /** For an element without a name: its text, the name of the picture that is all it holds, or its label on the line before. */
  text?: string;
  /** The text on the line before, if that is text alone. */
  before?: string;
}

// An element's line is a YAML key: plain, or in single quotes with single quotes doubled.
// A line of an element's own, such as the address of a link.
const ATTRIBUTE = /^ *- \/[a-z]+:/;
const PLAIN_KEY = /^ *- ([a-z].*)$/;
const QUOTED_KEY = /^ *- '((?:[^']|'')*)'(?::.*)?$/;
// Role, name as JSON text, and marks with the reference among them: `button "Send" [disabled] [ref=e5] [cursor=pointer]`.
const ELEMENT =
  /^([a-z]+)(?: ("(?:[^"\\]|\\.)*"))?(?: \[(?!ref=)[^\]]*\])* \[ref=((?:f\d+)?e\d+)\](?: \[[^\]]*\])*(?::(?: (.*))?)?$/;

/** The elements in a line, in its order. */
export type ReadLine = (line: string) => readonly SnapshotElement[];

/**
 * The elements with a reference, in the order of the page. Read by {@link ariaElements}, the page's own text never counts, however it
 * looks; a pattern of a binding may match it.
 * @param readers the forms of a line; of several, the first that matches
 * @param labelIn the label in the line before its first element; null if it has none
 */
export function elementsOf(
  snapshot: string,
  readers: readonly ReadLine[] = [ariaElements],
  labelIn: (line: string) => string | null = () => null,
): SnapshotElement[] {
  const lines = snapshot.split('\n').filter((line) => !ATTRIBUTE.test(line));
  const read: ReadLine = (line) => {
    for (const reader of readers) {
      const elements = reader(line);
      if (elements.length > 0) return elements;
    }
    return [];
  };
  return lines.flatMap((line, at) => {
    const [own, ...others] = read(line);
    if (own === undefined) return [];
    const before = textIn(lines[at - 1] ?? '');
    const element = before === null ? own : { ...own, before };
    const isBare = element.name === '' && element.text === undefined;
    const text = isBare ? (onlyPicture(lines.slice(at, at + 3), read) ?? labelIn(lines[at - 1] ?? '')) : null;
    return [text === null ? element : { ...element, text }, ...others];
  });
}

/** The text of a line without an element: `- text: Name`, or `- text: "1"`. */
function textIn(line: string): string | null {
  const text = /^ *- text: (.+)$/.exec(line)?.[1];
  return text === undefined ? null : text.startsWith('"') ? unquote(text) : text;
}

/** The name of the picture that is all that an element holds. @param lines the element's, and the next two */
function onlyPicture([own = '', first = '', second = '']: readonly string[], read: ReadLine): string | null {
  if (depthOf(first) <= depthOf(own) || depthOf(second) > depthOf(own)) return null;
  const [picture] = read(first);
  return picture !== undefined && ['img', 'image'].includes(picture.role) && picture.name !== '' ? picture.name : null;
}

function depthOf(line: string): number {
  return line.search(/\S|$/);
}

/** The element in a line of a snapshot like Playwright's. */
export function ariaElements(line: string): SnapshotElement[] {
  const element = elementIn(line);
  return element === null ? [] : [element];
}

export function elementIn(line: string): SnapshotElement | null {
  const key = PLAIN_KEY.exec(line)?.[1] ?? QUOTED_KEY.exec(line)?.[1]?.replaceAll("''", "'") ?? '';
  const [, role, quoted, ref, text = ''] = ELEMENT.exec(key) ?? [];
  if (role === undefined || ref === undefined) return null;
  const element = { role, name: quoted === undefined ? '' : unquote(quoted), ref };
  return text === '' ? element : { ...element, text: text.startsWith('"') ? unquote(text) : text };
}

function unquote(quoted: string): string {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : quoted;
  } catch {
    return quoted;
  }
}
