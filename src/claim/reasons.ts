import type { Fact } from '../messages/message.ts';
import type { REASONS } from '../messages/reasons.ts';
import type { ParamsOf } from '../messages/template.ts';
import type { Question } from './claim-facts.ts';
import { hasFired } from './faulty-rows.ts';
import { entrantName, namesOf } from './figures.ts';
import { cellOf, cellText, distinct, joined } from './group.ts';
import { isUnknown, ran } from './honesty.ts';
import { isBrowserNotKeptApart, isNotKeptApart, rivalsOf } from './kept-apart.ts';
import { POLICY } from './policy.ts';
import {
  type AskedFacts,
  everyRow,
  countWhere,
  uncapped,
  modesAmong,
  ranAtOnce,
  diagnosticAxis,
  isJudged,
  missingCells,
  smallParts,
  isOnLiveWeb,
  isModelPinned,
  tooFewRepetitions,
  oneSided,
  tasksWithSeveral,
  manyReruns,
  unevenReruns,
  versionChanged,
} from './reason-params.ts';
import { hasPassed } from './success.ts';

export type ReasonCode = keyof typeof REASONS;

interface Rule {
  code: ReasonCode;
  /** Returns the parameters of the reason; null if it does not apply. */
  against: (question: Question, facts: AskedFacts) => Fact['params'] | null;
}

/** Types a rule's parameters as those of its message. */
function rule<C extends ReasonCode>(
  code: C,
  against: (question: Question, facts: AskedFacts) => ParamsOf<(typeof REASONS)[C]> | null,
): Rule {
  return { code, against };
}

/** Can be lifted only for agents whose model calls go through Touchstone. */
const ONLY_FOR_OUR_AGENTS: ReadonlySet<ReasonCode> = new Set(['model_not_pinned', 'not_vendor_endpoint']);

export function canBeLifted(code: ReasonCode): boolean {
  return !ONLY_FOR_OUR_AGENTS.has(code);
}

/** Everything that can prevent a claim, the most important first. */
export const CLAIM_RULES: readonly Rule[] = [
  rule('no_episodes', (_, facts) => (everyRow(facts).some(ran) ? null : {})),
  rule('harness_mode', (_, facts) => modesAmong(everyRow(facts), (mode) => POLICY.harness_modes.includes(mode))),
  rule('stand_in_mode', (_, facts) =>
    modesAmong(everyRow(facts), (mode) => !POLICY.harness_modes.includes(mode) && !POLICY.modes.includes(mode)),
  ),
  rule('diagnostic_axis', ({ axis }) => diagnosticAxis(axis)),
  rule('no_fault', ({ axis }, { rows }) => (axis === 'fault_recovery' && !rows.some(hasFired) ? {} : null)),
  rule('no_login', ({ axis }, { rows }) =>
    axis === 'authentication' && !rows.some((row) => row.auth !== undefined && hasPassed(row)) ? {} : null,
  ),
  rule('not_judged', (_, { episodes, voided }) =>
    countWhere(joined(episodes, voided.filter(isUnknown)), (row) => isUnknown(row) || !isJudged(row)),
  ),
  rule('other_contracts', (_, { rows }) => tasksWithSeveral(rows, (row) => `${row.task_hash} ${row.contract_hash}`)),
  // No earlier plan could be watched, so version 8 decides as it did.
  rule('watched', (_, { plan }) => (plan.watched === true ? {} : null)),
  rule('cells_missing', missingCells),
  rule('version_unknown', (_, { episodes }) =>
    countWhere(episodes, (row) => row.surface_version === null || row.app_hash === null),
  ),
  rule('version_changed', (_, { rows }) => versionChanged(rows)),
  rule('browser_not_ours', (_, { episodes }) => countWhere(episodes, ({ browser }) => browser?.ours !== true)),
  rule('model_not_pinned', (_, facts) => countWhere(facts.episodes, (row) => !isModelPinned(row, facts))),
  rule('model_not_read', (_, { episodes }) =>
    countWhere(episodes, (row) => row.decider === 'model' && row.model_id_returned === null),
  ),
  rule('not_vendor_endpoint', (_, { episodes }) => countWhere(episodes, (row) => row.endpoint_kind !== 'provider')),
  rule('budget_not_pinned', (_, { episodes }) => uncapped(episodes)),
  rule('agent_not_kept_apart', (_, { episodes }) => countWhere(episodes, isNotKeptApart)),
  rule('browser_not_kept_apart', (_, { episodes }) => countWhere(episodes, isBrowserNotKeptApart)),
  rule('rival_not_kept_apart', ({ entrants }, facts) => {
    const rivals = rivalsOf(entrants, facts);
    return rivals.length === 0 ? null : { rivals: namesOf(rivals) };
  }),
  rule('too_few_repetitions', ({ kind }, facts) => tooFewRepetitions(kind, facts)),
  rule('one_sided', ({ entrants }, facts) => oneSided(entrants, facts)),
  rule('too_few_entrants', ({ kind, entrants }) =>
    kind === 'comparison' && distinct(entrants, entrantName).size < POLICY.least_entrants
      ? { least: POLICY.least_entrants }
      : null,
  ),
  rule('live_web', (_, { episodes }) => countWhere(episodes, isOnLiveWeb)),
  rule('not_qualified', (_, { episodes }) =>
    countWhere(episodes, (row) => !isOnLiveWeb(row) && row.qualification_hash === null),
  ),
  rule('trivial_task', (_, { episodes, tasks }) => {
    const trivial = [...distinct(episodes, cellOf)].flatMap((cell) => {
      const controls = tasks.get(cell)?.trivial_by ?? [];
      return controls.length === 0 ? [] : [`${cellText(cell)} (${controls.join(', ')})`];
    });
    return trivial.length === 0 ? null : { tasks: trivial };
  }),
  // No earlier campaign pinned how much its proofs tried, so version 8 decides as it did.
  rule('thin_proof', (_, { episodes, tasks }) => {
    const thin = [...distinct(episodes, cellOf)].filter((cell) => tasks.get(cell)?.is_thin === true);
    return thin.length === 0 ? null : { tasks: thin.map(cellText) };
  }),
  rule('dom_alone_after_script', (_, { rows, tasks }) =>
    countWhere(
      rows,
      (row) => hasPassed(row) && row.script_calls !== 0 && tasks.get(cellOf(row))?.rests_on_dom_alone === true,
    ),
  ),
  rule('other_qualification', (_, { rows }) => tasksWithSeveral(rows, (row) => row.qualification_hash)),
  rule('no_clean_commit', (_, { pins }) => (pins.bench_commit === null || pins.bench_dirty !== false ? {} : null)),
  rule('uneven_reruns', ({ kind, entrants }, { episodes }) =>
    kind === 'comparison' ? unevenReruns(entrants, episodes) : null,
  ),
  rule('many_reruns', ({ entrants }, { episodes }) => manyReruns(entrants, episodes)),
  rule('ran_at_once', ({ axis }, facts) => (axis === 'time_per_success' ? ranAtOnce(facts) : null)),
  rule('small_parts', (_, { plan }) => smallParts(plan)),
  rule('not_verified', (_, { verified }) => (verified === null ? {} : null)),
  rule('does_not_verify', (_, { verified }) => (verified === false ? {} : null)),
];
