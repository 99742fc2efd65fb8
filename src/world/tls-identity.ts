import { createHash, createPublicKey } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Selfsigned from 'selfsigned';

const require = createRequire(import.meta.url);

/** A key made for this process, and the certificate that every `https:` origin of our worlds shows. */
export interface TlsIdentity {
  key: string;
  cert: string;
  /** SHA-256, base64, of the public key (SPKI, RFC 7469): the only key that our Chromium accepts. */
  spki: string;
}

export async function createTlsIdentity(): Promise<TlsIdentity> {
  // By `require`, and only when needed: an import would read each of its two hundred files again to find its exports.
  const { generate }: typeof Selfsigned = require('selfsigned');
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Touchstone world' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
  });
  const der = createPublicKey(cert).export({ type: 'spki', format: 'der' });
  return { key, cert, spki: createHash('sha256').update(der).digest('base64') };
}

let own: Promise<TlsIdentity> | null = null;

/** The identity that all campaigns of this process share, so that a browser which trusts it can be lent to the next. */
export async function tlsIdentityOfProcess(): Promise<TlsIdentity> {
  own ??= createTlsIdentity();
  return await own;
}
