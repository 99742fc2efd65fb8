import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../contract/canonical.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { readCampaignSeal } from './campaign-seal.ts';
import { fact } from '../messages/messages.ts';
import { BundleError } from './errors.ts';
import { readJsonFile } from './json-file.ts';
import type { BundleLayout } from './layout.ts';
import { MAX_BYTES } from './limits.ts';
import { readPlainFile } from './plain-file.ts';

/** An Ed25519 signature (RFC 8032) of the bytes of `seal.json`, and the key to check it with. */
const Signature = z.strictObject({
  schema_version: z.literal(1),
  algorithm: z.literal('ed25519'),
  /** SubjectPublicKeyInfo in DER. */
  public_key: z.base64(),
  signature: z.base64(),
});

/** The SHA-256 of a key's SubjectPublicKeyInfo, which its owner publishes elsewhere. */
export type Signer = string;

/** Signs the seal of a finished bundle with a private key (PEM, Ed25519). @throws BundleError without a seal or such a key. */
export async function signBundle(layout: BundleLayout, keyFile: string): Promise<Signer> {
  const { bytes } = await readCampaignSeal(layout);
  const key = privateKeyIn(keyFile);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const signature: z.infer<typeof Signature> = {
    schema_version: 1,
    algorithm: 'ed25519',
    public_key: publicKey.toString('base64'),
    signature: sign(null, bytes, key).toString('base64'),
  };
  await writeFileAtomically(layout.signature, `${canonicalJson(signature)}\n`);
  return signerOf(publicKey);
}

/** @throws BundleError without a signature, or with one that is not of this seal. */
export async function readSigner(layout: BundleLayout): Promise<Signer> {
  const limit = { maxBytes: MAX_BYTES.seal };
  const { public_key: key, signature } = await readJsonFile(layout.signature, Signature, 'a signature', limit);
  const { bytes } = await readCampaignSeal(layout);
  const der = Buffer.from(key, 'base64');
  if (!isSigned(bytes, der, Buffer.from(signature, 'base64')))
    throw new BundleError(fact('signature_invalid', { file: layout.signature }));
  return signerOf(der);
}

function isSigned(bytes: Buffer, der: Buffer, signature: Buffer): boolean {
  try {
    const key = createPublicKey({ key: der, type: 'spki', format: 'der' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}

/** Errors never quote the file. */
function privateKeyIn(file: string): KeyObject {
  const pem = keyFileOf(file);
  if (pem.includes('ENCRYPTED')) throw new BundleError(fact('key_encrypted', { file }));
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Not a key: reported below.
  }
  throw new BundleError(fact('key_invalid', { file }));
}

function keyFileOf(file: string): Buffer {
  try {
    return readPlainFile(file, MAX_BYTES.seal);
  } catch (error) {
    // A key is not a file of the bundle, so their checks do not apply.
    if (error instanceof BundleError) throw new BundleError(fact('key_unreadable', { why: error.message }), error);
    throw error;
  }
}

function signerOf(der: Buffer): Signer {
  return createHash('sha256').update(der).digest('hex');
}
