import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Contract } from '../../../src/contract/schema.ts';
import { checkedBy, validateContract } from '../../../src/contract/validation/validate.ts';
import type { Parsed } from '../../../src/contract/validation/problem.ts';
import { parsePlainly } from '../../../src/contract/validation/problem.ts';

const File = z.strictObject({ contracts: z.array(z.strictObject({ success: checkedBy(contractIn) })) });

function contractIn(input: unknown): Parsed<Contract> {
  const result = validateContract(input);
  return result.ok ? { ok: true, value: result.contract } : result;
}

it('takes what the validator returns', () => {
  const file = { contracts: [{ success: { kind: 'no_dialog' } }] };
  expect(File.parse(file)).toEqual(file);
});

it('reports every problem of the validator at its place in the file', () => {
  const success = { kind: 'and', children: [{ kind: 'dom_text' }, { kind: 'url', pattern: '(' }] };
  const parsed = parsePlainly(File, { contracts: [{ success }] });
  expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path.join('.'))).toEqual([
    'contracts.0.success.children.0',
    'contracts.0.success.children.1.pattern',
  ]);
});

it('a missing value is a problem, not an absent field', () => {
  expect(parsePlainly(File, { contracts: [{}] })).toMatchObject({
    ok: false,
    problems: [{ path: ['contracts', 0, 'success'], message: expect.stringMatching(/^is missing/) }],
  });
});

it('a contract of 20 000 levels in a file is refused and ends nothing', () => {
  const text = `${'{"kind":"not","child":'.repeat(20_000)}{"kind":"no_dialog"}${'}'.repeat(20_000)}`;
  const parsed = parsePlainly(File, { contracts: [{ success: JSON.parse(text) }] });
  expect(parsed.ok ? [] : parsed.problems.map(({ message }) => message)).toEqual([
    'is deeper than 32 assertions; flatten nested "and" and "or"',
  ]);
});
