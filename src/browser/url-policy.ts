/**
 * Says why an agent may not navigate to this address, or null when it may.
 * `file:`, `view-source:`, `chrome:` and most of `about:` show the machine or the browser, not the world of a task, and
 * `data:` and `javascript:` would show what the agent itself has written.
 */
export function refusedAddress(address: string): string | null {
  if (!URL.canParse(address))
    return `"${address}" is not an address; write it in full, for example https://example.com/`;
  const { protocol, href } = new URL(address);
  if (protocol === 'http:' || protocol === 'https:' || href === 'about:blank') return null;
  return `${protocol} addresses are refused; only http: and https: pages are part of the world`;
}
