import { describe, expect, test } from 'vitest';
import { merkleRoot } from '../../src/bundle/campaign-seal.ts';

// The test vectors of Certificate Transparency (RFC 6962): the roots over the first n of these leaves.
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

describe('the Merkle root', () => {
  test.each(ROOTS.map((root, count) => ({ root, count })))('of $count known leaves is known', ({ root, count }) => {
    expect(merkleRoot(LEAVES.slice(0, count).map((leaf) => Buffer.from(leaf, 'hex')))).toBe(root);
  });

  test('takes a string as its UTF-8 bytes', () => {
    expect(merkleRoot(['é', 'b'])).toBe(merkleRoot([Buffer.from('é'), Buffer.from('b')]));
  });

  test('changes with any leaf and with their order', () => {
    const roots = [
      ['a', 'b', 'c'],
      ['a', 'b', 'd'],
      ['b', 'a', 'c'],
      ['a', 'b'],
      ['a', 'b', 'c', 'c'],
    ].map(merkleRoot);
    expect(new Set(roots).size).toBe(roots.length);
  });

  test('of one leaf made of two hashes is not the root of their tree', () => {
    const hashes = ['a', 'b'].map((leaf) => Buffer.from(merkleRoot([leaf]), 'hex'));
    expect(merkleRoot([Buffer.concat(hashes)])).not.toBe(merkleRoot(['a', 'b']));
  });
});
