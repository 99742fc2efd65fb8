import type { FiguredRow } from './figured-row.ts';
import type { ClaimFacts, Question } from './claim-facts.ts';
import { cellOf, countOf, distinct, joined, tally } from './group.ts';
import { type Entrant, entrantName, isOf } from './figures.ts';
import { isUnknown, ran } from './honesty.ts';
import { whyDiagnostic } from './kept-apart.ts';
import { hasFired, faultyCellOf } from './faulty-rows.ts';
import { hasPassed } from './success.ts';
import { AXES, POLICY } from './policy.ts';
import { versionChanged } from './version-changed.ts';

/** One thing that can stand against a claim: says so in words, or null. */
interface Rule {
  code: string;
  against(question: Question, facts: AskedFacts): string | null;
}

/** The facts, with the rows of the entrants in question alone. */
interface AskedFacts extends ClaimFacts {
  /** Those rows that ran. */
  episodes: readonly FiguredRow[];
}

/** Everything that can stand against a claim; all that do are told. */
export const REASONS = [
  {
    code: 'no_episodes',
    against: (_, facts) => (everyRow(facts).some(ran) ? null : 'no episode has run'),
  },
  {
    code: 'harness_mode',
    against: (_, facts) =>
      modesAmong(everyRow(facts), (mode) => POLICY.harness_modes.includes(mode), 'of the harness itself'),
  },
  {
    code: 'stand_in_mode',
    against: (_, facts) =>
      modesAmong(
        everyRow(facts),
        (mode) => !POLICY.harness_modes.includes(mode) && !POLICY.modes.includes(mode),
        'of a stand-in',
      ),
  },
  { code: 'diagnostic_axis', against: ({ axis }) => diagnosticAxis(axis) },
  {
    code: 'no_fault',
    against: ({ axis }, { rows }) =>
      axis === 'fault_recovery' && !rows.some(hasFired)
        ? 'no fault fired in a task that was passed without it: every episode is void'
        : null,
  },
  {
    code: 'no_login',
    against: ({ axis }, { rows }) =>
      axis === 'authentication' && !rows.some((row) => row.auth !== undefined && hasPassed(row))
        ? 'no task behind a login was completed'
        : null,
  },
  {
    code: 'not_judged',
    against: (_, { episodes, voided }) =>
      counted(
        joined(episodes, voided.filter(isUnknown)),
        (row) => isUnknown(row) || !isJudged(row),
        'has no final verdict',
      ),
  },
  { code: 'other_contracts', against: (_, { rows }) => otherContracts(rows) },
  { code: 'cells_missing', against: (question, facts) => missingCells(question, facts) },
  {
    code: 'version_unknown',
    against: (_, { episodes }) =>
      counted(
        episodes,
        (row) => row.surface_version === null || row.app_hash === null,
        'names no version of surface or app',
      ),
  },
  { code: 'version_changed', against: (_, { rows }) => versionChanged(rows) },
  {
    code: 'browser_not_ours',
    against: (_, { episodes }) =>
      counted(episodes, ({ browser }) => browser?.ours !== true, 'ran in a browser that Touchstone did not launch'),
  },
  {
    code: 'model_not_pinned',
    against: (_, facts) => counted(facts.episodes, (row) => !isModelPinned(row, facts), MODEL),
  },
  {
    code: 'model_not_read',
    against: (_, { episodes }) =>
      counted(
        episodes,
        (row) => row.decider === 'model' && row.model_id_returned === null,
        'has no reply that names its model',
      ),
  },
  {
    code: 'not_vendor_endpoint',
    against: (_, { episodes }) =>
      counted(
        episodes,
        (row) => row.endpoint_kind !== 'provider',
        "was not decided at a model provider's own endpoint",
      ),
  },
  {
    code: 'budget_not_pinned',
    against: (_, { episodes }) =>
      counted(episodes, ({ caps }) => caps.turns === null || caps.tokens === null || caps.cost_usd === null, BUDGET),
  },
  {
    code: 'agent_not_kept_apart',
    against: (_, { episodes }) =>
      counted(episodes, isNotKeptApart, 'is of an agent that could reach more than the gateway, as far as is known'),
  },
  { code: 'too_few_repetitions', against: ({ kind }, facts) => tooFewRepetitions(kind, facts) },
  { code: 'one_sided', against: ({ entrants }, facts) => oneSided(entrants, facts) },
  {
    code: 'too_few_entrants',
    against: ({ kind, entrants }) =>
      kind === 'comparison' && distinct(entrants, entrantName).size < POLICY.least_entrants
        ? `a comparison takes ${POLICY.least_entrants} entrants`
        : null,
  },
  {
    code: 'not_qualified',
    against: (_, { episodes }) =>
      counted(
        episodes,
        (row) => row.qualification_hash === null,
        'is of a task without a current proof of qualification',
      ),
  },
  {
    code: 'trivial_task',
    against: (_, { episodes, tasks }) => {
      const trivial = [...distinct(episodes, cellOf)].filter((cell) => tasks.get(cell)?.trivial === true);
      return trivial.length === 0 ? null : `passed by a control, and so trivial: ${trivial.join(', ')}`;
    },
  },
  {
    code: 'dom_alone_after_script',
    against: (_, { rows, tasks }) =>
      counted(
        rows,
        (row) => hasPassed(row) && row.script_calls !== 0 && tasks.get(cellOf(row))?.rests_on_dom_alone === true,
        'passed by what a script of the entrant could have written into the page',
      ),
  },
  { code: 'other_qualification', against: (_, { rows }) => otherQualifications(rows) },
  {
    code: 'no_clean_commit',
    against: (_, { pins }) =>
      pins.bench_commit === null || pins.bench_dirty !== false
        ? 'it was not run from a clean commit of Touchstone'
        : null,
  },
  {
    code: 'uneven_reruns',
    against: ({ kind, entrants }, { episodes }) => (kind === 'comparison' ? unevenReruns(entrants, episodes) : null),
  },
  { code: 'many_reruns', against: ({ entrants }, { episodes }) => manyReruns(entrants, episodes) },
  { code: 'not_verified', against: (_, { verified }) => (verified === null ? 'the bundle was not verified' : null) },
  { code: 'does_not_verify', against: (_, { verified }) => (verified === false ? 'the bundle does not verify' : null) },
] as const satisfies readonly Rule[];

export type ReasonCode = (typeof REASONS)[number]['code'];

const MODEL = 'is not of a model whose id, temperature and prompt were pinned before it was asked';
const BUDGET = 'has no cap on turns, tokens or cost that was pinned before';

/** Those that say something, and those that ran and do not. */
function everyRow({ rows, voided, oneSided: others }: ClaimFacts): readonly FiguredRow[] {
  return joined(rows, [...voided.filter(ran), ...others]);
}

/** Count the rows that satisfy a predicate, in words; null when none does. */
function counted(rows: readonly FiguredRow[], is: (row: FiguredRow) => boolean, words: string): string | null {
  const count = countOf(rows, is);
  return count === 0 ? null : `${count} of ${rows.length} episodes: ${words}`;
}

function modesAmong(
  rows: readonly FiguredRow[],
  is: (mode: FiguredRow['mode']) => boolean,
  words: string,
): string | null {
  const modes = [...distinct(rows, ({ mode }) => mode)].filter(is);
  return modes.length === 0 ? null : `mode ${modes.join(', ')} is ${words}`;
}

function diagnosticAxis(axis: Question['axis']): string | null {
  return AXES[axis].role === 'diagnostic'
    ? `axis ${AXES[axis].letter} explains how tasks were done, and not who does more`
    : null;
}

function isJudged({ goal_verdict: goal, guard_verdict: guard }: FiguredRow): boolean {
  return goal !== null && guard !== null;
}

function otherContracts(rows: readonly FiguredRow[]): string | null {
  const other = unlikeCells(rows, (row) => `${row.task_hash} ${row.contract_hash}`);
  return other.length === 0 ? null : `not everyone had the same task and contract: ${other.join(', ')}`;
}

function missingCells({ entrants }: Question, { episodes, voided, oneSided: others, plan }: AskedFacts): string | null {
  const lacking = entrants.filter((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    return countOf(episodes, isOwn) + countOf(voided, isOwn) + countOf(others, isOwn) < plan.episodes_each;
  });
  if (lacking.length === 0) return null;
  const ofPlan = new Set(plan.entrants.map(entrantName));
  const [whole, parts] = [true, false].map((is) =>
    namesOf(lacking.filter((each) => ofPlan.has(entrantName(each)) === is)),
  );
  // Who was taken apart by manifest was never planned to run everything.
  return [
    ...(whole === '' ? [] : [`not every planned episode of ${whole} has run`]),
    ...(parts === '' ? [] : [`${parts} has the episodes of one NAC3 manifest alone`]),
  ].join('; ');
}

function namesOf(entrants: readonly Entrant[]): string {
  return entrants.map(({ agent, surface }) => `${agent}/${surface}`).join(', ');
}

/** Isolation that the events leave out is not known to have held. */
function isNotKeptApart({ decider, process_isolation: isolation }: FiguredRow): boolean {
  return isolation === null ? decider === 'process' : whyDiagnostic(isolation) !== null;
}

function isModelPinned(row: FiguredRow, { pins }: ClaimFacts): boolean {
  const pin = Object.hasOwn(pins.models, row.agent) ? pins.models[row.agent] : undefined;
  if (pin === undefined || row.decider !== 'model') return false;
  return row.model_id === pin.model_id && row.temperature === pin.temperature && row.prompt_hash === pin.prompt_hash;
}

function tooFewRepetitions(kind: Question['kind'], { rows, episodes, voided, tasks }: AskedFacts): string | null {
  const ofSuites = [...distinct(rows, cellOf)].map((cell) => tasks.get(cell)?.least_repetitions ?? 0);
  const least = Math.max(POLICY.least_repetitions[kind === 'per_task' ? 'per_task' : 'aggregate'], ...ofSuites);
  const cells = new Map<string, number>();
  const repeat = (row: FiguredRow, times: 0 | 1): void => {
    const cell = `${entrantName(row)} ${faultyCellOf(row)}`;
    cells.set(cell, (cells.get(cell) ?? 0) + times);
  };
  for (const row of episodes) repeat(row, 1);
  // In a pair, tasks that fall away for one are one-sided. For one alone, a task that is never passed fault-free is one without repetitions.
  if (kind !== 'comparison') for (const row of voided.filter(hasFired)) repeat(row, 0);
  const fewest = cells.size === 0 ? 0 : Math.min(...cells.values());
  return fewest >= least ? null : `${fewest} repetitions in the cell with the fewest, and ${least} are needed`;
}

/** Who fails clean episodes chooses which faults say something of both. */
function oneSided(entrants: Question['entrants'], { rows, oneSided: others }: ClaimFacts): string | null {
  const shares = entrants.map((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    const [alone, alike] = [countOf(others, isOwn), countOf(rows, isOwn)];
    return alone === 0 ? 0 : alone / (alone + alike);
  });
  const share = Math.max(0, ...shares);
  if (share <= POLICY.most_one_sided) return null;
  return `of the episodes under stress that count for one of them, ${Math.round(share * 100)} % are void for the other`;
}

function otherQualifications(rows: readonly FiguredRow[]): string | null {
  const other = unlikeCells(rows, (row) => row.qualification_hash);
  return other.length === 0 ? null : `qualified in more than one way: ${other.join(', ')}`;
}

/** Cells whose rows have more than one value. */
function unlikeCells(rows: readonly FiguredRow[], valueOf: (row: FiguredRow) => string | null): string[] {
  return [...tally(rows, cellOf, valueOf)].flatMap(([cell, values]) => (values.size > 1 ? [cell] : []));
}

interface Reruns {
  /** `3 of 200 of agent/surface`. */
  text: string;
  share: number;
}

/** Count, for each entrant, the episodes that were attempted again. */
function rerunsOf(entrants: Question['entrants'], episodes: readonly FiguredRow[]): Reruns[] {
  return entrants.map((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    const own = countOf(episodes, isOwn);
    const again = countOf(episodes, (row) => row.attempt > 1 && isOwn(row));
    return { text: `${again} of ${own} of ${namesOf([entrant])}`, share: own === 0 ? 0 : again / own };
  });
}

function unevenReruns(entrants: Question['entrants'], episodes: readonly FiguredRow[]): string | null {
  const reruns = rerunsOf(entrants, episodes);
  const shares = reruns.map(({ share }) => share);
  const gap = Math.max(0, ...shares) - Math.min(1, ...shares);
  if (gap <= POLICY.most_rerun_gap) return null;
  const each = reruns.map(({ text }) => text).join(', ');
  return `the share of episodes that were attempted again differs by ${Math.round(gap * 100)} points between entrants: ${each}`;
}

/** Who ends a campaign where an entrant loses, and resumes it, throws the dice again. */
function manyReruns(entrants: Question['entrants'], episodes: readonly FiguredRow[]): string | null {
  const many = rerunsOf(entrants, episodes).filter(({ share }) => share > POLICY.most_reruns);
  if (many.length === 0) return null;
  const each = many.map(({ text }) => text).join(', ');
  return `more than ${Math.round(POLICY.most_reruns * 100)} % of the episodes were attempted again: ${each}`;
}
