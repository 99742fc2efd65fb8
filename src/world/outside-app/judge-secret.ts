import { posix } from 'node:path';

/** The header that identifies the judge to an app: its value is in the app's variable {@link SECRET_VARIABLE}, new at each start. */
export const SECRET_HEADER = 'touchstone-secret';
export const SECRET_VARIABLE = 'TOUCHSTONE_SECRET';

/** Whether a server may take a header for the judge's: CGI and WSGI know no difference between `-` and `_`. */
export function isSecretHeader(name: string): boolean {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-') === SECRET_HEADER;
}

/** A router that decodes an address more often than this is not known; one that was encoded more often is kept. */
const MAX_ENCODINGS = 4;

/**
 * Whether a request may mean a path that is kept for the judge, or one below it. It looks at the address and at the headers by
 * which some servers let a client name another; a request that only resembles such a path is kept, too. An app that checks the
 * judge's secret does not depend on this.
 */
export function meansKept({ url, headers }: Request, kept: readonly string[]): boolean {
  const { pathname, search } = new URL(url);
  const others = [...headers].flatMap(([name, value]) => (name.startsWith('x-') ? [value] : []));
  const asked = [pathname, search, ...others].map(decoded);
  const paths = kept.map((path) => folded(path).replace(/\/$/, ''));
  return asked.some((text) => text === null || paths.some((path) => mayMean(folded(text), path)));
}

/** A router may resolve `..`, or stop at the segment before it. */
function mayMean(text: string, path: string): boolean {
  return text.includes(path) || posix.normalize(text).includes(path);
}

/** One form for all that routers take for the same path. A kept path has only characters that stay as they are. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('\\', '/')
    .replaceAll(/;[^/]*/g, '')
    .replaceAll(/[^a-z0-9/._~-]/g, '')
    .replaceAll(/\/(?:\.?\/)+/g, '/');
}

/** Null if it is encoded too often. */
function decoded(encoded: string): string | null {
  let text = encoded;
  for (let left = MAX_ENCODINGS; ; left -= 1) {
    const once = text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    );
    if (once === text) return text;
    if (left === 0) return null;
    text = once;
  }
}
