const ALLOWED = new Set(['http:', 'https:', 'about:', 'data:', 'blob:']);

/**
 * Says why an agent may not navigate to this address, or null when it may.
 * `file:`, `view-source:`, `chrome:` and the like show the machine or the browser, not the world of a task.
 */
export function refusedAddress(address: string): string | null {
  if (!URL.canParse(address)) return `"${address}" is not an address; write it in full, for example https://example.com/`;
  const { protocol } = new URL(address);
  if (ALLOWED.has(protocol)) return null;
  return `${protocol} addresses are refused; only http: and https: pages are part of the world`;
}
