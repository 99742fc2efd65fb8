import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTlsIdentity, tlsIdentityOfProcess } from '../../src/world/tls-identity.ts';

test('the pin is the SHA-256 of the public key that belongs to the private one', async () => {
  const { key, cert, spki } = await createTlsIdentity();
  const der = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' });
  expect(createHash('sha256').update(der).digest('base64')).toBe(spki);
  expect(createPublicKey(cert).export({ type: 'spki', format: 'der' }).equals(der)).toBe(true);
});

test('a key is made each time', async () => {
  const [one, other] = await Promise.all([createTlsIdentity(), createTlsIdentity()]);
  expect(one.spki).not.toBe(other.spki);
});

test('all campaigns of a process have the same', async () => {
  expect(await tlsIdentityOfProcess()).toBe(await tlsIdentityOfProcess());
});
