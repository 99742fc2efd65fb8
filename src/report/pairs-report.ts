import type { Comparison } from '../claim/comparison.ts';
import type { Decision } from '../claim/eligibility.ts';
import { entrantName, isOf } from '../claim/figures.ts';
import { groupBy } from '../claim/group.ts';
import type { OutcomeLine } from '../claim/outcome-tables.ts';
import { claimLines } from './claim-lines.ts';
import { codeSpan } from './code-span.ts';
import { percent, signedPercent } from './figure-text.ts';
import { isControl } from './glossary.ts';
import { type Column, markdownTable } from './markdown-table.ts';
import type { Report } from './report.ts';
import { entrantText } from './entrant-text.ts';

const MOST = { pairs: 45, tasks: 200 };

/** Two entrants of one campaign on the tasks that both ran without a planned fault. */
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

/** Pair those of a bundle that compete with each other; where none do, its controls and baselines too. */
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

/** Whether neither is a control or a baseline. */
function compete({ first, second }: Comparison, agents: Report['agents']): boolean {
  return [first, second].every(({ agent }) => !isControl(agents.find((each) => each.agent === agent) ?? { agent }));
}

/** Say, as Markdown, who passes what, and what of it may be claimed; empty of an entrant alone. */
export function pairsMarkdown(report: Report, pairs: readonly PairReport[]): string[] {
  if (pairs.length === 0) return [];
  const shown = pairs.slice(0, MOST.pairs);
  const { length: more } = pairs.slice(MOST.pairs);
  return [
    '# Entrants, two by two',
    '',
    'On the tasks that both ran without a planned fault. The difference is the mean over tasks, in points; p is of the sign-flip test, after Holm; the last column is the smallest difference that so many tasks and repetitions can show.',
    '',
    ...markdownTable(COLUMNS, shown),
    '',
    ...(more === 0 ? [] : [`And ${more} more pairs, which \`--json\` has.`, '']),
    ...(completionPairs(report).length === pairs.length
      ? []
      : ['Controls and baselines compete with nobody; `--json` leaves them out too.', '']),
    // A control passes nothing, so that every task of the others would be listed against it.
    ...(pairs.every((pair) => compete(pair, report.agents)) ? differingLines(shown) : []),
    ...claimLines(report),
  ];
}

function completionPairs({ claims }: Report): Report['claims']['comparisons'] {
  return claims.comparisons.filter(({ decision }) => decision.question.axis === 'task_completion');
}

const COLUMNS: readonly Column<PairReport>[] = [
  { head: 'first', left: true, cell: ({ first }) => entrantText(first) },
  { head: 'second', left: true, cell: ({ second }) => entrantText(second) },
  { head: 'tasks', cell: ({ templates }) => templates },
  { head: 'first passed', cell: ({ passed }) => countText(passed.first) },
  { head: 'second passed', cell: ({ passed }) => countText(passed.second) },
  { head: 'differ by', cell: ({ difference }) => signedPercent(difference) },
  { head: 'p', cell: ({ p_adjusted: p }) => p.toPrecision(2) },
  {
    head: 'can show',
    cell: ({ smallest_detectable: smallest }) => (smallest === null ? 'none' : percent(smallest)),
  },
];

function differingLines(pairs: readonly PairReport[]): string[] {
  const all = pairs.flatMap(({ differing, ...pair }) => differing.map((counts) => ({ pair, counts })));
  if (all.length === 0) return ['Every task is passed as often by one as by the other.', ''];
  const { length: more } = all.slice(MOST.tasks);
  return [
    '## Tasks that one passes more often',
    '',
    ...markdownTable(
      [
        { head: 'task', left: true, cell: ({ counts }) => codeSpan(counts.task) },
        { head: 'first', left: true, cell: ({ pair }) => entrantText(pair.first) },
        { head: 'passed', cell: ({ counts }) => countText(counts.first) },
        { head: 'second', left: true, cell: ({ pair }) => entrantText(pair.second) },
        { head: 'passed', cell: ({ counts }) => countText(counts.second) },
      ],
      all.slice(0, MOST.tasks),
    ),
    '',
    ...(more === 0 ? [] : [`And ${more} more lines, which \`--json\` has.`, '']),
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
