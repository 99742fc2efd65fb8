/**
 * Whether a request may mean one of the paths that are kept for us, whatever an app's router makes of its spelling. It looks
 * at the address and at the headers by which some servers let a client name another; what only looks like it is kept too.
 */
export function meansKept({ url, headers }: Request, kept: readonly string[]): boolean {
  const { pathname, search } = new URL(url);
  const others = [...headers].flatMap(([name, value]) => (name.startsWith('x-') ? [value] : []));
  const said = [pathname, search, ...others].map(plain);
  return kept.map(plain).some((path) => said.some((text) => text.includes(path)));
}

/** One spelling for all that routers take for the same path. */
function plain(text: string): string {
  let decoded = text;
  for (let before = ''; before !== decoded;) {
    before = decoded;
    decoded = decoded.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return decoded
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .replaceAll(/;[^/]*/g, '')
    .replaceAll(/[\p{Cc}\s]/gu, '')
    .replaceAll(/\/(?:\.{0,2}\/)+/g, '/');
}
