/** An element as a snapshot's line names it. */
export interface SnapshotElement {
  role: string;
  /** Accessible name; empty when it has none. */
  name: string;
  ref: string;
}

// For example `- button "Send" [ref=e5]:` or, quoted for YAML, `- 'button "a: b" [ref=e5]':`.
const LINE = /^\s*- '?([a-z]+)(?: ("(?:[^"\\]|\\.)*"))?[^\n]*?\[ref=([a-z0-9]+)\]/;

/** The elements that a snapshot shows with a reference, in the order of the page. */
export function elementsOf(snapshot: string): SnapshotElement[] {
  return snapshot.split('\n').flatMap((line) => {
    const [, role, quoted, ref] = LINE.exec(line) ?? [];
    if (role === undefined || ref === undefined) return [];
    const isYamlQuoted = /^\s*- '/.test(line);
    const name = quoted === undefined ? '' : unquote(isYamlQuoted ? quoted.replaceAll("''", "'") : quoted);
    return [{ role, name, ref }];
  });
}

function unquote(quoted: string): string {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : quoted;
  } catch {
    return quoted;
  }
}
