/** An element as a snapshot's line names it. */
export interface SnapshotElement {
  role: string;
  /** Accessible name; empty when it has none. */
  name: string;
  ref: string;
}

// An element's line is a YAML key: plain, or in single quotes with single quotes doubled.
const PLAIN_KEY = /^ *- ([a-z].*)$/;
const QUOTED_KEY = /^ *- '((?:[^']|'')*)'(?::.*)?$/;
// Role, name as JSON text, marks, and among them the reference. No mark before it is one, so that each is looked at once:
// `button "Send" [disabled] [ref=e5] [cursor=pointer]`.
const ELEMENT =
  /^([a-z]+)(?: ("(?:[^"\\]|\\.)*"))?(?: \[(?!ref=)[^\]]*\])* \[ref=((?:f\d+)?e\d+)\](?: \[[^\]]*\])*(?::.*)?$/;

/**
 * The elements that a snapshot shows with a reference, in the order of the page. What stands in the page's own text is
 * no element, whatever it looks like.
 */
export function elementsOf(snapshot: string): SnapshotElement[] {
  return snapshot.split('\n').flatMap((line) => elementIn(line) ?? []);
}

/** The element that a line of a snapshot shows; null where it shows none. */
export function elementIn(line: string): SnapshotElement | null {
  const key = PLAIN_KEY.exec(line)?.[1] ?? QUOTED_KEY.exec(line)?.[1]?.replaceAll("''", "'") ?? '';
  const [, role, quoted, ref] = ELEMENT.exec(key) ?? [];
  if (role === undefined || ref === undefined) return null;
  return { role, name: quoted === undefined ? '' : unquote(quoted), ref };
}

function unquote(quoted: string): string {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : quoted;
  } catch {
    return quoted;
  }
}
