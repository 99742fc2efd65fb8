import dns from 'node:dns';
import net from 'node:net';
import { OutsideError } from '../answer.ts';

// Addresses of this machine and of its link, which no page of the public web has any business with.
const OWN = new net.BlockList();
OWN.addSubnet('0.0.0.0', 8);
OWN.addSubnet('127.0.0.0', 8);
OWN.addSubnet('169.254.0.0', 16);
OWN.addAddress('::', 'ipv6');
OWN.addAddress('::1', 'ipv6');
OWN.addSubnet('fe80::', 10, 'ipv6');

/** Whether an address names its host by an address of this machine. */
export function isOwnLiteral({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = net.isIP(address);
  return family !== 0 && isOwn(address, family);
}

/** Resolves names as usual, and fails for one that stands for this machine: what was looked at is what is connected to. */
export const lookupElsewhere: net.LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, '');
      return;
    }
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address, family }) => isOwn(address, family))) {
      callback(new OutsideError(hostname), '');
    } else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function isOwn(address: string, family: number): boolean {
  return OWN.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
