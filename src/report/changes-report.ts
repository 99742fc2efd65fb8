import type { Row } from '../bundle/row.ts';
import type { Changes, EntrantChange, NotCompared, TaskChange } from '../claim/changes.ts';
import type { Entrant } from '../claim/figures.ts';
import { cellText } from '../claim/group.ts';
import type { Interval } from '../stats/interval.ts';
import { codeSpan } from './code-span.ts';
import { signedPercent } from './figure-text.ts';
import { type Column, markdownTable } from './markdown-table.ts';
import { entrantText } from './entrant-text.ts';

/** The output of `compare` of two bundles. */
export interface ChangesReport extends Changes {
  schema_version: 1;
  /** As the reader calls the bundles. */
  before: string;
  after: string;
  /** Other differences between them. */
  differences: string[];
  /** Who recovers more often, or less, where something was planned to go wrong; null where nothing was. */
  recovery: Changes | null;
  /** Reasons for which `--gate` fails, a line each; empty when it is met. */
  problems: string[];
}

/** The agents that are controls in all these rows: one that competes in an earlier bundle hides no loss by being none in a later. */
export function onlyControls(rows: readonly Pick<Row, 'agent' | 'decider'>[]): ReadonlySet<string> {
  const competing = new Set(rows.flatMap(({ agent, decider }) => (decider === 'control' ? [] : agent)));
  return new Set(rows.flatMap(({ agent }) => (competing.has(agent) ? [] : agent)));
}

/**
 * A regression, a task that is gone and a contract that is another one each fail a gate; of recovery too.
 * @param controls the agents that must not pass: to run fewer of them, or that they pass less often, is no loss
 */
export function gateProblems(
  changes: Changes,
  recovery: Changes | null,
  controls: ReadonlySet<string> = new Set(),
): string[] {
  return [
    ...problemsIn(changes, controls),
    ...(recovery === null ? [] : problemsIn(recovery, controls).map((each) => `recovery: ${each}`)),
  ];
}

function problemsIn(changes: Changes, controls: ReadonlySet<string>): string[] {
  const [entrants, missing, contracts] = [
    changes.entrants.filter(({ agent }) => !controls.has(agent)),
    changes.missing.filter(({ agent }) => !controls.has(agent)),
    changes.other_contract.filter(({ agent }) => !controls.has(agent)),
  ];
  return [
    ...entrants.flatMap(({ all, tasks, ...entrant }) => [
      ...(all?.direction === 'regressed' ? [`${entrantText(entrant)} regressed over its tasks`] : []),
      ...tasks
        .filter(({ direction }) => direction === 'regressed')
        .map(({ task }) => `${entrantText(entrant)} regressed on ${cellText(task)}`),
    ]),
    ...missing.map((each) => `missing: ${notComparedText(each)}`),
    ...contracts.map((each) => `not compared: ${notComparedText(each)}`),
  ];
}

/** The same as Markdown; of tasks only those whose rate has changed. `gate`: whether one was asked for. */
export function changesMarkdown(report: ChangesReport, { gate }: { gate: boolean } = { gate: true }): string {
  const { before, after, differences, recovery, problems } = report;
  return [
    '# What changed',
    '',
    `From ${codeSpan(before)} to ${codeSpan(after)}: success rates in percent, each task paired with itself, with 95 % intervals. A change is called a regression or an improvement where its interval leaves out 0.`,
    '',
    ...changesLines(report, '##'),
    ...(recovery === null ? [] : recoveryLines(recovery)),
    ...listed('## What else differs', differences),
    ...unseenLines(report),
    ...(gate ? [problems.length === 0 ? 'Gate: met.' : `Gate: not met (${problems.length}).`, ''] : []),
  ].join('\n');
}

/** Says what a gate lets pass, as it may be chance. */
function unseenLines({ entrants }: Changes): string[] {
  const unseen = entrants.flatMap(({ tasks }) =>
    tasks.filter(({ difference, direction }) => difference < 0 && direction !== 'regressed'),
  );
  if (unseen.length === 0) return [];
  const which = unseen.length === 1 ? 'A task passed' : `${unseen.length} tasks passed`;
  return [
    `${which} less often than before, and with so few repetitions that may be chance, which no gate counts. To tell, run both with more (\`-n\`).`,
    '',
  ];
}

function recoveryLines(recovery: Changes): string[] {
  return [
    '## Recovery',
    '',
    'The same of episodes in which something was planned to go wrong, each task with its fault paired with itself. Only those count whose fault fired, and whose entrant passed the task clean in the same iteration.',
    '',
    ...changesLines(recovery, '###'),
  ];
}

const ENTRANT_COLUMNS: readonly Column<EntrantChange>[] = [
  { head: 'entrant', left: true, cell: entrantText },
  { head: 'before', cell: ({ all }) => all && `${all.before.successes} of ${all.before.trials}` },
  { head: 'after', cell: ({ all }) => all && `${all.after.successes} of ${all.after.trials}` },
  { head: 'change', cell: ({ all }) => all && signedPercent(all.difference) },
  { head: 'interval', cell: ({ all }) => all && spanned(all.interval) },
  { head: 'verdict', left: true, cell: verdictText },
];

const TASK_COLUMNS: readonly Column<Entrant & TaskChange>[] = [
  { head: 'task', left: true, cell: ({ task }) => codeSpan(cellText(task)) },
  { head: 'entrant', left: true, cell: entrantText },
  { head: 'before', cell: ({ before }) => `${before.passed} of ${before.episodes}` },
  { head: 'after', cell: ({ after }) => `${after.passed} of ${after.episodes}` },
  { head: 'change', cell: ({ difference }) => signedPercent(difference) },
  { head: 'interval', cell: ({ interval }) => spanned(interval) },
  { head: 'verdict', left: true, cell: ({ direction }) => direction },
];

/** Says of a single task what its repetitions say: over tasks nothing can be said then. */
function verdictText({ all, tasks }: EntrantChange): string {
  if (all === null) return 'nothing to pair';
  if (all.direction !== null) return all.direction;
  const [first, ...others] = tasks;
  return others.length === 0 && first?.direction ? `one task: ${first.direction}` : 'too few tasks to tell';
}

/** @param heading the marks of a heading below that of these changes. */
function changesLines(changes: Changes, heading: string): string[] {
  const { entrants, missing, other_contract: contracts, added } = changes;
  return [
    ...markdownTable(ENTRANT_COLUMNS, entrants),
    '',
    ...otherEntrants(changes),
    ...changedTasks(changes, heading),
    ...listed(`${heading} Missing after`, missing.map(notComparedText)),
    ...listed(`${heading} Not compared`, contracts.map(notComparedText)),
    ...listed(`${heading} New after`, added.map(notComparedText)),
  ];
}

/** Says why two versions of an agent are not compared where they have two names, and how they are. */
function otherEntrants({ entrants, only_before: before, only_after: after }: Changes): string[] {
  if (before.length === 0 || after.length === 0) return [];
  const inBoth = entrants.length - before.length - after.length;
  const title = inBoth === 0 ? 'No entrant is in both' : 'Not every entrant is in both';
  return [
    `${title}: ${spansOf(before)} only before, ${spansOf(after)} only after. An agent or a tool server of your own is known by its \`id\`, an agent without one by the name of its file. To compare two versions, give both the same \`id\` in a YAML file, or run both in one campaign under two names.`,
    '',
  ];
}

function spansOf(entrants: readonly Entrant[]): string {
  return entrants.map((each) => codeSpan(entrantText(each))).join(', ');
}

function changedTasks({ entrants, only_before: before, only_after: after }: Changes, heading: string): string[] {
  const changed = entrants.flatMap(({ agent, surface, tasks }) =>
    tasks.filter(({ difference }) => difference !== 0).map((task) => ({ agent, surface, ...task })),
  );
  if (entrants.length === before.length + after.length) return [];
  if (entrants.every(({ tasks }) => tasks.length === 0)) return ['No task ran in both.', ''];
  if (changed.length === 0) return ['No task passes more or less often than before.', ''];
  return [`${heading} Tasks that changed`, '', ...markdownTable(TASK_COLUMNS, changed), ''];
}

function notComparedText({ agent, surface, task, why }: NotCompared): string {
  return `${cellText(task)} by ${agent} through ${surface}: ${why}`;
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, '', ...lines.map((line) => `- ${codeSpan(line)}`), ''];
}

function spanned(interval: Interval | null): string | null {
  return interval === null ? null : `${signedPercent(interval.low)} to ${signedPercent(interval.high)}`;
}
