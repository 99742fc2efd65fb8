export interface SnapshotElement {
  role: string;
  name: string;
  ref: string;
  /** The text of an element that has nothing but text. */
  text?: string;
}

// An element's line is a YAML key: plain, or in single quotes with single quotes doubled.
const PLAIN_KEY = /^ *- ([a-z].*)$/;
const QUOTED_KEY = /^ *- '((?:[^']|'')*)'(?::.*)?$/;
// Role, name as JSON text, and marks with the reference among them: `button "Send" [disabled] [ref=e5] [cursor=pointer]`.
const ELEMENT =
  /^([a-z]+)(?: ("(?:[^"\\]|\\.)*"))?(?: \[(?!ref=)[^\]]*\])* \[ref=((?:f\d+)?e\d+)\](?: \[[^\]]*\])*(?::(?: (.*))?)?$/;

/** The elements with a reference, in the order of the page. The page's own text never counts, however it looks. */
export function elementsOf(snapshot: string): SnapshotElement[] {
  return snapshot.split('\n').flatMap((line) => elementIn(line) ?? []);
}

/** The element of a line of a snapshot; null if it has none. */
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
