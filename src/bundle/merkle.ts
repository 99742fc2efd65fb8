import { createHash } from 'node:crypto';

/**
 * The root of a Merkle tree (RFC 6962): leaves and nodes are hashed with different first bytes, so that no node can pass for a leaf.
 * It stands for all leaves and their order. A string leaf is hashed as its UTF-8 bytes.
 */
export function merkleRoot(leaves: readonly (string | Uint8Array)[]): string {
  if (leaves.length === 0) return createHash('sha256').digest('hex');
  let level = leaves.map((leaf) => hash(0x00, leaf));
  while (level.length > 1) level = parents(level);
  return level.map((root) => root.toString('hex')).join('');
}

/** An odd last hash moves up unchanged; this gives the tree of the RFC, which splits at the largest power of two. */
function parents(level: readonly Buffer[]): Buffer[] {
  const result: Buffer[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const pair = level.slice(index, index + 2);
    result.push(...(pair.length === 2 ? [hash(0x01, ...pair)] : pair));
  }
  return result;
}

function hash(domain: 0x00 | 0x01, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const sha256 = createHash('sha256').update(Uint8Array.of(domain));
  for (const part of parts) sha256.update(part);
  return sha256.digest();
}
