import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/contract/evaluate.ts';
import type { ContractNode } from '../../../src/contract/schema.ts';
import { listPieces } from '../../../src/contract/answer/pieces.ts';
import { evidence } from '../evidence-sample.ts';

type Fields = Omit<ContractNode<'answer'>, 'kind'>;

function accepts(fields: Fields, value: string | number): boolean {
  return evaluate({ kind: 'answer', ...fields }, evidence({ answer: { value } })).verdict === 'pass';
}

/** Answers that are the same as an expected one, and answers that are not. */
const TABLE: readonly { of: Fields; same: readonly (string | number)[]; other: readonly (string | number)[] }[] = [
  {
    of: { one_of: ['Charlotte’s Web'] },
    same: ['Charlotte’s Web', "Charlotte's Web", 'Charlotte‘s\u00a0Web'],
    other: ['Charlottes Web', "charlotte's web", "Not Charlotte's Web", "Charlotte's Web or Emma"],
  },
  {
    of: { one_of: ['“1984” – a novel…'] },
    same: ['"1984" - a novel...', '«1984» — a novel…', '„1984“ ‑ a novel...'],
    other: ["'1984' - a novel...", '1984 - a novel...', '"1984" - a novel', '"1984" a novel...'],
  },
  { of: { one_of: ['ＡＢＣ1'], ignore_width: true }, same: ['ABC1', 'ＡＢＣ１'], other: ['abc1'] },
  { of: { one_of: ['000170'] }, same: ['000170'], other: ['170', 170, '0,170', '1.70e2'] },
  { of: { one_of: ['A–1'], exact: true }, same: ['A–1'], other: ['A-1'] },
  {
    of: { number: 1234.5, locale: 'de' },
    same: ['1.234,5', '1234,50', '1 234,5', '1234.5', 1234.5],
    other: ['1,234.5', '12345', '1.2345'],
  },
  { of: { number: 1125, locale: 'de' }, same: ['1.125', 1125], other: [1.125, '1,125'] },
  { of: { number: 90, unit: ['min', 'minutes'] }, same: ['90 min', '90 minutes'], other: ['90', '90 m', 'not 90 min'] },
  { of: { number: 90, unit: 'min', bare: true }, same: ['90', 90, '90 min'], other: ['90 h'] },
  {
    of: { money: 1234.5, currency: 'USD' },
    same: ['$1,234.50', '1234.5 USD', 'USD 1234.50', 'US$1,234.50', '$ 1234.5', '$1,234.50 '],
    other: [
      '1234.5',
      1234.5,
      '€1,234.50',
      '1.234,50 $',
      '$1,234.51',
      '-$1,234.50',
      '$1,234.50 or $5',
      'about $1,234.50',
    ],
  },
  {
    of: { money: 1234.5, currency: 'EUR', locale: 'de' },
    same: ['1.234,50 €', '1234,5 EUR', '1234.5 EUR', '€ 1.234,50'],
    other: ['1,234.50 €', '1.234,50 $', '1.234,50'],
  },
  {
    of: { money: 5, currency: 'GBP', bare: true, tolerance: 0.01 },
    same: ['5', 4.99, '£5.01'],
    other: ['£5.02', '$5'],
  },
  {
    of: { time: '14:30' },
    same: ['14:30', '2:30 pm', '2:30 p.m.', '14:30:00'],
    other: ['2:30', '2:30 am', '14:31', '14:30Z', '1430', '14:30 or 15:30', 'not 14:30'],
  },
  {
    of: { time: '2031-05-02T14:30+02:00' },
    same: [
      '2031-05-02T14:30+02:00',
      '2031-05-02 12:30Z',
      '2 May 2031, 14:30',
      'May 2, 2031 at 2:30 pm',
      '2 May 2031 12:30 UTC',
      '2031-05-02 08:30 GMT-4',
    ],
    other: ['14:30', '2031-05-02', '2031-05-02T14:30Z', '3 May 2031, 14:30'],
  },
  {
    of: { boolean: true },
    same: ['true', 'yes', 'Yes'],
    other: ['no', 'not true', 'yes and no', '1', 1, 'true, false'],
  },
  {
    of: { set: ['Ines', 'Yuki', 'Lars'] },
    same: [
      'Ines, Yuki, Lars',
      'Lars, Yuki and Ines',
      'Lars, Yuki, and Ines',
      'Lars & Yuki & Ines',
      'Lars; Yuki; Ines',
      '["Ines", "Yuki", "Lars"]',
      'Ines, Yuki, Lars, Ines',
      '- Yuki\n- Ines\n- Lars',
      '1. Yuki\n2. Ines\n3. Lars',
      'Yuki,\nInes,\nLars',
      '"Ines", "Yuki", "Lars"',
    ],
    other: [
      'Ines, Yuki',
      'Ines, Yuki, Lars, Omar',
      'Ines, Yuki or Lars',
      'Ines, Yuki and not Lars',
      'Ines, Yuki, possibly Lars',
      'Ines Yuki Lars',
      'The reviewers are Ines, Yuki and Lars',
      '["Ines", ["Yuki", "Lars"]]',
      '{"a": "Ines", "b": "Yuki", "c": "Lars"}',
      '["Ines, Yuki, Lars"]',
    ],
  },
  { of: { list: ['a', 'b', 'a'] }, same: ['a, b, a', '["a","b","a"]'], other: ['a, a, b', 'a, b', 'a, b, a, a'] },
  { of: { list: ['a', 'b', 'a'], any_order: true }, same: ['a, a and b'], other: ['a, b', 'a, b, b', 'a, a, b, b'] },
  {
    of: { list: ['Yu, Dong', 'Salt and Pepper'], any_order: true },
    same: ['Salt and Pepper, Yu, Dong', 'Yu, Dong and Salt and Pepper', '["Salt and Pepper", "Yu, Dong"]'],
    other: ['Salt, Pepper, Yu, Dong'],
  },
  { of: { list: [1234, 5] }, same: ['1,234, 5', '1234 and 5', '[1234, 5]'], other: ['5, 1,234', '1,2345'] },
  {
    of: { object: { name: 'Ines', total: { money: 12.5, currency: 'EUR' } } },
    same: [
      '{"total": "12.50 €", "name": "Ines"}',
      'Name: Ines\nTotal: €12.5',
      'name: Ines, total: €12.50',
      'total = 12.50 EUR; name = Ines',
    ],
    other: [
      'Ines, €12.5',
      'name: Ines',
      'name: Ines, total: €12.50, total: €13',
      '{"name": "Yuki", "name": "Ines", "total": "€12.50"}',
      '{"name": "Ines", "total": "€12.50", "tax": "€2"}',
    ],
  },
  {
    of: {
      columns: ['name', 'stars'],
      rows: [
        ['Ines', 1],
        ['Yuki', 2],
      ],
    },
    same: [
      '[["Ines", 1], ["Yuki", 2]]',
      '[{"stars": 1, "name": "Ines"}, {"name": "Yuki", "stars": "2"}]',
      '| Name | Stars |\n|---|---|\n| Ines | 1 |\n| Yuki | 2 |',
      'name,stars\nInes,1\nYuki,2',
      'Ines\t1\nYuki\t2',
      'Ines, 1\nYuki, 2',
    ],
    other: [
      'Yuki, 2\nInes, 1',
      'Ines, 1',
      'Ines, 1\nYuki, 2\nLars, 3',
      'Ines, Yuki\n1, 2',
      '[["Ines", "Yuki"], [1, 2]]',
    ],
  },
  {
    of: { columns: ['n'], rows: [[1], [2]], any_order: true },
    same: ['2\n1', '[[2],[1]]'],
    other: ['1\n1', '1\n2\n2'],
  },
];

describe.each(TABLE)('$of', ({ of, same, other }) => {
  it.each(same)('is the same as %j', (value) => {
    expect(accepts(of, value)).toBe(true);
  });

  it.each(other)('is not %j', (value) => {
    expect(accepts(of, value)).toBe(false);
  });
});

it('an object with a repeated key is no answer', () => {
  const of: Fields = { object: { name: 'Ines' } };
  expect(accepts(of, '{"name": "Ines"}')).toBe(true);
  expect(accepts(of, String.raw`{"name": "Yuki", "name": "Ines"}`)).toBe(false);
  expect(accepts({ list: [{ object: { name: 'Ines' } }] }, '[{"name": "Yuki", "name": "Ines"}]')).toBe(false);
});

const cents = fc.integer({ min: -99_999_999, max: 99_999_999 });

function written(amount: number, group: string, decimal: string): string {
  const [whole = '', fraction = '00'] = Math.abs(amount / 100)
    .toFixed(2)
    .split('.');
  return `${amount < 0 ? '-' : ''}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group)}${decimal}${fraction}`;
}

describe('any value', () => {
  it('an amount of money is the same in each spelling, and differs by a cent', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        const [dollars, euros]: Fields[] = [
          { money: amount / 100, currency: 'USD' },
          { money: amount / 100, currency: 'EUR', locale: 'de' },
        ];
        const english = written(amount, ',', '.');
        for (const spelling of [`${english} USD`, `${written(amount, '', '.')} $`, `${amount / 100} USD`])
          expect(accepts(dollars ?? {}, spelling)).toBe(true);
        expect(accepts(euros ?? {}, `${written(amount, '.', ',')} €`)).toBe(true);
        expect(accepts(dollars ?? {}, `${written(amount + 1, ',', '.')} USD`)).toBe(false);
        expect(accepts(dollars ?? {}, `${english} EUR`)).toBe(false);
        expect(accepts(dollars ?? {}, `not ${english} USD`)).toBe(false);
      }),
    );
  });

  const names = fc.uniqueArray(fc.stringMatching(/^[A-Z][a-z]{2,8}$/), { minLength: 2, maxLength: 8 });
  const isConnective = (name: string): boolean => /^and$/i.test(name);

  it('a set is the same in any order and form, and not with one more or one less', () => {
    fc.assert(
      fc.property(
        names
          .filter((all) => !all.some(isConnective))
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const [last = ''] = shuffled.slice(-1);
          const spellings = [
            shuffled.join(', '),
            `${shuffled.slice(0, -1).join(', ')} and ${last}`,
            JSON.stringify(shuffled),
            shuffled.map((name) => `- ${name}`).join('\n'),
            shuffled.map((name, index) => `${index + 1}. ${name}`).join('\n'),
          ];
          for (const spelling of spellings) expect(accepts({ set: all }, spelling)).toBe(true);
          expect(accepts({ list: all }, all.join(', '))).toBe(true);
          expect(accepts({ set: all }, all.slice(1).join(', '))).toBe(false);
          expect(accepts({ set: all }, [...all, 'Someone'].join(', '))).toBe(false);
          expect(accepts({ list: all, any_order: true }, [...all, last].join(', '))).toBe(false);
          expect(accepts({ list: all }, all.toReversed().join(', '))).toBe(false);
        },
      ),
    );
  });

  it('one value is never given by a list of candidates', () => {
    const other = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(other, other, (wanted, wrong) => {
        fc.pre(wanted !== wrong);
        const forms = [`${wanted}, ${wrong}`, `${wanted} or ${wrong}`, `[${wanted}, ${wrong}]`, `${wanted}\n${wrong}`];
        for (const form of forms) {
          for (const of of [{ number: wanted }, { one_of: [String(wanted)] }, { set: [wanted] }])
            expect(accepts(of, form)).toBe(false);
        }
      }),
    );
  });

  it('a time is another a minute later, and the same in another zone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: -11, max: 11 }), (minute, zone) => {
        const clock = (at: number): string => {
          const own = (at + 1440) % 1440;
          return `${String(Math.floor(own / 60)).padStart(2, '0')}:${String(own % 60).padStart(2, '0')}`;
        };
        const wanted: Fields = { time: `${clock(minute)}Z` };
        expect(accepts(wanted, `${clock(minute + zone * 60)} UTC${zone < 0 ? '-' : '+'}${Math.abs(zone)}`)).toBe(true);
        expect(accepts(wanted, clock(minute))).toBe(true);
        expect(accepts(wanted, `${clock(minute + 1)}Z`)).toBe(false);
      }),
    );
  });

  it.each([
    ['JSON', (count: number) => JSON.stringify(Array.from({ length: count }, () => 'x'))],
    ['text', (count: number) => Array.from({ length: count }, () => 'x').join(', ')],
  ])('a set with more than 1,000 entries in %s is not compared entry by entry', (_, listOf) => {
    expect(accepts({ set: ['x'] }, listOf(1_000))).toBe(true);
    expect(accepts({ set: ['x'] }, listOf(1_001))).toBe(false);
  });

  it('a run of white space is one space before a text is cut', () => {
    const { count, join } = listPieces(`a${' \t'.repeat(30_000)}b,${' '.repeat(1_000)}c`);
    expect([count, join(0, 1), join(1, 2)]).toEqual([2, 'a b', 'c']);
  });

  it.each([
    ['a line of dashes', `|${'-'.repeat(60_000)}|`, true],
    ['dashes before a letter', `${'-'.repeat(60_000)}x`, false],
    ['two dashes', '| -- |', false],
  ])('below the heading of a table, %s', (_, line, isRule) => {
    expect(accepts({ columns: ['a'], rows: [['x']] }, `| a |\n${line}\n| x |`)).toBe(isRule);
  });
});
