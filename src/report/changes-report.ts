import type { Row } from '../bundle/row.ts';
import {
  type Changes,
  type EntrantChange,
  type NotCompared,
  type TaskChange,
  withoutControls,
} from '../claim/changes.ts';
import type { Entrant } from '../claim/figures.ts';
import { cellText } from '../claim/group.ts';
import {
  type Block,
  type Blocks,
  code,
  type Column,
  heading,
  bullets,
  listed,
  quote,
  sentence,
  type Section,
  section,
  table,
  text,
} from './document.ts';
import { counted, intervalText, signedPercent } from './numbers.ts';
import { type Moves, movesBlocks } from './moved-tasks.ts';
import { entrantText } from './title.ts';

/** The output of `compare` of two bundles. */
export interface ChangesReport extends Changes {
  schema_version: 1;
  before: string;
  after: string;
  sentence: string;
  moves: Moves;
  differences: string[];
  /** Null if no fault was planned. */
  recovery: Changes | null;
  /** Reasons for which `--gate` fails. */
  problems: string[];
}

/** The agents that are controls in all these rows: one that competes in either bundle can still lose. */
export function onlyControls(rows: readonly Pick<Row, 'agent' | 'decider'>[]): ReadonlySet<string> {
  const competing = new Set(rows.flatMap(({ agent, decider }) => (decider === 'control' ? [] : agent)));
  return new Set(rows.flatMap(({ agent }) => (competing.has(agent) ? [] : agent)));
}

/**
 * A regression, a missing task and a changed contract each fail a gate, also in recovery.
 * @param controls agents that must not pass, so that fewer passes are no loss
 */
export function gateProblems(
  changes: Changes,
  recovery: Changes | null,
  controls: ReadonlySet<string> = new Set(),
): string[] {
  return [
    ...problemsIn(withoutControls(changes, controls)),
    ...(recovery === null ? [] : problemsIn(withoutControls(recovery, controls)).map((each) => `recovery: ${each}`)),
  ];
}

function problemsIn({ entrants, missing, other_contract: contracts }: Changes): string[] {
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

/** Lists only tasks whose rate has changed, and controls only in the table of entrants. */
export function changesSections(
  report: ChangesReport,
  { gate, controls }: { gate: boolean; controls: ReadonlySet<string> },
): Section[] {
  const { before, after, differences, recovery, problems } = report;
  return [
    section('changes', 'What changed', ...movesBlocks(report.sentence, report.moves)),
    section(
      'rates',
      'Success rates',
      text(
        'From ',
        quote(before),
        ' to ',
        quote(after),
        ': success rates in percent, each task paired with itself, with 95 % intervals. A change is called a regression or an improvement where its interval leaves out 0.',
      ),
      ...changesBlocks(report, controls),
    ),
    ...(recovery === null ? [] : [recoverySection(recovery, controls)]),
    section('differences', 'What else differs', bullets(differences.map(sentence))),
    section(
      'gate',
      gate ? 'Gate' : 'What may be chance',
      unseenText(withoutControls(report, controls)),
      gate ? text(problems.length === 0 ? 'Gate: met.' : `Gate: not met (${problems.length}).`) : null,
    ),
  ];
}

/** Counts the losses that the gate ignores because they may be chance. */
function unseenText({ entrants }: Changes): Block | null {
  const unseen = entrants.flatMap(({ tasks }) =>
    tasks.filter(({ difference, direction }) => difference < 0 && direction !== 'regressed'),
  );
  if (unseen.length === 0) return null;
  return text(
    `${counted(unseen.length, 'task')} passed less often than before, and with so few repetitions that may be chance, which no gate counts. To tell, run both with more (`,
    code('-n'),
    ').',
  );
}

function recoverySection(recovery: Changes, controls: ReadonlySet<string>): Section {
  return section(
    'recovery',
    'Recovery',
    text(
      'The same of episodes in which something was planned to go wrong, each task with its fault paired with itself. Only those count whose fault fired, and whose entrant passed the task clean in the same iteration.',
    ),
    ...changesBlocks(recovery, controls),
  );
}

const ENTRANTS: readonly Column<EntrantChange>[] = [
  { head: 'entrant', words: true, text: entrantText },
  { head: 'before', text: ({ all }) => all && `${all.before.successes} of ${all.before.trials}` },
  { head: 'after', text: ({ all }) => all && `${all.after.successes} of ${all.after.trials}` },
  { head: 'change', text: ({ all }) => all && signedPercent(all.difference) },
  { head: 'interval', text: ({ all }) => all && intervalText(all.interval, signedPercent) },
  { head: 'verdict', words: true, text: verdictText },
];

const TASKS: readonly Column<Entrant & TaskChange>[] = [
  { head: 'task', words: true, text: ({ task }) => quote(cellText(task)) },
  { head: 'entrant', words: true, text: entrantText },
  { head: 'before', text: ({ before }) => `${before.passed} of ${before.episodes}` },
  { head: 'after', text: ({ after }) => `${after.passed} of ${after.episodes}` },
  { head: 'change', text: ({ difference }) => signedPercent(difference) },
  { head: 'interval', text: ({ interval }) => intervalText(interval, signedPercent) },
  { head: 'verdict', words: true, text: ({ direction }) => direction },
];

/** Falls back on the verdict of a single task, as one task has no interval over tasks. */
function verdictText({ all, tasks }: EntrantChange): string {
  if (all === null) return 'nothing to pair';
  if (all.direction !== null) return all.direction;
  const [first, ...others] = tasks;
  return others.length === 0 && first?.direction ? `one task: ${first.direction}` : 'too few tasks to tell';
}

function changesBlocks(changes: Changes, controls: ReadonlySet<string>): Blocks {
  const own = withoutControls(changes, controls);
  return [
    table('Entrants', ENTRANTS, changes.entrants),
    otherEntrants(own),
    ...changedTasks(own),
    ...listUnder('Missing after', own.missing),
    ...listUnder('Not compared', own.other_contract),
  ];
}

/** Explains how to compare two versions of an agent that have two names. */
function otherEntrants({ entrants, only_before: before, only_after: after }: Changes): Block | null {
  if (before.length === 0 || after.length === 0) return null;
  const inBoth = entrants.length - before.length - after.length;
  const title = inBoth === 0 ? 'No entrant is in both' : 'Not every entrant is in both';
  return text(
    `${title}: `,
    listed(before.map((each) => quote(entrantText(each)))),
    ' only before, ',
    listed(after.map((each) => quote(entrantText(each)))),
    ' only after. An agent or a tool server of your own is known by its ',
    code('id'),
    ', an agent without one by the name of its file. To compare two versions, give both the same ',
    code('id'),
    ' in a YAML file, or run both in one campaign under two names.',
  );
}

function changedTasks({ entrants, only_before: before, only_after: after }: Changes): Blocks {
  const changed = entrants.flatMap(({ agent, surface, tasks }) =>
    tasks.filter(({ difference }) => difference !== 0).map((task) => ({ agent, surface, ...task })),
  );
  if (entrants.length === before.length + after.length) return [];
  if (entrants.every(({ tasks }) => tasks.length === 0)) return [text('No task ran in both.')];
  if (changed.length === 0) return [text('No task passes more or less often than before.')];
  return [heading('Tasks that changed'), table('Tasks that changed', TASKS, changed)];
}

function notComparedText({ agent, surface, task, why }: NotCompared): string {
  return `${cellText(task)} by ${agent} through ${surface}: ${why}`;
}

function listUnder(title: string, lines: readonly NotCompared[]): Blocks {
  return lines.length === 0 ? [] : [heading(title), bullets(lines.map((line) => sentence(notComparedText(line))))];
}
