import type { Row } from '../bundle/row.ts';
import type { Claims } from '../claim/claims.ts';
import { entrantName } from '../claim/figures.ts';
import type { EntrantScores, Score, TaskResult } from '../claim/scores.ts';
import { nameOfInstance } from '../task/instance.ts';
import { axisLines, taskGradeLines } from './claim-lines.ts';
import { intervalText, percent } from './figure-text.ts';
import { foundText } from './found.ts';
import { codeSpan } from './code-span.ts';
import { dayText } from './title.ts';
import { markdownTable } from './markdown-table.ts';

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
  ['notte, WebVoyager30, judged by itself', '86.2 %', '47 s'],
  ['notte, WebVoyager30, judged by a model', '79.0 %', '47 s'],
  ['browser-use, as reported', null, '113 s'],
] as const;

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
    ...report.entrants.flatMap((entrant) => [
      `## ${entrant.agent} through ${entrant.surface}`,
      '',
      ...taskTable(entrant),
      '',
    ]),
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
  return markdownTable(
    [
      'entrant',
      'mode',
      'world',
      'grade',
      ...(hasSeed ? ['seed tasks', 'other tasks'] : ['tasks passed every time']),
      'episodes passed',
      '95 % interval',
      'median task',
      'median tool calls',
      'cost',
    ],
    entrants.map((each) => {
      const claim = claimsOf.get(entrantName(each));
      const { rate = null, interval = null } = claim?.success.passed ?? {};
      return [
        `${each.agent} through ${each.surface}`,
        each.modes.join(', '),
        each.world_kinds.join(', '),
        claim?.aggregate.grade ?? null,
        ...(hasSeed ? [outOf(each.seed)] : []),
        outOf(each.beyond_seed),
        rate === null ? null : `${percent(rate)} %`,
        intervalText(interval),
        milliseconds(each.median_wall_ms),
        count(each.median_tool_calls),
        billed(each),
      ];
    }),
    4,
  );
}

function taskTable({ tasks }: EntrantScores): string[] {
  return markdownTable(
    ['task', 'result', 'passed', 'duration', 'tool calls', 'response bytes', 'cost', 'failed postcondition'],
    tasks.map((each) => [
      nameOfInstance(each.task, each.instance),
      each.result,
      `${each.repetitions_passed} of ${each.repetitions}`,
      milliseconds(each.median_wall_ms),
      count(each.median_tool_calls),
      count(each.median_response_bytes),
      dollars(each.cost_usd),
      postcondition(each),
    ]),
  );
}

function postcondition({ failed_contract: failed }: TaskResult): string | null {
  if (failed === null) return null;
  const [expected, observed] = [foundText(failed.expected), foundText(failed.observed)].map((text) =>
    text === null ? 'nothing' : codeSpan(text),
  );
  return `\`${failed.path}\` (${failed.kind}): expected ${expected}, observed ${observed}`;
}

function elsewhere(): string[] {
  return [
    '## Published elsewhere',
    '',
    ...markdownTable(['who', 'success', 'time per task'], ELSEWHERE),
    '',
    'Contract scores are stricter than the judgement of a model, and these are other tasks on other days: the numbers are not directly comparable.',
  ];
}

function outOf(score: Score | null): string | null {
  if (score === null) return null;
  return `${score.passed} / ${score.tasks} (${percent(score.passed / score.tasks)} %)`;
}

function milliseconds(value: number | null): string | null {
  return value === null ? null : `${Math.round(value)} ms`;
}

function count(value: number | null): string | null {
  return value === null ? null : String(value);
}

/** Dollars of a fake or of a recording are by the price table alone. */
function billed({ modes, cost_usd: cost }: EntrantScores): string | null {
  const isBilled = modes.every((mode) => mode !== 'mock' && mode !== 'replay');
  return cost === null || isBilled ? dollars(cost) : `${dollars(cost)}, billed to nobody`;
}

function dollars(value: number | null): string | null {
  return value === null ? null : `${value.toFixed(4)} USD`;
}
