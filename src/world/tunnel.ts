import { lookup } from 'node:dns/promises';
import net from 'node:net';
import type { Duplex } from 'node:stream';

// Addresses of this machine and of its link, which no page of the public web has any business with.
const OWN = new net.BlockList();
OWN.addSubnet('0.0.0.0', 8);
OWN.addSubnet('127.0.0.0', 8);
OWN.addSubnet('169.254.0.0', 16);
OWN.addAddress('::', 'ipv6');
OWN.addAddress('::1', 'ipv6');
OWN.addSubnet('fe80::', 10, 'ipv6');

/**
 * Passes a connection on to the real web, unread.
 * @returns false when the address is one of this machine: it is not part of the web, and nothing is passed on.
 */
export async function tunnel(target: URL, socket: Duplex, head: Buffer): Promise<boolean> {
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const { address, family } = await lookup(host);
  if (OWN.check(address, family === 6 ? 'ipv6' : 'ipv4')) return false;
  const upstream = net.connect(Number(target.port === '' ? 443 : target.port), address, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('close', () => upstream.destroy());
  return true;
}
