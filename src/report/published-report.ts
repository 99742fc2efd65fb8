import type { Row } from '../bundle/row.ts';
import { modeText } from './glossary.ts';
import type { Claims } from '../claim/claims.ts';
import { entrantName } from '../claim/figures.ts';
import type { EntrantScores, Score, TaskResult } from '../claim/scores.ts';
import { nameOfInstance } from '../task/instance.ts';
import {
  type Blocks,
  code,
  type Column,
  bullets,
  quote,
  type Section,
  section,
  strong,
  table,
  text,
} from './document.ts';
import { clauseOf, clauseText } from './failure.ts';
import { intervalText, millisecondsText, percent, rateText, timesText } from './numbers.ts';
import { eligibility, taskGradeBlocks } from './sections/claims.ts';
import { dayText, entrantText } from './title.ts';

/** `reports/<git-sha>.json`: the results of a campaign at one commit. */
export interface PublishedReport {
  schema_version: 1;
  commit: string;
  dirty: boolean;
  bench_version: string;
  campaign_id: string;
  /** ISO 8601: when the plan and its pins were written. */
  created_at: string;
  /** SHA-256 of the plan, which can be announced before the run. */
  plan_hash: string;
  outcome_hash: string;
  browser: Row['browser'];
  iterations: number;
  suites: string[];
  entrants: EntrantScores[];
  claims: Claims;
}

/** Scores that others published on similar tasks with their own judges, as quoted in seed 001. */
const ELSEWHERE = [
  { who: 'notte, WebVoyager30, judged by itself', success: '86.2 %', time: '47 s' },
  { who: 'notte, WebVoyager30, judged by a model', success: '79.0 %', time: '47 s' },
  { who: 'browser-use, as reported', success: null, time: '113 s' },
];

/** The scores, the tasks of each entrant, and scores published by others. */
export function publishedSections(report: PublishedReport): Section[] {
  const { commit, dirty, iterations, suites, browser } = report;
  return [
    section(
      'scores',
      `${suites.join(', ')} at ${commit.slice(0, 12)}`,
      bullets([
        [
          'Commit: ',
          code(commit),
          dirty ? [', ', strong('with local changes')] : '',
          `; Touchstone ${report.bench_version}`,
        ],
        [
          `Campaign ${report.campaign_id}, planned on ${dayText(report.created_at)}`,
          browser === null ? '' : [', run in ', quote(`${browser.name} ${browser.version}`)],
        ],
        ['Plan hash ', code(report.plan_hash)],
        ['Outcome hash ', code(report.outcome_hash)],
        `Each task ${timesText(iterations)}${iterations === 1 ? '' : '; it counts as passed when all of them passed'}`,
      ]),
      ...scoreBlocks(report),
      ...taskGradeBlocks(report.claims),
    ),
    ...report.entrants.map((entrant) => section('entrant', entrantText(entrant), table('Tasks', TASKS, entrant.tasks))),
    ...(suites.includes('webvoyager')
      ? [
          section(
            'elsewhere',
            'Published elsewhere',
            table('Published elsewhere', OTHERS, ELSEWHERE),
            text(
              'Contract scores are stricter than the judgement of a model, and these are other tasks on other days: the numbers are not directly comparable.',
            ),
          ),
        ]
      : []),
  ];
}

/** The scores, never without the reasons against using them. */
export function scoreBlocks({ entrants, claims }: Pick<PublishedReport, 'entrants' | 'claims'>): Blocks {
  const { policy } = claims;
  return [
    table('Scores', scoreColumns({ entrants, claims }), entrants),
    text(
      `Grades by policy ${policy.version}. The interval (95 %, clustered by task) is of the episodes that passed; a score counts the tasks of which every repetition passed.`,
    ),
    ...eligibility(claims, 'task_completion'),
  ];
}

function scoreColumns({ entrants, claims }: Pick<PublishedReport, 'entrants' | 'claims'>): Column<EntrantScores>[] {
  const claimsOf = new Map(claims.entrants.map((each) => [entrantName(each), each]));
  const hasSeed = entrants.some(({ seed }) => seed !== null);
  const passedOf = (each: EntrantScores) => claimsOf.get(entrantName(each))?.success.passed;
  return [
    { head: 'entrant', words: true, text: entrantText },
    { head: 'mode', words: true, text: ({ modes }) => modes.map(modeText).join(', ') },
    { head: 'world', words: true, text: ({ world_kinds: worlds }) => worlds.join(', ') },
    { head: 'grade', words: true, text: (each) => claimsOf.get(entrantName(each))?.aggregate.grade ?? null },
    ...(hasSeed ? [{ head: 'seed tasks', text: ({ seed }: EntrantScores) => outOf(seed) }] : []),
    { head: hasSeed ? 'other tasks' : 'tasks passed every time', text: (each) => outOf(each.beyond_seed) },
    { head: 'episodes passed', text: (each) => rateText(passedOf(each)?.rate ?? null) },
    { head: '95 % interval', text: (each) => intervalText(passedOf(each)?.interval ?? null) },
    { head: 'median task', text: (each) => millisecondsText(each.median_wall_ms) },
    { head: 'median tool calls', text: (each) => each.median_tool_calls },
    { head: 'cost', text: billed },
  ];
}

const TASKS: readonly Column<TaskResult>[] = [
  { head: 'task', words: true, text: ({ task, instance }) => nameOfInstance(task, instance) },
  { head: 'result', words: true, text: ({ result }) => result },
  { head: 'passed', text: (each) => `${each.repetitions_passed} of ${each.repetitions}` },
  { head: 'duration', text: (each) => millisecondsText(each.median_wall_ms) },
  { head: 'tool calls', text: (each) => each.median_tool_calls },
  { head: 'response bytes', text: (each) => each.median_response_bytes },
  { head: 'cost', text: (each) => dollars(each.cost_usd) },
  {
    head: 'failed postcondition',
    words: true,
    text: ({ failed_contract: failed }) => failed && clauseText(clauseOf(failed)),
  },
];

const OTHERS: readonly Column<(typeof ELSEWHERE)[number]>[] = [
  { head: 'who', words: true, text: ({ who }) => who },
  { head: 'success', text: ({ success }) => success },
  { head: 'time per task', text: ({ time }) => time },
];

function outOf(score: Score | null): string | null {
  if (score === null) return null;
  return `${score.passed} / ${score.tasks} (${percent(score.passed / score.tasks)} %)`;
}

/** Fakes and recordings cost nothing; their dollars follow from the price table. */
function billed({ modes, cost_usd: cost }: EntrantScores): string | null {
  const isBilled = modes.every((mode) => mode !== 'mock' && mode !== 'replay');
  return cost === null || isBilled ? dollars(cost) : `${dollars(cost)}, not billed`;
}

function dollars(value: number | null): string | null {
  return value === null ? null : `${value.toFixed(4)} USD`;
}
