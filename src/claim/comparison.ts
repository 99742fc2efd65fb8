import type { FiguredRow } from './figured-row.ts';
import { holm } from '../stats/holm.ts';
import { signFlip } from '../stats/sign-flip.ts';
import { smallestDetectable } from '../stats/smallest-detectable.ts';
import { type Entrant, entrantName } from './figures.ts';
import { groupBy, templateOf } from './group.ts';
import { ran } from './honesty.ts';
import { POLICY } from './policy.ts';
import { hasPassed } from './success.ts';

/** Two entrants on the templates that both have run. */
export interface Comparison {
  first: Entrant;
  second: Entrant;
  templates: number;
  /** Mean over templates of the first one's success rate less the second one's. */
  difference: number;
  /** Of the sign-flip test, as it is and after Holm's adjustment for all pairs. */
  p: number;
  p_adjusted: number;
  /** Whether every assignment of signs was looked at. */
  exact: boolean;
  /** What so many templates and repetitions can show; see `smallestDetectable`. */
  smallest_detectable: number;
  /** Who did better; null when that cannot be told. */
  better: 'first' | 'second' | null;
}

/** Every pair of entrants, as one family of tests. The draws of a test follow from the seed. */
export function compareAll(rows: readonly FiguredRow[], entrants: readonly Entrant[], seed: number): Comparison[] {
  const rates = new Map([...groupBy(rows.filter(ran), entrantName)].map(([name, own]) => [name, ratesOf(own)]));
  const pairs = entrants.flatMap((first, at) =>
    entrants.slice(at + 1).flatMap((second) => {
      const [a, b] = [rates.get(entrantName(first)), rates.get(entrantName(second))];
      return a === undefined || b === undefined ? [] : (pairOf({ first, second }, { a, b }, seed) ?? []);
    }),
  );
  const adjusted = holm(pairs.map(({ p }) => p));
  return pairs.map((pair, at) => ranked(pair, adjusted[at] ?? 1));
}

interface Rate {
  rate: number;
  episodes: number;
}

function ratesOf(rows: readonly FiguredRow[]): Map<string, Rate> {
  return new Map(
    [...groupBy(rows, templateOf)].map(([template, own]) => [
      template,
      { rate: own.filter(hasPassed).length / own.length, episodes: own.length },
    ]),
  );
}

type Pair = Omit<Comparison, 'p_adjusted' | 'better'>;

function pairOf(
  entrants: Pick<Comparison, 'first' | 'second'>,
  { a, b }: { a: Map<string, Rate>; b: Map<string, Rate> },
  seed: number,
): Pair | null {
  const both = [...a].flatMap(([template, one]) => {
    const other = b.get(template);
    return other === undefined
      ? []
      : [{ difference: one.rate - other.rate, fewest: Math.min(one.episodes, other.episodes) }];
  });
  const test = signFlip(
    both.map(({ difference }) => difference),
    seed,
  );
  const smallest = smallestDetectable(both.length, Math.min(...both.map(({ fewest }) => fewest)));
  if (test === null || smallest === null) return null;
  const { mean: difference, p, exact } = test;
  return { ...entrants, templates: both.length, difference, p, exact, smallest_detectable: smallest };
}

/** Nothing is ranked below what the campaign could show, whatever chance made of it. */
function ranked(pair: Pair, adjusted: number): Comparison {
  const isShown = adjusted <= POLICY.level && Math.abs(pair.difference) >= pair.smallest_detectable;
  const better = pair.difference > 0 ? 'first' : 'second';
  return { ...pair, p_adjusted: adjusted, better: isShown ? better : null };
}
