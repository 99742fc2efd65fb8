import { hashJson } from '../contract/canonical.ts';
import { asksForFresh } from '../contract/schema.ts';
import { CLOSED_BOOK } from '../agent/kinds/controls.ts';
import type { Entrants } from '../plan/entrants.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { surfaceOfTrial } from '../plan/possible-pair.ts';
import { impossibleCell } from '../run/cell-agents.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { Solution } from '../task/intent.ts';
import type { Task } from '../task/schema.ts';
import type { Perturbation } from './perturbations.ts';
import type { Trials } from './trials.ts';

/** A trial that a task needs. */
export interface ListedTrial {
  /** The name of the trial, for example `near-miss-2`. */
  id: string;
  agent: string;
  surface: string;
  /** The steps that are followed, or whatever else an agent goes by; null of one that looks into no solution. */
  does: unknown;
  /** Names all that its evidence rests on, and nothing of how it is judged. Null: it is made each time, as no hash says what a model does. */
  key: string | null;
}

/** Shared by all trials of a suite. */
export interface Ground {
  suite: LoadedSuite;
  entrants: Entrants;
  trials: Trials;
  surface: string;
  /** As returned by `groundHash`. */
  hash: string;
}

/** All trials of a task that can be made, in the order in which they are judged. */
export function listTrials(
  planned: PlannedTask,
  perturbations: readonly Perturbation[],
  { suite, entrants, trials, surface, hash }: Ground,
): ListedTrial[] {
  const { task } = planned;
  const acted = actedOn(planned);
  const listed = (id: string, does: unknown, { named = id, agent = id, by = surface } = {}): ListedTrial => {
    const { version } = entrants.surface(by);
    const key = hashJson({ hash, task: acted, named, does, surface: [by, version] });
    return { id, agent, surface: by, does, key: id === CLOSED_BOOK ? null : key };
  };
  const pages = solutionsFor(task, 'page').map(({ steps }) => steps);
  const [tools] = solutionsFor(task, 'tools').map(({ steps }) => steps);
  const [first, ...further] = pages;
  const idle = trials.idle.filter((id) => !trials.controls.includes(id));
  const misses = (task.nearMisses ?? []).map(({ steps }) => steps);
  const all: ListedTrial[] = [
    ...(first === undefined ? [] : trials.reference.map((id) => listed(id, first))),
    ...[...trials.controls, ...idle].map((id) => {
      const choice = entrants.agent(id);
      return listed(id, choice.goesBy?.(task) ?? null, { by: surfaceOfTrial(choice, surface) });
    }),
    ...numbered(trials.routes, further).map(({ id, does }) => listed(id, does)),
    ...(tools === undefined
      ? []
      : trials.toolRoutes.map(({ id, entrant }) => listed(id, tools, { agent: entrant.agent, by: entrant.surface }))),
    // By their steps alone: another one before them gives them another number, and nothing else. The name says how they are
    // followed: one that went on after a step that failed proves nothing.
    ...numbered(trials.nearMisses, misses).map(({ id, does }) =>
      listed(id, does, { named: 'near-miss, step by step' }),
    ),
    ...numbered(
      trials.perturbed,
      perturbations.map(({ steps }) => steps),
    ).map(({ id, does }) => listed(id, does, { named: 'perturbed' })),
  ];
  return all.filter((each) => impossibleCell({ ...each, planned }, entrants, suite) === null);
}

function solutionsFor({ solutions = [] }: Task, kind: Solution['for']): Solution[] {
  return solutions.filter((each) => each.for === kind);
}

/** Pairs each id with what its trial follows. */
function numbered<T>(ids: readonly string[], all: readonly T[]): { id: string; does: T }[] {
  return all.flatMap((does, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ id, does }];
  });
}

/** The part of a task that an episode rests on: of its contracts only what has to be captured for them, and nothing that agents are given beside it. */
function actedOn({ suite, task, sign_in: signIn }: PlannedTask): unknown {
  const {
    success,
    guards,
    solutions: _s,
    nearMisses: _n,
    tags: _t,
    category: _c,
    kinds: _k,
    faults: _f,
    ...rest
  } = task;
  const fresh = asksForFresh(success) || (guards !== undefined && asksForFresh(guards));
  return { suite, ...rest, fresh, signIn: signIn ?? null };
}
