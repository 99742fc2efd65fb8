import { expect, test } from 'vitest';
import { mixedStates } from '../../../src/check/qualify/end-states.ts';
import { evaluate } from '../../../src/contract/evaluate.ts';
import type { Contract } from '../../../src/contract/schema.ts';
import { evidence, page } from '../../contract/evidence-sample.ts';

const RIGHT = { name: 'reference', evidence: evidence({ pages: [page({ url: 'https://shop.test/paid' })] }) };
const OTHER = { name: 'null', evidence: evidence({ pages: [page({ url: 'https://shop.test/' })] }) };

function failing(contract: Contract): string[] {
  const states = mixedStates(RIGHT, [OTHER]);
  return states.flatMap(({ name, evidence: end }) => (evaluate(contract, end).verdict === 'fail' ? [name] : []));
}

test('a guard against dialogs is broken by an end state with a dialog, and by that alone', () => {
  expect(failing({ kind: 'no_dialog' })).toEqual(["the reference's end with a dialog that is open"]);
});

test('an address is broken by that of another trial, and by what could stand around it', () => {
  expect(failing({ kind: 'url', pattern: '^https://shop\\.test/paid$' })).toEqual([
    "the reference's end with the pages of null",
    "the reference's end with the address of null",
    "the reference's end with page-1 at https://shop.test/paid?more",
    "the reference's end with page-1 at https://shop.test/paid/more",
    "the reference's end with page-1 at http://elsewhere.localhost/?https://shop.test/paid",
  ]);
});

test('an open dialog is not opened twice', () => {
  const dialog = { type: 'confirm', message: 'Pay?' } as const;
  const held = { name: 'reference', evidence: evidence({ pages: [page({ dialog })] }) };
  expect(mixedStates(held, []).filter(({ name }) => name.endsWith('dialog that is open'))).toEqual([]);
});
