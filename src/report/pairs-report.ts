import type { Comparison } from '../claim/comparison.ts';
import type { Decision } from '../claim/eligibility.ts';
import { entrantName, isOf } from '../claim/figures.ts';
import { groupBy } from '../claim/group.ts';
import type { OutcomeLine } from '../claim/outcome-tables.ts';
import {
  type Block,
  type Blocks,
  code,
  type Column,
  heading,
  quote,
  type Section,
  section,
  table,
  text,
} from './document.ts';
import { claimSection } from './sections/claims.ts';
import { percent, signedPercent } from './numbers.ts';
import type { Report } from './report.ts';
import { entrantText } from './title.ts';
import { isControl } from './roles.ts';

const MAX = { pairs: 45, tasks: 200 };

/** Two entrants on the tasks that both ran without a planned fault. */
export interface PairReport extends Comparison {
  passed: { first: Count; second: Count };
  decision: Decision;
  /** Tasks that one of them passes more often. */
  differing: { task: string; first: Count; second: Count }[];
}

interface Count {
  passed: number;
  episodes: number;
}

/** Pairs the entrants that compete; if there are not two, controls and baselines too. */
export function pairsIn(report: Report): PairReport[] {
  const { tables, agents } = report;
  const pairs = completionPairs(report);
  const competing = pairs.filter((pair) => compete(pair, agents));
  return (competing.length > 0 ? competing : pairs).map((pair) => {
    const tasks = bothOf(tables.tasks, pair);
    const differing = tasks.filter(({ first, second }) => rateOf(first) !== rateOf(second));
    const passed = { first: sum(tasks.map(({ first }) => first)), second: sum(tasks.map(({ second }) => second)) };
    return { ...pair, passed, differing };
  });
}

function compete({ first, second }: Comparison, agents: Report['agents']): boolean {
  return [first, second].every(({ agent }) => !isControl(agents.find((each) => each.agent === agent) ?? { agent }));
}

export function pairsSections(report: Report, pairs: readonly PairReport[]): Section[] {
  if (pairs.length === 0) return [];
  const shown = pairs.slice(0, MAX.pairs);
  return [
    section(
      'pairs',
      'Entrants, two by two',
      text(
        'On the tasks that both ran without a planned fault. The difference is the mean over tasks, in points; p is of the sign-flip test, after Holm; the last column is the smallest difference that so many tasks and repetitions can show.',
      ),
      table('Pairs', COLUMNS, shown),
      moreText(pairs.length - shown.length, 'pairs'),
      completionPairs(report).length === pairs.length
        ? null
        : text('Controls and baselines do not compete; ', code('--json'), ' leaves them out too.'),
      // Next to a control, every task that the other passes would be listed.
      ...(pairs.every((pair) => compete(pair, report.agents)) ? differingBlocks(shown) : []),
    ),
    claimSection(report),
  ];
}

function moreText(count: number, what: string): Block | null {
  return count <= 0 ? null : text(`And ${count} more ${what}, which `, code('--json'), ' has.');
}

function completionPairs({ claims }: Report): Report['claims']['comparisons'] {
  return claims.comparisons.filter(({ decision }) => decision.question.axis === 'task_completion');
}

const COLUMNS: readonly Column<PairReport>[] = [
  { head: 'first', words: true, text: ({ first }) => entrantText(first) },
  { head: 'second', words: true, text: ({ second }) => entrantText(second) },
  { head: 'tasks', text: ({ templates }) => templates },
  { head: 'first passed', text: ({ passed }) => countText(passed.first) },
  { head: 'second passed', text: ({ passed }) => countText(passed.second) },
  { head: 'differ by', text: ({ difference }) => signedPercent(difference) },
  { head: 'p', text: ({ p_adjusted: p }) => p.toPrecision(2) },
  {
    head: 'can show',
    text: ({ smallest_detectable: smallest }) => (smallest === null ? 'none' : percent(smallest)),
  },
];

interface Differing {
  pair: Comparison;
  counts: PairReport['differing'][number];
}

const DIFFERING: readonly Column<Differing>[] = [
  { head: 'task', words: true, text: ({ counts }) => quote(counts.task) },
  { head: 'first', words: true, text: ({ pair }) => entrantText(pair.first) },
  { head: 'passed', text: ({ counts }) => countText(counts.first) },
  { head: 'second', words: true, text: ({ pair }) => entrantText(pair.second) },
  { head: 'passed', text: ({ counts }) => countText(counts.second) },
];

function differingBlocks(pairs: readonly PairReport[]): Blocks {
  const all = pairs.flatMap(({ differing, ...pair }) => differing.map((counts) => ({ pair, counts })));
  if (all.length === 0) return [text('Every task is passed as often by one as by the other.')];
  return [
    heading('Tasks that one passes more often'),
    table('Tasks that one passes more often', DIFFERING, all.slice(0, MAX.tasks)),
    moreText(all.length - MAX.tasks, 'lines'),
  ];
}

function bothOf(lines: readonly OutcomeLine[], { first, second }: Comparison): PairReport['differing'] {
  const theirs = groupBy(
    lines.filter((line) => isOf(first, line) || isOf(second, line)),
    ({ task }) => task ?? '',
  );
  return [...theirs].flatMap(([task, own]) => {
    const [one, other] = [first, second].map((entrant) =>
      own.find((line) => entrantName(line) === entrantName(entrant)),
    );
    return one === undefined || other === undefined ? [] : [{ task, first: countOf(one), second: countOf(other) }];
  });
}

function countOf({ passed: { count, of } }: OutcomeLine): Count {
  return { passed: count, episodes: of };
}

function rateOf({ passed, episodes }: Count): number {
  return passed / episodes;
}

function sum(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((total, each) => total + each.passed, 0),
    episodes: counts.reduce((total, each) => total + each.episodes, 0),
  };
}

function countText({ passed, episodes }: Count): string {
  return `${passed} of ${episodes}`;
}
