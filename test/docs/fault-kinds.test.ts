import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawFaultKinds, STRESS_DOCS } from '../../scripts/draw-fault-kinds.ts';

const committed = readFileSync(STRESS_DOCS, 'utf8');

test('the table of kinds of faults is what the registry says; "npm run docs" draws it', () => {
  expect(drawFaultKinds(committed)).toBe(committed);
});

test('a kind that was left out by hand is noticed', () => {
  const changed = committed.replace(/^\| `drop` .*\n/m, '');
  expect(changed).not.toBe(committed);
  expect(drawFaultKinds(changed)).toBe(committed);
});
