import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import type { Answer, Evidence } from '../../src/contract/evidence.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import type { ContractNode } from '../../src/contract/schema.ts';
import { evidence } from './evidence-sample.ts';

type Fields = Omit<ContractNode<'answer'>, 'kind'>;

function judge(fields: Fields, answer: Answer | null): Judgement {
  return evaluate({ kind: 'answer', ...fields }, evidence({ answer }));
}

function accepts(fields: Fields, value: string | number): boolean {
  return judge(fields, { value }).verdict === 'pass';
}

describe('one_of', () => {
  const capital: Fields = { one_of: ['Paris', 'Paris, France'] };

  it.each(['Paris', 'Paris, France', '  Paris\n', 'Paris,\u00a0France', 'Pa\u00adris'])('accepts %j', (value) => {
    expect(accepts(capital, value)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'paris',
    'Paris.',
    '"Paris"',
    '**Paris**',
    'The answer is Paris',
    'Paris or London',
    'Paris, Paris, France',
    'Par is',
    '["Paris"]',
    '{"value":"Paris"}',
    '[object Object]',
    '.*',
  ])('refuses %j', (value) => {
    expect(accepts(capital, value)).toBe(false);
  });

  it('respects case by default', () => {
    expect(accepts({ one_of: ['Émile'] }, 'éMILE')).toBe(false);
    expect(accepts({ one_of: ['Émile'], ignore_case: true }, 'éMILE')).toBe(true);
    expect(accepts({ one_of: ['Émile'], ignore_case: true }, 'Emile')).toBe(false);
  });

  it('takes a number for its text', () => {
    expect(accepts({ one_of: ['42'] }, 42)).toBe(true);
    expect(accepts({ one_of: ['42.0'] }, 42)).toBe(false);
  });

  it('reports the expected and the given value', () => {
    expect(judge(capital, { value: 'London' })).toEqual({
      verdict: 'fail',
      path: '',
      kind: 'answer',
      expected: fact('answer_one_of', { several: true, texts: ['"Paris"', '"Paris, France"'] }),
      observed: { preview: 'London', length: 6 },
      why: fact('answer_compared', { holds: false }),
      children: [],
    });
  });
});

describe('number', () => {
  it.each<string | number>([330, '330', '+330', '330.0', '0330', '3.3e2', '3.3E+2', '33000e-2', ' 330 ', '\u200e330'])(
    '330 may be written %j',
    (value) => {
      expect(accepts({ number: 330 }, value)).toBe(true);
    },
  );

  it.each<string | number>([
    331,
    -330,
    330.0000001,
    '330.0000000000000000000000001',
    '-330',
    '−330',
    '',
    '330.',
    '330 m',
    '330m',
    '$330',
    '330%',
    'about 330',
    'the answer is 330',
    '330 or 331',
    '330 331',
    '330, 331',
    '330-331',
    '330/1',
    '=330',
    '(330)',
    '+-330',
    '--330',
    '3 30',
    '33_0',
    '3,30',
    '0x14A',
    '0b101001010',
    '330n',
    '３３０',
    '٣٣٠',
    'three hundred and thirty',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e999',
    '330e',
    '330e0000',
    '.*',
    '[330]',
    '{"value":330}',
  ])('330 may not be written %j', (value) => {
    expect(accepts({ number: 330 }, value)).toBe(false);
  });

  it.each(['1234567.5', '1,234,567.5', '1 234 567.5', '1\u202f234\u202f567.5', '1.2345675e6'])(
    '1234567.5 may be written %j',
    (value) => {
      expect(accepts({ number: 1234567.5 }, value)).toBe(true);
    },
  );

  it.each([
    '12,34567.5',
    '1234,567.5',
    '1,234567.5',
    '1,234 567.5',
    '1 234,567.5',
    ',234,567.5',
    '1,,234,567.5',
    '1,234,567,5',
    '1.234.567,5',
    '1234567,5',
    '01,234,567.5',
    "1'234'567.5",
    '1,234,567.50.0',
  ])('1234567.5 may not be written %j', (value) => {
    expect(accepts({ number: 1234567.5 }, value)).toBe(false);
  });

  it('does not read a decimal comma as groups of thousands', () => {
    expect(accepts({ number: 125 }, '0,125')).toBe(false);
    expect(accepts({ number: 0.125 }, '0,125')).toBe(false);
  });

  it('takes a hyphen or a minus sign before a negative number', () => {
    for (const value of [-40, '-40', '−40']) expect(accepts({ number: -40 }, value)).toBe(true);
    for (const value of [40, '40', '–40', '(40)', '- 40 or so']) expect(accepts({ number: -40 }, value)).toBe(false);
  });

  it('zero has no sign', () => {
    for (const value of [0, -0, '0', '-0', '0.00', '0e5']) expect(accepts({ number: 0 }, value)).toBe(true);
    expect(accepts({ number: 0 }, '')).toBe(false);
  });

  it('a number as JavaScript writes it is a number, however large or small', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(numbers, (number) => {
        expect(accepts({ number }, number)).toBe(true);
        expect(accepts({ number }, String(number))).toBe(true);
      }),
    );
  });

  it('a neighbour of a large number differs, though it rounds to the same', () => {
    expect(accepts({ number: 2 ** 53 }, '9007199254740992')).toBe(true);
    expect(accepts({ number: 2 ** 53 }, '9007199254740993')).toBe(false);
    expect(accepts({ number: 2 ** 52 + 1 }, '4503599627370496')).toBe(false);
  });

  it('reads a long one quickly', () => {
    expect(accepts({ number: 1 }, '9'.repeat(60_000))).toBe(false);
    expect(accepts({ number: 1 }, `${'9,'.repeat(30_000)}x`)).toBe(false);
    expect(accepts({ number: 1 }, '1e999999999')).toBe(false);
  });

  it('names the number in what it expects', () => {
    expect(judge({ number: 330 }, null).expected).toEqual(fact('answer_number', { number: '330' }));
    expect(judge({ number: 330, tolerance: 0.5, unit: 'm' }, null).expected).toEqual(
      fact('answer_number', { number: '330 ± 0.5 m' }),
    );
  });
});

describe('tolerance', () => {
  it.each<[number, number, string, boolean]>([
    [330, 0.5, '329.5', true],
    [330, 0.5, '330.5', true],
    [330, 0.5, '330.50001', false],
    [330, 0.5, '329.49999', false],
    [0.3, 0.1, '0.2', true],
    [0.3, 0.1, '0.4', true],
    [0.3, 0.1, '0.41', false],
    [0.3, 0, '0.3', true],
    [0.3, 0, '0.30000000000000004', false],
    [-5, 1, '-6', true],
    [-5, 1, '6', false],
    [1e21, 1e20, '1.1e21', true],
    [1e21, 1e20, '1.2e21', false],
  ])('%f ± %f: %s → %s', (number, tolerance, value, expected) => {
    expect(accepts({ number, tolerance }, value)).toBe(expected);
  });

  it('does not make a number of other text', () => {
    for (const value of ['', 'x', 'NaN', '1,2', 'Infinity']) {
      expect(accepts({ number: 0, tolerance: Number.MAX_VALUE }, value)).toBe(false);
    }
  });
});

describe('unit', () => {
  const height: Fields = { number: 330, unit: 'm' };

  it.each(['330 m', '330m', '330\u00a0m', '+330 m'])('330 m may be written %j', (value) => {
    expect(accepts(height, value)).toBe(true);
  });

  it.each<string | number>([
    330,
    '330',
    '330 M',
    '330 metres',
    '330 m.',
    '330 m tall',
    '330 cm',
    '330 km',
    'm 330',
    'm330',
    '330 m m',
  ])('330 m may not be written %j', (value) => {
    expect(accepts(height, value)).toBe(false);
  });

  it('a currency sign may come before or after', () => {
    const price: Fields = { number: 1234.5, unit: '$' };
    for (const value of ['$1,234.50', '$ 1234.5', '1234.5 $', '1234.5$']) expect(accepts(price, value)).toBe(true);
    for (const value of ['1234.5', '€1234.5', '$1234.5$', '$1234.5 USD', '$$1234.5'])
      expect(accepts(price, value)).toBe(false);
    expect(accepts({ number: -5, unit: '€' }, '-€5')).toBe(true);
  });

  it.each([
    ['%', '50%', '50'],
    ['m²', '50 m²', '50 m'],
    ['eV', '50 eV', '50e'],
    ['e3', '50 e3', '50e3'],
    ['km/h', '50 km/h', '50 km'],
  ])('%s', (unit, right, wrong) => {
    expect(accepts({ number: 50, unit }, right)).toBe(true);
    expect(accepts({ number: 50, unit }, wrong)).toBe(false);
  });
});

describe('date', () => {
  it.each([
    '2026-02-28',
    '2026-2-28',
    '2026/02/28',
    '28 February 2026',
    '28 Feb 2026',
    '28th of February, 2026',
    'February 28, 2026',
    'Saturday, February 28th 2026',
  ])('may be written %j', (value) => {
    expect(accepts({ date: '2026-02-28' }, value)).toBe(true);
  });

  it.each<string | number>([
    '28.02.2026',
    '02/28/2026',
    '2026-02-28T00:00:00Z',
    '20260228',
    20260228,
    '27 February 2026',
    'Friday, 28 February 2026',
    '28 February',
    'not 28 February 2026',
    '27 or 28 February 2026',
    '28 February 2026, 1 March 2026',
  ])('and not %j', (value) => {
    expect(accepts({ date: '2026-02-28' }, value)).toBe(false);
  });

  it('reads digits in the order of the locale', () => {
    expect(accepts({ date: '2026-05-02', locale: 'en-US' }, '5/2/2026')).toBe(true);
    expect(accepts({ date: '2026-05-02', locale: 'en-GB' }, '5/2/2026')).toBe(false);
    expect(accepts({ date: '2026-05-02', locale: 'de' }, '2.5.2026')).toBe(true);
  });

  it('names the date in what it expects', () => {
    expect(judge({ date: '2026-02-28' }, { value: '2026-03-01' })).toMatchObject({
      verdict: 'fail',
      expected: fact('answer_date', { date: '2026-02-28' }),
    });
  });
});

describe('not possible', () => {
  it('is an answer of its own', () => {
    expect(judge({ not_possible: true }, { not_possible: true })).toMatchObject({
      verdict: 'pass',
      expected: fact('answer_not_possible'),
      observed: { preview: 'not possible' },
    });
  });

  it.each(['not possible', '', 'true', 'null'])('is not the text %j', (value) => {
    expect(accepts({ not_possible: true }, value)).toBe(false);
  });

  it.each<Fields>([{ one_of: ['not possible', 'true'] }, { number: 0 }, { date: '2026-02-28' }])(
    'is no answer to %j',
    (fields) => {
      expect(judge(fields, { not_possible: true }).verdict).toBe('fail');
    },
  );
});

describe('missing and invalid answers', () => {
  it('no answer fails', () => {
    expect(judge({ one_of: ['null'] }, null)).toMatchObject({
      verdict: 'fail',
      observed: null,
      why: fact('no_answer'),
    });
  });

  // Evidence is validated when it is read; what slipped through must still not pass.
  it.each([
    { value: { toString: '330' } },
    { value: ['330'] },
    { value: null },
    { value: true },
    { value: '330', not_possible: true },
    { value: Number.NaN },
    { value: Number.POSITIVE_INFINITY },
    {},
    '330',
    330,
  ])('%j is inconclusive, and so is its negation', (answer) => {
    const on: Evidence = { ...evidence() };
    Reflect.set(on, 'answer', answer);
    const contract = { kind: 'answer', one_of: ['330', '[object Object]', 'true', 'null', 'NaN', 'Infinity'] } as const;
    const either = [{ ...contract, one_of: [...contract.one_of] }, { kind: 'answer', not_possible: true } as const];
    for (const child of either) {
      expect(evaluate(child, on).verdict).toBe('inconclusive');
      expect(evaluate({ kind: 'not', child }, on).verdict).toBe('inconclusive');
    }
  });

  it('a long answer is shown in part', () => {
    expect(judge({ one_of: ['x'] }, { value: 'y'.repeat(500) }).observed).toEqual({
      preview: 'y'.repeat(240),
      length: 500,
    });
  });
});
