/** Whether the host of a URL is this machine by its name or address. */
export function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
