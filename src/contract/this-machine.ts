export function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
