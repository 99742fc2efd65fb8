import { withIndices } from '../task/with-indices.ts';
import type { Row } from '../bundle/row.ts';
import type { Claims } from '../claim/claims.ts';
import { entrantName } from '../claim/figures.ts';
import type { EntrantScores, Score, TaskResult } from '../claim/scores.ts';
import { nameOfInstance } from '../task/instance.ts';
import { axisLines, taskGradeLines } from './claim-lines.ts';
import { intervalText, millisecondsText, percent, rateText } from './figure-text.ts';
import { foundText } from './found.ts';
import { codeSpan } from './code-span.ts';
import { dayText } from './title.ts';
import { type Column, markdownTable } from './markdown-table.ts';
import { entrantText } from './entrant-text.ts';

/** `reports/<git-sha>.json`: what a campaign came to at one commit. */
export interface PublishedReport {
  schema_version: 1;
  commit: string;
  /** Whether there were changes that are in no commit. */
  dirty: boolean;
  bench_version: string;
  campaign_id: string;
  /** ISO 8601: when the plan and its pins were written. */
  created_at: string;
  /** SHA-256 of the plan, which whoever was told of it beforehand can compare. */
  plan_hash: string;
  outcome_hash: string;
  browser: Row['browser'];
  iterations: number;
  suites: string[];
  entrants: EntrantScores[];
  /** The use that the scores may be put to: drawn from the same rows. */
  claims: Claims;
}

/**
 * Scores that others have published of the same kind of tasks, as seed 001 quotes them. Theirs are scores of their own judges, on
 * tasks of their own choice.
 */
const ELSEWHERE = [
  { who: 'notte, WebVoyager30, judged by itself', success: '86.2 %', time: '47 s' },
  { who: 'notte, WebVoyager30, judged by a model', success: '79.0 %', time: '47 s' },
  { who: 'browser-use, as reported', success: null, time: '113 s' },
];

/** The same as Markdown: the scores, a row a task, and what is published elsewhere. */
export function publishedMarkdown(report: PublishedReport): string {
  const { commit, dirty, iterations, suites } = report;
  const lines = [
    `# ${suites.join(', ')} at ${commit.slice(0, 12)}`,
    '',
    `- Commit: \`${commit}\`${dirty ? ', **with local changes**' : ''}; Touchstone ${report.bench_version}`,
    `- Campaign ${report.campaign_id}, planned on ${dayText(report.created_at)}${report.browser === null ? '' : `, run in ${codeSpan(`${report.browser.name} ${report.browser.version}`)}`}`,
    `- Plan hash \`${report.plan_hash}\``,
    `- Outcome hash \`${report.outcome_hash}\``,
    `- Each task ${iterations === 1 ? 'once' : `${iterations} times; it counts as passed when all of them passed`}`,
    '',
    ...scoreLines(report),
    ...taskGradeLines(report.claims),
    ...report.entrants.flatMap((entrant) => [`## ${entrantText(entrant)}`, '', ...taskTable(entrant), '']),
    ...(suites.includes('webvoyager') ? elsewhere() : []),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The scores, and below them all that stands against using them: neither is ever shown without the other. */
export function scoreLines(report: Pick<PublishedReport, 'entrants' | 'claims'>): string[] {
  const { policy } = report.claims;
  return [
    ...scoreTable(report),
    '',
    `Grades by policy ${policy.version}. The interval (95 %, clustered by task) is of the episodes that passed; a score counts the tasks of which every repetition passed.`,
    '',
    ...axisLines(report.claims, 'task_completion'),
  ];
}

/** One line an entrant: who, on what, how much of it, and what that is worth. */
function scoreTable({ entrants, claims }: Pick<PublishedReport, 'entrants' | 'claims'>): string[] {
  const claimsOf = new Map(claims.entrants.map((each) => [entrantName(each), each]));
  const hasSeed = entrants.some(({ seed }) => seed !== null);
  const ofSeed: Column<EntrantScores>[] = hasSeed ? [{ head: 'seed tasks', cell: ({ seed }) => outOf(seed) }] : [];
  const passedOf = (each: EntrantScores) => claimsOf.get(entrantName(each))?.success.passed;
  return markdownTable(
    [
      { head: 'entrant', left: true, cell: entrantText },
      { head: 'mode', left: true, cell: ({ modes }) => modes.join(', ') },
      { head: 'world', left: true, cell: ({ world_kinds: worlds }) => worlds.join(', ') },
      { head: 'grade', left: true, cell: (each) => claimsOf.get(entrantName(each))?.aggregate.grade ?? null },
      ...ofSeed,
      { head: hasSeed ? 'other tasks' : 'tasks passed every time', cell: (each) => outOf(each.beyond_seed) },
      { head: 'episodes passed', cell: (each) => rateText(passedOf(each)?.rate ?? null) },
      { head: '95 % interval', cell: (each) => intervalText(passedOf(each)?.interval ?? null) },
      { head: 'median task', cell: (each) => millisecondsText(each.median_wall_ms) },
      { head: 'median tool calls', cell: (each) => each.median_tool_calls },
      { head: 'cost', cell: billed },
    ],
    entrants,
  );
}

function taskTable({ tasks }: EntrantScores): string[] {
  return markdownTable(
    [
      { head: 'task', left: true, cell: ({ task, instance }) => nameOfInstance(task, instance) },
      { head: 'result', left: true, cell: ({ result }) => result },
      { head: 'passed', cell: (each) => `${each.repetitions_passed} of ${each.repetitions}` },
      { head: 'duration', cell: (each) => millisecondsText(each.median_wall_ms) },
      { head: 'tool calls', cell: (each) => each.median_tool_calls },
      { head: 'response bytes', cell: (each) => each.median_response_bytes },
      { head: 'cost', cell: (each) => dollars(each.cost_usd) },
      { head: 'failed postcondition', left: true, cell: postcondition },
    ],
    tasks,
  );
}

function postcondition({ failed_contract: failed }: TaskResult): string | null {
  if (failed === null) return null;
  const [expected, observed] = [foundText(failed.expected), foundText(failed.observed)].map((text) =>
    text === null ? 'nothing' : codeSpan(text),
  );
  return `\`${withIndices(failed.path)}\` (${failed.kind}): expected ${expected}, observed ${observed}`;
}

function elsewhere(): string[] {
  return [
    '## Published elsewhere',
    '',
    ...markdownTable(
      [
        { head: 'who', left: true, cell: ({ who }) => who },
        { head: 'success', cell: ({ success }) => success },
        { head: 'time per task', cell: ({ time }) => time },
      ],
      ELSEWHERE,
    ),
    '',
    'Contract scores are stricter than the judgement of a model, and these are other tasks on other days: the numbers are not directly comparable.',
  ];
}

function outOf(score: Score | null): string | null {
  if (score === null) return null;
  return `${score.passed} / ${score.tasks} (${percent(score.passed / score.tasks)} %)`;
}

/** Dollars of a fake or of a recording are by the price table alone. */
function billed({ modes, cost_usd: cost }: EntrantScores): string | null {
  const isBilled = modes.every((mode) => mode !== 'mock' && mode !== 'replay');
  return cost === null || isBilled ? dollars(cost) : `${dollars(cost)}, billed to nobody`;
}

function dollars(value: number | null): string | null {
  return value === null ? null : `${value.toFixed(4)} USD`;
}
