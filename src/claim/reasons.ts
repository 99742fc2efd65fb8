import type { FiguredRow } from './figured-row.ts';
import type { ClaimFacts, Question } from './claim-facts.ts';
import { cellOf, cellText, countOf, distinct, joined, tally } from './group.ts';
import { entrantName, entrantNames, isOf } from './figures.ts';
import { isUnknown, ran } from './honesty.ts';
import { isNotKeptApart, rivalsBeside } from './kept-apart.ts';
import { hasFired, faultyCellOf } from './faulty-rows.ts';
import { manyReruns, unevenReruns } from './reruns.ts';
import { missedSome } from './same-web.ts';
import { hasPassed } from './success.ts';
import { AXES, POLICY } from './policy.ts';
import { versionChanged } from './version-changed.ts';

/** One thing that can stand against a claim: says so in words, or null. */
interface Rule {
  code: string;
  /** Lifts it, as an order. */
  remedy: string;
  against(question: Question, facts: AskedFacts): string | null;
}

/** The facts, with the rows of the entrants in question alone. */
interface AskedFacts extends ClaimFacts {
  /** Those rows that ran. */
  episodes: readonly FiguredRow[];
}

/** Leaves a user nothing to do: what such an agent asks is its own affair. */
const NOT_OF_A_COMMAND = 'of an agent that is a command, or drives the browser itself, it cannot be lifted';

/** Whether a reason can be lifted whoever the agent is. */
export function canBeLifted(code: ReasonCode): boolean {
  return remedyOf(code)?.includes(NOT_OF_A_COMMAND) === false;
}

/** Everything that can stand against a claim; all that do are told. */
export const REASONS = [
  {
    code: 'no_episodes',
    remedy: 'run the campaign',
    against: (_, facts) => (everyRow(facts).some(ran) ? null : 'no episode has run'),
  },
  {
    code: 'harness_mode',
    remedy:
      'measure a model: solutions, transcripts, controls and fakes keep the harness sound, and compete with nobody',
    against: (_, facts) =>
      modesAmong(everyRow(facts), (mode) => POLICY.harness_modes.includes(mode), 'tests the harness itself'),
  },
  {
    code: 'stand_in_mode',
    remedy:
      'run on real applications, or on the web as touchstone record has recorded it, and qualify the suite on that',
    against: (_, facts) =>
      modesAmong(
        everyRow(facts),
        (mode) => !POLICY.harness_modes.includes(mode) && !POLICY.modes.includes(mode),
        'measures a stand-in',
      ),
  },
  {
    code: 'diagnostic_axis',
    remedy: 'rank by whole tasks that were passed',
    against: ({ axis }) => diagnosticAxis(axis),
  },
  {
    code: 'no_fault',
    remedy: 'take tasks that the entrant passes fault-free, and faults that reach it in them',
    against: ({ axis }, { rows }) =>
      axis === 'fault_recovery' && !rows.some(hasFired)
        ? 'no fault fired in a task that was passed without it: every episode is void'
        : null,
  },
  {
    code: 'no_login',
    remedy: 'take a task behind a login that the entrant can pass',
    against: ({ axis }, { rows }) =>
      axis === 'authentication' && !rows.some((row) => row.auth !== undefined && hasPassed(row))
        ? 'no task behind a login was completed'
        : null,
  },
  {
    code: 'not_judged',
    remedy: 'run the campaign again where browser, world and provider hold out',
    against: (_, { episodes, voided }) =>
      counted(
        joined(episodes, voided.filter(isUnknown)),
        (row) => isUnknown(row) || !isJudged(row),
        'there is no final verdict',
      ),
  },
  {
    code: 'other_contracts',
    remedy: 'run all entrants on one version of each task, in one campaign',
    against: (_, { rows }) => otherContracts(rows),
  },
  {
    code: 'cells_missing',
    remedy: 'finish the campaign with touchstone run --resume; install what was unavailable, and run it again',
    against: (question, facts) => missingCells(question, facts),
  },
  {
    code: 'version_unknown',
    remedy: 'use a surface and an app that tell their versions',
    against: (_, { episodes }) =>
      counted(
        episodes,
        (row) => row.surface_version === null || row.app_hash === null,
        'the surface or the app names no version',
      ),
  },
  {
    code: 'version_changed',
    remedy: 'run everything again with one version of each',
    against: (_, { rows }) => versionChanged(rows),
  },
  {
    code: 'browser_not_ours',
    remedy: 'leave out --browser-endpoint',
    against: (_, { episodes }) =>
      counted(episodes, ({ browser }) => browser?.ours !== true, 'Touchstone did not launch the browser'),
  },
  {
    code: 'model_not_pinned',
    remedy: `name a model of which id, temperature and prompt can be pinned; ${NOT_OF_A_COMMAND}, since nobody can pin what model it asks, if any`,
    against: (_, facts) => counted(facts.episodes, (row) => !isModelPinned(row, facts), MODEL),
  },
  {
    code: 'model_not_read',
    remedy: 'ask at an endpoint whose replies name the model',
    against: (_, { episodes }) =>
      counted(episodes, (row) => row.decider === 'model' && row.model_id_returned === null, 'no reply named the model'),
  },
  {
    code: 'not_vendor_endpoint',
    remedy: `ask the model at its provider's own endpoint; ${NOT_OF_A_COMMAND}, since nobody sees whom it asks`,
    against: (_, { episodes }) =>
      counted(episodes, (row) => row.endpoint_kind !== 'provider', "no model was asked at its provider's own endpoint"),
  },
  {
    code: 'budget_not_pinned',
    remedy: 'cap turns, tokens and cost of an episode, in the tasks or in a campaign file',
    against: (_, { episodes }) => uncapped(episodes),
  },
  {
    code: 'agent_not_kept_apart',
    remedy: 'run it where Bubblewrap works; touchstone doctor says whether it does',
    against: (_, { episodes }) =>
      counted(episodes, isNotKeptApart, 'the agent could have reached more than the gateway, as far as is known'),
  },
  {
    code: 'rival_not_kept_apart',
    remedy: 'run them without --workers, or in campaigns of their own',
    against: ({ entrants }, facts) => rivalsBeside(entrants, facts),
  },
  {
    code: 'too_few_repetitions',
    remedy: 'raise --iterations to as many as are needed',
    against: ({ kind }, facts) => tooFewRepetitions(kind, facts),
  },
  {
    code: 'one_sided',
    remedy: 'compare them on tasks that both pass fault-free; add to an archive what an entrant missed in it',
    against: ({ entrants }, facts) => oneSided(entrants, facts),
  },
  {
    code: 'too_few_entrants',
    remedy: 'name two entrants',
    against: ({ kind, entrants }) =>
      kind === 'comparison' && distinct(entrants, entrantName).size < POLICY.least_entrants
        ? `a comparison takes ${POLICY.least_entrants} entrants`
        : null,
  },
  {
    code: 'live_web',
    remedy: 'record the web with touchstone record, qualify the suite on that, and leave out --live-web',
    against: (_, { episodes }) =>
      counted(episodes, isOnLiveWeb, 'pages came from the live web, which changes, and on which no task is proved'),
  },
  {
    code: 'not_qualified',
    remedy: 'prove its tasks with touchstone qualify',
    against: (_, { episodes }) =>
      counted(
        episodes,
        (row) => !isOnLiveWeb(row) && row.qualification_hash === null,
        'no current proof says that the task qualifies',
      ),
  },
  {
    code: 'trivial_task',
    remedy: 'change the task until no control passes it, or leave it out',
    against: (_, { episodes, tasks }) => {
      const trivial = [...distinct(episodes, cellOf)].filter((cell) => tasks.get(cell)?.trivial === true);
      const named = trivial.map((cell) => `${cellText(cell)} (${tasks.get(cell)?.trivial_why ?? 'a control passed'})`);
      return named.length === 0 ? null : `trivial by its proof, not by this run: ${named.join(', ')}`;
    },
  },
  {
    code: 'dom_alone_after_script',
    remedy: 'let the contract rest on what no script in the page can write: app_state or network',
    against: (_, { rows, tasks }) =>
      counted(
        rows,
        (row) => hasPassed(row) && row.script_calls !== 0 && tasks.get(cellOf(row))?.rests_on_dom_alone === true,
        'a script of the entrant could have written what passed into the page',
      ),
  },
  {
    code: 'other_qualification',
    remedy: 'run all entrants on one proof of each task, in one campaign',
    against: (_, { rows }) => otherQualifications(rows),
  },
  {
    code: 'no_clean_commit',
    remedy: 'run it in a clone of Touchstone in which everything is committed',
    against: (_, { pins }) =>
      pins.bench_commit === null || pins.bench_dirty !== false
        ? 'it was not run from a clean commit of Touchstone'
        : null,
  },
  {
    code: 'uneven_reruns',
    remedy: 'run the campaign once, without ending it in between',
    against: ({ kind, entrants }, { episodes }) => (kind === 'comparison' ? unevenReruns(entrants, episodes) : null),
  },
  {
    code: 'many_reruns',
    remedy: 'run the campaign once, without ending it in between',
    against: ({ entrants }, { episodes }) => manyReruns(entrants, episodes),
  },
  {
    code: 'ran_at_once',
    remedy: 'run it with --times: in one piece on one machine, one episode at a time',
    against: ({ axis }, facts) => (axis === 'time_per_success' ? ranAtOnce(facts) : null),
  },
  {
    code: 'small_parts',
    remedy: 'split the plan into as many parts as it has repetitions, or fewer',
    against: (_, { plan }) => smallParts(plan),
  },
  {
    code: 'not_verified',
    remedy: 'verify the bundle with touchstone verify',
    against: (_, { verified }) =>
      verified === null ? 'this view verifies nothing; touchstone verify does, and so does show --claims' : null,
  },
  {
    code: 'does_not_verify',
    remedy:
      'finish it with touchstone run --resume where it was ended early; else let touchstone verify name what was changed, and run it again',
    against: (_, { verified }) => (verified === false ? 'the bundle does not verify' : null),
  },
] as const satisfies readonly Rule[];

export type ReasonCode = (typeof REASONS)[number]['code'];

/** Say what would lift a reason. */
export function remedyOf(wanted: ReasonCode): string | null {
  return REASONS.find(({ code }) => code === wanted)?.remedy ?? null;
}

const MODEL = 'no model decided whose id, temperature and prompt were pinned beforehand';

/** Those that say something, and those that ran and do not. */
function everyRow({ rows, voided, oneSided: others }: ClaimFacts): readonly FiguredRow[] {
  return joined(rows, [...voided.filter(ran), ...others]);
}

/** Count the rows that satisfy a predicate, in words; null when none does. A campaign has more than those of the claim in question. */
function counted(rows: readonly FiguredRow[], is: (row: FiguredRow) => boolean, words: string): string | null {
  const count = countOf(rows, is);
  if (count === 0) return null;
  return `${count === rows.length ? 'in every episode' : `in ${count} of its ${rows.length} episodes`}, ${words}`;
}

/** Name what an episode had no cap of. */
function uncapped(rows: readonly FiguredRow[]): string | null {
  const without = (['turns', 'tokens', 'cost_usd'] as const).filter((what) =>
    rows.some(({ caps }) => caps[what] === null),
  );
  const names = new Intl.ListFormat('en-GB').format(without.map((what) => (what === 'cost_usd' ? 'cost' : what)));
  const lacksOne = ({ caps }: FiguredRow): boolean => without.some((what) => caps[what] === null);
  return counted(rows, lacksOne, `no cap of ${names} was pinned beforehand`);
}

function modesAmong(
  rows: readonly FiguredRow[],
  is: (mode: FiguredRow['mode']) => boolean,
  words: string,
): string | null {
  const modes = [...distinct(rows, ({ mode }) => mode)].filter(is);
  return modes.length === 0 ? null : `mode ${modes.join(', ')} ${words}`;
}

/** Times are of the machine too, and whoever shares it takes longer. */
function ranAtOnce({ episodes, plan: { merged } }: AskedFacts): string | null {
  if (merged !== undefined && merged.parts > 1)
    return `its ${merged.parts} parts may have run on machines unlike one another`;
  return counted(episodes, ({ concurrency }) => concurrency !== undefined, 'other episodes ran at the same time');
}

function diagnosticAxis(axis: Question['axis']): string | null {
  return AXES[axis].role === 'diagnostic'
    ? `${axis.replaceAll('_', ' ')} (axis ${AXES[axis].letter}) explains how tasks were done, and not who does more`
    : null;
}

function isJudged({ goal_verdict: goal, guard_verdict: guard }: FiguredRow): boolean {
  return goal !== null && guard !== null;
}

function otherContracts(rows: readonly FiguredRow[]): string | null {
  const other = unlikeCells(rows, (row) => `${row.task_hash} ${row.contract_hash}`);
  return other.length === 0 ? null : `not everyone had the same task and contract: ${other.map(cellText).join(', ')}`;
}

function missingCells({ entrants }: Question, { episodes, voided, oneSided: others, plan }: AskedFacts): string | null {
  const lacking = entrants.filter((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    return countOf(episodes, isOwn) + countOf(voided, isOwn) + countOf(others, isOwn) < plan.episodes_each;
  });
  if (lacking.length === 0) return null;
  const ofPlan = new Set(plan.entrants.map(entrantName));
  const [whole, parts] = [true, false].map((is) =>
    entrantNames(lacking.filter((each) => ofPlan.has(entrantName(each)) === is)),
  );
  // Who was taken apart by manifest was never planned to run everything.
  return [
    ...(whole === '' ? [] : [`not every planned episode of ${whole} has run`]),
    ...(parts === '' ? [] : [`${parts} has the episodes of one NAC3 manifest alone`]),
  ].join('; ');
}

/** Nothing tells how often a part was run before it was merged, and of small ones a choice gains more. */
function smallParts({ merged }: ClaimFacts['plan']): string | null {
  if (merged === undefined || merged.parts <= merged.iterations) return null;
  const { parts, iterations } = merged;
  const repetitions = iterations === 1 ? 'one repetition' : `${iterations} repetitions`;
  return `merged from ${parts} parts, and planned in ${repetitions}: a part that is less than a repetition could have been run until it came out well`;
}

function isOnLiveWeb({ world_kind: world }: FiguredRow): boolean {
  return world === 'live_web';
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
  const has = fewest === 1 ? '1 repetition' : `${fewest} repetitions`;
  return fewest >= least ? null : `${has} in the cell with the fewest, and ${least} are needed`;
}

/** Who fails clean episodes chooses which faults say something of both, and who goes astray in which both met the same web. */
function oneSided(entrants: Question['entrants'], { rows, oneSided: others }: ClaimFacts): string | null {
  const shares = entrants.map((entrant) => {
    const isOwn = (row: FiguredRow): boolean => isOf(entrant, row);
    const [alone, alike] = [countOf(others, isOwn), countOf(rows, isOwn)];
    return alone === 0 ? 0 : alone / (alone + alike);
  });
  const share = Math.max(0, ...shares);
  if (share <= POLICY.most_one_sided) return null;
  const percent = Math.round(share * 100);
  return others.some(missedSome)
    ? `of the episodes of one of them, ${percent} % say nothing of both: an archive lacked more for one than for the other (off_archive), or the episode is void for the other`
    : `of the episodes under stress that count for one of them, ${percent} % are void for the other`;
}

function otherQualifications(rows: readonly FiguredRow[]): string | null {
  const other = unlikeCells(rows, (row) => row.qualification_hash);
  return other.length === 0 ? null : `qualified in more than one way: ${other.map(cellText).join(', ')}`;
}

/** Cells whose rows have more than one value. */
function unlikeCells(rows: readonly FiguredRow[], valueOf: (row: FiguredRow) => string | null): string[] {
  return [...tally(rows, cellOf, valueOf)].flatMap(([cell, values]) => (values.size > 1 ? [cell] : []));
}
