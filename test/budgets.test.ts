import { expect, test } from 'vitest';
import { countAll, lowered, overBudget, readBudgets } from '../scripts/budgets.ts';

test('no folder, test, document or odd phrase is above its budget; "npm run budgets" lowers them', () => {
  expect(overBudget(countAll(), readBudgets())).toEqual([]);
});

test('a count above its budget is reported, and so is one without a budget', () => {
  expect(overBudget({ 'lines of src/a': 11, 'lines of src/b': 1 }, { 'lines of src/a': 10 })).toEqual([
    'lines of src/a: 11, budget 10',
    'lines of src/b: 1, budget none',
  ]);
});

test('a budget only falls', () => {
  expect(lowered({ a: 5, b: 20 }, { a: 10, b: 10, gone: 3 })).toEqual({ a: 5, b: 10 });
});
