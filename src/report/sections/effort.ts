import type { EntrantClaims } from '../../claim/claims.ts';
import { isOf } from '../../claim/figures.ts';
import { groupBy } from '../../claim/group.ts';
import type { EffortField, OutcomeLine } from '../../claim/outcome-tables.ts';
import type { Interval } from '../../stats/proportion.ts';
import { timeClaimText } from '../decisions.ts';
import {
  type Blocks,
  code,
  type Column,
  ENTRANT,
  foldedIf,
  bullets,
  listed,
  quote,
  type Section,
  section,
  small,
  table,
  type Content,
  text,
} from '../document.ts';
import { numberText, rateText, secondsText } from '../numbers.ts';
import type { Report } from '../report.ts';
import { asideIn } from '../roles.ts';

export type Measure = Column<OutcomeLine> & { whyNull: (line: OutcomeLine) => string | null };

export const MEASURES: readonly Measure[] = [
  mean('tokens in', 'tokens_in', numberText),
  mean('tokens out', 'tokens_out', numberText),
  mean('cached', 'tokens_cached', numberText),
  mean('model calls', 'turns', numberText),
  mean('model time', 'model_ms', secondsText),
  mean('end to end', 'wall_ms', secondsText),
  mean('shortcuts', 'shortcut_calls', numberText),
  mean('cost', 'cost_usd', dollars),
  quotient('cost per success', 'cost_per_success'),
  quotient('cost per honest success', 'cost_per_honest_success'),
];

export const TIME: Measure = mean('time', 'wall_ms', secondsText);

/** Left out if none is known. */
export const COSTS: readonly Measure[] = MEASURES.filter(
  ({ head }) => head === 'cost' || head === 'cost per honest success',
);

function mean(head: string, field: EffortField, textOf: (value: number | null) => string | null): Measure {
  return { head, text: (line) => textOf(line[field].mean), whyNull: (line) => line[field].why_null };
}

function quotient(head: string, field: 'cost_per_success' | 'cost_per_honest_success'): Measure {
  return { head, text: (line) => dollars(line[field].value), whyNull: (line) => line[field].why_null };
}

function dollars(value: number | null): string | null {
  return numberText(value, ' USD');
}

/** A table of the measures that any line has, and a sentence about the others. */
export function measuredTable(
  label: string,
  names: readonly Column<OutcomeLine>[],
  lines: readonly OutcomeLine[],
  isAside?: (line: OutcomeLine) => boolean,
): Blocks {
  const isKnown = (measure: Measure): boolean => lines.some((line, at) => measure.text(line, at) !== null);
  const known = MEASURES.filter(isKnown);
  const unknown = MEASURES.filter((measure) => !isKnown(measure));
  const whys = groupBy(unknown, ({ whyNull }) =>
    [...new Set(lines.flatMap((line) => whyNull(line) ?? []))].join(', or ').replace(/^$/, 'it is not known why'),
  );
  const parts = [...whys].map(([why, measures]): Content => [
    measures.map(({ head }) => head).join(', '),
    ' (',
    quote(why),
    ')',
  ]);
  return [
    known.length === 0 ? null : table(label, [...names, ...known], lines, isAside),
    parts.length === 0 || lines.length === 0 ? null : text('Not measured of any: ', listed(parts, '; '), '.'),
  ];
}

export const EFFORT_NOTE = text(
  'Means per episode, diagnostic. A shortcut is a call that may do at once what takes a user of the page several: an advantage of the surface, not a skill of the agent. Cost per success is of all episodes, failures included; an honest success took no phantom for real. A dash was not measured in every episode.',
);

export function effortSection({ claims, tables, agents }: Pick<Report, 'claims' | 'tables' | 'agents'>): Section {
  const { entrants } = claims;
  if (entrants.length === 0) return section('effort', 'What it took');
  const spreads = spreadColumns({ tables }).filter((column) =>
    entrants.some((each, at) => column.text(each, at) !== null),
  );
  return section(
    'effort',
    'What it took',
    ...(spreads.length === 0
      ? []
      : [
          text(
            'Median and p95 over all episodes that ran, failures included, with their 95 % intervals by the bootstrap over tasks, which needs at least two. They rank no entrant.',
          ),
          table('Median and p95 of time, tokens and cost', [ENTRANT, ...spreads], entrants, asideIn(agents)),
        ]),
    EFFORT_NOTE,
    ...measuredTable('Tokens, model calls, times and cost', [ENTRANT], tables.entrants, asideIn(agents)),
    text(timeClaimText(claims)),
    ...modelBlocks(tables.entrants),
  );
}

export function modelBlocks(entrants: readonly OutcomeLine[]): Blocks {
  const items = entrants.flatMap(({ agent, surface, model_id: asked, models_returned: returned }): Content[] =>
    asked === null
      ? []
      : [
          [
            `${agent} through ${surface}: `,
            code(asked),
            '; in its replies: ',
            returned.length === 0 ? 'no name' : listed(returned.map(code)),
            '.',
          ],
        ],
  );
  return items.length === 0 ? [] : [text('Models that were asked:'), bullets(items)];
}

const SPREADS = [
  { field: 'wall_ms', name: 'time', missing: ['wall_ms'], textOf: secondsText },
  {
    field: 'tokens',
    name: 'tokens',
    missing: ['tokens_in', 'tokens_out'],
    textOf: (value: number) => numberText(value),
  },
  { field: 'cost_usd', name: 'cost', missing: ['cost_usd'], textOf: (value: number) => numberText(value, ' USD') },
] as const;

export function spreadColumns({ tables }: Pick<Report, 'tables'>): Column<EntrantClaims>[] {
  return SPREADS.flatMap(({ field, name, missing, textOf }) => {
    const spread = (value: number | null, interval: Interval | null): Content | null =>
      value === null
        ? null
        : [`${textOf(value)} `, small(interval === null ? '–' : `${textOf(interval.low)} to ${textOf(interval.high)}`)];
    const whyNull = (entrant: EntrantClaims): string => {
      const line = tables.entrants.find((each) => isOf(entrant, each));
      return missing.flatMap((each) => line?.[each].why_null ?? []).at(0) ?? 'no episode has run';
    };
    const of = ({ spending }: EntrantClaims) => spending[field];
    return [
      {
        head: `${name}, median`,
        text: (each: EntrantClaims) => spread(of(each).median, of(each).median_interval),
        whyNull,
      },
      { head: `${name}, p95`, text: (each: EntrantClaims) => spread(of(each).p95, of(each).p95_interval), whyNull },
    ];
  });
}

/** pass@k and pass^k: that one of k repetitions passes, and that all do. */
export function reliabilitySection({ claims: { entrants }, agents }: Pick<Report, 'claims' | 'agents'>): Section {
  if (entrants.length === 0) return section('reliability', 'Reliability');
  const isAside = asideIn(agents);
  const ks = [...new Set(entrants.flatMap(({ success }) => success.reliability.map(({ k }) => k)))].toSorted(
    (a, b) => a - b,
  );
  // For one repetition both are the same.
  const columns = ks.flatMap((k) => [rateColumn('pass_at_k', k), ...(k === 1 ? [] : [rateColumn('pass_hat_k', k)])]);
  const isSingle = columns.length <= 1;
  return section(
    'reliability',
    'Reliability',
    text(
      'Of k repetitions of a task, pass@k is how often at least one passes, and pass^k how often all of them do. Both are means over tasks.',
      isSingle ? ' Every task was run once, so only k = 1 is known, which is the share of tasks that passed.' : '',
    ),
    ...foldedIf(
      isSingle,
      'The figures',
      table('pass@k and pass^k by entrant', [ENTRANT, ...columns], entrants, isAside),
    ),
  );

  function rateColumn(field: 'pass_at_k' | 'pass_hat_k', k: number): Column<EntrantClaims> {
    const rateOf = ({ success }: EntrantClaims) => success.reliability.find((each) => each.k === k)?.[field] ?? null;
    return {
      head: `pass${field === 'pass_at_k' ? '@' : '^'}${k}`,
      text: (entrant) => rateText(rateOf(entrant)),
      heat: (entrant) => (isAside(entrant) && rateOf(entrant) === 0 ? 'control' : rateOf(entrant)),
    };
  }
}
