import { createHash } from 'node:crypto';

/**
 * The root of a Merkle tree (RFC 6962): leaves and nodes are hashed with different first bytes, so that no node can pass for a leaf.
 * It covers all leaves and their order. A string leaf is hashed as its UTF-8 bytes.
 */
export function merkleRoot(leaves: Iterable<string | Uint8Array>): string {
  const whole: Subtree[] = [];
  for (const leaf of leaves) {
    let tree: Subtree = { size: 1, root: hash(0x00, leaf) };
    for (let last = whole.at(-1); last?.size === tree.size; last = whole.at(-1)) {
      whole.pop();
      tree = { size: 2 * tree.size, root: hash(0x01, last.root, tree.root) };
    }
    whole.push(tree);
  }
  const [last, ...before] = whole.toReversed();
  if (last === undefined) return createHash('sha256').digest('hex');
  return before.reduce((right, left) => hash(0x01, left.root, right), last.root).toString('hex');
}

/** A tree that is full: its size is a power of two. Only those that wait for a twin are held, larger ones first. */
interface Subtree {
  size: number;
  root: Buffer;
}

function hash(domain: 0x00 | 0x01, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const sha256 = createHash('sha256').update(Uint8Array.of(domain));
  for (const part of parts) sha256.update(part);
  return sha256.digest();
}
