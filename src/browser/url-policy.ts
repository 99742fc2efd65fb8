/**
 * Returns why an agent may not navigate to this address; null if it may.
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

/** The facts that decide whether a target is part of the world. */
export interface ReportedTarget {
  type: string;
  url: string;
}

/** Documents that a page is before it has loaded one, and where one failed to load. */
const BLANK = /^(?:about:(?:blank|srcdoc)(?:[?#].*)?|chrome-error:\/\/chromewebdata\/)?$/s;
/** A page cannot lead its own window to a `data:` address; a frame or worker of it can be one. */
const OF_A_PAGE = new Set(['iframe', 'worker', 'shared_worker', 'service_worker']);

/** Whether a target is a page of the world, or something that such a page has made. The proxy decides which hosts there are. */
export function isOfWorld({ type, url }: ReportedTarget): boolean {
  if (BLANK.test(url) || /^(?:blob:(?:null\/|https?:\/\/)|https?:\/\/)/i.test(url)) return true;
  return OF_A_PAGE.has(type) && /^data:/i.test(url);
}
