import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTlsIdentity } from '../../src/world/tls-identity.ts';

test('the pin is the SHA-256 of the public key that belongs to the private one', async () => {
  const { key, cert, spki } = await createTlsIdentity();
  const der = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' });
  expect(createHash('sha256').update(der).digest('base64')).toBe(spki);
  expect(createPublicKey(cert).export({ type: 'spki', format: 'der' }).equals(der)).toBe(true);
});

test('every run has a key of its own', async () => {
  const [one, other] = await Promise.all([createTlsIdentity(), createTlsIdentity()]);
  expect(one.spki).not.toBe(other.spki);
});
