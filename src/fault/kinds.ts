/** What can go wrong on the way between browser and app. */
export const NETWORK_KINDS = [
  'drop',
  'reset',
  'stall',
  'slow_first_byte',
  'truncated_body',
  'too_many_requests',
  'server_error',
] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

/** What can become of a page while somebody works on it. */
export const PAGE_KINDS = [
  'rerendered',
  'renamed',
  'covered',
  'disabled',
  'moved',
  'reordered',
  'late_hydration',
  'modal',
  'beforeunload',
  'prompt_injection',
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** What can become of the browser, or of the way to it. */
export const BROWSER_KINDS = [
  'tab_crash',
  'target_closed',
  'connection_cut',
  'offline',
  'cpu_throttle',
  'cookies_gone',
] as const;
export type BrowserKind = (typeof BROWSER_KINDS)[number];

/** What can become of a tool server. */
export const SERVER_KINDS = ['server_killed', 'call_hung', 'malformed_reply'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

export type FaultKind = NetworkKind | PageKind | BrowserKind | ServerKind;
