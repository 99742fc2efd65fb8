import type { AgentChoice } from '../agent/agent-choice.ts';
import { CLOSED_BOOK } from '../agent/kinds/controls.ts';
import { stepsAgent } from '../agent/kinds/reference.ts';
import type { TrialStep } from '../agent/kinds/trial-step.ts';
import type { Row } from '../bundle/row.ts';
import { hashJson } from '../contract/canonical.ts';
import { asksForDownloads, asksForFresh } from '../contract/schema.ts';
import type { Entrants } from '../plan/entrants.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { surfaceOfTrial } from '../plan/possible-pair.ts';
import { surfacesOfApps } from '../plan/surfaces-of-apps.ts';
import { CONTROLS } from '../plan/task-qualification.ts';
import { impossibleCell } from '../run/cell-agents.ts';
import type { Intent, Solution } from '../task/intent.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { Task } from '../task/schema.ts';
import { MADE_ROUTES, madeRoutes } from './made-routes.ts';
import { NEIGHBOURS, perturbationsOf } from './perturbations.ts';

/** Sets how thoroughly tasks are tried. */
export interface TrialSettings {
  /** Passes that the reference needs. */
  repetitions: number;
  /** Perturbed solutions of each task. */
  perturbations: number;
  /** Seeds everything that is drawn at random. */
  seed: number;
}

/** `idle` does nothing once more, which shows what changes by itself. */
export type TrialKind = 'reference' | 'control' | 'idle' | 'route' | 'made' | 'near-miss' | 'perturbed';

export interface TaskTrial {
  /** For example `near-miss-2`. */
  id: string;
  kind: TrialKind;
  agent: string;
  surface: string;
  /** Describes a near-miss or a perturbation. */
  what: string | null;
  /** The steps, or the other input of its agent; null if it has none. */
  does: unknown;
  /** Hash of everything that its evidence depends on, without its contracts. Null for a model, which no hash describes: it is made each time. */
  key: string | null;
}

/** Shared by all trials of a suite. */
export interface Ground {
  suite: LoadedSuite;
  entrants: Entrants;
  surface: string;
  controls: readonly string[];
  settings: TrialSettings;
  /** As returned by `groundHash`. */
  hash: string;
}

/** Two runs of an agent that does nothing. The first is a control. */
const SECOND_NULL = 'null-2';
export const IDLE: readonly string[] = ['null', SECOND_NULL];

const ABOUT: Readonly<Record<TrialKind, string>> = {
  reference: 'solution',
  control: 'control',
  idle: 'second look',
  route: 'further solution',
  made: 'such route',
  'near-miss': 'further near-miss',
  perturbed: 'further perturbation',
};

/** The controls of a suite, and the agents that its trials need and no campaign has. */
export function agentsOf(
  tasks: readonly Task[],
  { closedBook, ...settings }: TrialSettings & { closedBook: AgentChoice | null },
): { agents: AgentChoice[]; controls: readonly string[] } {
  const most = (count: (task: Task) => number): number => Math.max(0, ...tasks.map(count));
  const ids: [id: string, kind: TrialKind][] = [
    ...numbered('reference', 2, settings.repetitions),
    ...numbered(
      'route',
      2,
      most(({ solutions = [] }) => solutions.length),
    ),
    ...MADE_ROUTES.map((id): [string, TrialKind] => [id, 'made']),
    ...numbered(
      'near-miss',
      1,
      most(({ nearMisses = [] }) => nearMisses.length),
    ),
    ...numbered('perturbed', 1, settings.perturbations + NEIGHBOURS),
  ];
  const following = ids.map(([id, kind]) =>
    stepsAgent(
      id,
      ABOUT[kind],
      ({ task, solutionFor }) =>
        followed(task, tasks, settings, solutionFor).find((each) => each.id === id)?.steps ?? null,
      // A near-miss or a route whose step fails proves nothing about the contract.
      ...(kind === 'near-miss' || kind === 'made' ? (['breaks'] as const) : []),
    ),
  );
  const idle = stepsAgent(SECOND_NULL, ABOUT.idle, (): Intent[] => []);
  return {
    agents: [...following, idle, ...(closedBook === null ? [] : [closedBook])],
    controls: closedBook === null ? CONTROLS : [...CONTROLS, closedBook.id],
  };
}

function numbered(kind: TrialKind, from: number, to: number): [id: string, kind: TrialKind][] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => [`${kind}-${index + from}`, kind]);
}

interface Followed {
  id: string;
  kind: TrialKind;
  steps: readonly TrialStep[];
  what: string | null;
}

/** Lists the trials of a task that follow steps: its solutions, its near-misses and perturbations of its solution. */
function followed(
  task: Task,
  tasks: readonly Task[],
  { repetitions, perturbations: count, seed }: TrialSettings,
  solutionFor: Solution['for'] = 'page',
): Followed[] {
  const [first, ...further] = solutionsFor(task, solutionFor);
  const repeated = ['reference', ...numbered('reference', 2, repetitions).map(([id]) => id)];
  const listed = (
    kind: TrialKind,
    from: number,
    all: readonly { what: string | null; steps: readonly TrialStep[] }[],
  ) => all.map((each, index): Followed => ({ id: `${kind}-${index + from}`, kind, ...each }));
  return [
    ...(first === undefined
      ? []
      : repeated.map((id): Followed => ({ id, kind: 'reference', steps: first, what: null }))),
    ...listed(
      'route',
      2,
      further.map((steps) => ({ what: null, steps })),
    ),
    ...(solutionFor === 'page' ? madeRoutes(task) : []).map((each): Followed => ({ kind: 'made', ...each })),
    ...listed(
      'near-miss',
      1,
      (task.nearMisses ?? []).map(({ why, steps }) => ({ what: why, steps })),
    ),
    ...listed('perturbed', 1, perturbationsOf(task, tasks, { seed, count })),
  ];
}

/** Lists the trials of a task that can be made, in the order in which they are judged. */
export function listTrials(planned: PlannedTask, ground: Ground): TaskTrial[] {
  const { suite, entrants, surface, controls, settings, hash } = ground;
  const { task } = planned;
  const acted = actedOn(planned);
  const make = (trial: Omit<TaskTrial, 'key' | 'what'> & { what?: string | null }, named = trial.id): TaskTrial => {
    const { id, does, surface: by } = trial;
    const { version } = entrants.surface(by);
    const key = hashJson({ hash, task: acted, named, does, surface: [by, version] });
    return { what: null, ...trial, key: id === CLOSED_BOOK ? null : key };
  };
  const tasks = suite.tasks.map((each) => each.task);
  const following = followed(task, tasks, settings).map(({ steps, ...each }) =>
    make({ ...each, agent: each.id, surface, does: steps }, KEYS[each.kind] ?? each.id),
  );
  const of = (...kinds: TrialKind[]) => following.filter(({ kind }) => kinds.includes(kind));
  const idle = IDLE.filter((id) => !controls.includes(id));
  const agents = [...controls, ...idle].map((id) => {
    const choice = entrants.agent(id);
    const by = surfaceOfTrial(choice, surface);
    const kind = controls.includes(id) ? 'control' : 'idle';
    return make({ id, kind, agent: id, surface: by, does: choice.dependsOn?.(task) ?? null });
  });
  const [tools] = solutionsFor(task, 'tools');
  const byTools = surfacesOfApps()
    .filter((by) => tools !== undefined && by !== surface)
    .map((by) => make({ id: `reference-${by}`, kind: 'route', agent: 'reference', surface: by, does: tools }));
  const all = [...of('reference'), ...agents, ...of('route'), ...byTools, ...of('made', 'near-miss', 'perturbed')];
  return all.filter((each) => impossibleCell({ ...each, planned }, entrants, suite) === null);
}

/** Names in keys that do not number a trial: its steps alone identify it, and how they are followed. */
const KEYS: Partial<Record<TrialKind, string>> = { 'near-miss': 'near-miss, step by step', perturbed: 'perturbed' };

export function trialOfRow(trials: readonly TaskTrial[], { agent, surface }: Pick<Row, 'agent' | 'surface'>) {
  return trials.find((each) => each.agent === agent && each.surface === surface);
}

function solutionsFor({ solutions = [] }: Task, kind: Solution['for']): Intent[][] {
  return solutions.flatMap((each) => (each.for === kind ? [each.steps] : []));
}

/** Whether an agent follows a solution as it is written, so that each of its steps should succeed. */
export function followsSolution(agent: string): boolean {
  return /^(?:reference|route)(?:-\d+)?$/.test(agent);
}

/** The part of a task that an episode depends on: of its contracts only what has to be captured for them. */
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
    milestones: _m,
    ...rest
  } = task;
  const fresh = asksForFresh(success) || (guards !== undefined && asksForFresh(guards));
  const downloads = [success, guards].some((each) => each !== undefined && asksForDownloads(each));
  return { suite, ...rest, fresh, signIn: signIn ?? null, ...(downloads ? { downloads } : {}) };
}
