import type { Row } from '../bundle/row.ts';
import type { AgentChoice, AgentMaterials } from '../agent/agent-choice.ts';
import { stepsAgent } from '../agent/kinds/reference.ts';
import { surfacesOfApps } from '../plan/surfaces-of-apps.ts';
import type { Plan, PlannedTask } from '../plan/plan.ts';
import { CONTROLS } from '../plan/task-qualification.ts';
import type { Intent } from '../task/intent.ts';
import type { Task } from '../task/schema.ts';
import { perturbationsOf } from './perturbations.ts';
import type { Evidence } from '../contract/evidence.ts';
import { faultAtStart, judgeTask, type TaskJudgement, whyInvalid } from '../contract/judge-task.ts';
import { type Status, statusOf, type Stop } from '../contract/status.ts';
import type { Verdict } from '../contract/verdict.ts';

/** Sets how thoroughly tasks are tried. */
export interface TrialSettings {
  /** Passes that the reference needs. */
  repetitions: number;
  /** Perturbed end states of each task. */
  perturbations: number;
  /** Seeds all that is drawn at random. */
  seed: number;
}

/** Through what tasks are tried, and with what besides. */
export interface FurtherTrials {
  surface: string;
  /** A model without tools; null where none is asked. */
  closedBook: AgentChoice | null;
}

/** The trials of each task; an agent that it has no use for is not applicable. */
export interface Trials {
  agents: readonly AgentChoice[];
  reference: readonly string[];
  /** Two runs in which nothing is done. */
  idle: readonly string[];
  controls: readonly string[];
  routes: readonly string[];
  /** Solutions by the app's own tools, through the surfaces that have them. */
  toolRoutes: readonly ToolRoute[];
  nearMisses: readonly string[];
  perturbed: readonly string[];
}

interface ToolRoute {
  /** Name of the trial. */
  id: string;
  entrant: Plan['entrants'][number];
}

const SECOND_NULL = 'null-2';

/** @param tasks of the whole suite */
export function trialsOf(tasks: readonly Task[], settings: TrialSettings & FurtherTrials): Trials {
  const { closedBook, surface } = settings;
  const most = (count: (task: Task) => number): number => Math.max(0, ...tasks.map(count));
  const repeated = numbered('reference', settings.repetitions - 1, 2).map((id) =>
    stepsAgent(id, 'solution', (materials) => solutionsFor(materials)[0]?.steps ?? null),
  );
  const routes = numbered('route', most(({ solutions = [] }) => solutions.length) - 1, 2).map((id, index) =>
    stepsAgent(id, 'further solution', (materials) => solutionsFor(materials)[index + 1]?.steps ?? null),
  );
  const nearMisses = numbered(
    'near-miss',
    most(({ nearMisses: misses = [] }) => misses.length),
    1,
  ).map((id, index) =>
    // One of whose steps comes to nothing is no near-miss: what fails then is the step, and not the contract's judgement.
    stepsAgent(id, 'further near-miss', ({ task }) => task.nearMisses?.[index]?.steps ?? null, 'breaks'),
  );
  const perturbed = numbered('perturbed', settings.perturbations, 1).map((id, index) =>
    stepsAgent(id, 'further perturbation', ({ task }) => perturbationsFor(task, tasks, settings)[index]?.steps ?? null),
  );
  const idle = stepsAgent(SECOND_NULL, 'second look', (): Intent[] => []);
  return {
    agents: [...repeated, idle, ...routes, ...nearMisses, ...perturbed, ...(closedBook === null ? [] : [closedBook])],
    reference: ['reference', ...repeated.map(({ id }) => id)],
    idle: ['null', SECOND_NULL],
    controls: closedBook === null ? CONTROLS : [...CONTROLS, closedBook.id],
    routes: routes.map(({ id }) => id),
    toolRoutes: toolRoutesOf(tasks, surface),
    nearMisses: nearMisses.map(({ id }) => id),
    perturbed: perturbed.map(({ id }) => id),
  };
}

/** Names a trial. */
export function trialOf({ agent, surface }: Row, { toolRoutes }: Trials): string {
  return toolRoutes.find(({ entrant }) => entrant.agent === agent && entrant.surface === surface)?.id ?? agent;
}

function toolRoutesOf(tasks: readonly Task[], provedThrough: string): ToolRoute[] {
  if (!tasks.some(({ solutions = [] }) => solutions.some((each) => each.for === 'tools'))) return [];
  const surfaces = surfacesOfApps().filter((surface) => surface !== provedThrough);
  return surfaces.map((surface) => ({ id: `reference-${surface}`, entrant: { agent: 'reference', surface } }));
}

/** Whether this agent follows a solution as it is written, so that each of its steps ought to do what it says. */
export function followsSolution(agent: string): boolean {
  return /^(?:reference|route)(?:-\d+)?$/.test(agent);
}

/** The perturbations of a task among those of its suite. */
export function perturbationsFor(task: Task, tasks: readonly Task[], { seed, perturbations }: TrialSettings) {
  return perturbationsOf(task, tasks, { seed, count: perturbations });
}

function solutionsFor({ task, solutionFor }: AgentMaterials) {
  return (task.solutions ?? []).filter((each) => each.for === solutionFor);
}

function numbered(name: string, count: number, from: number): string[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => `${name}-${index + from}`);
}

/** One episode of a trial before it is judged: the reason why it stopped, and what was captured; null where nothing was. */
export interface QualifyingTrial {
  stop: Stop;
  /** Why it stopped, in words; null when there is nothing to add. */
  detail: string | null;
  /** The first step of a solution that failed, in words, although the trial went on. */
  failedStep?: string;
  finalUrl: string | null;
  start: Evidence | null;
  end: Evidence | null;
}

/** The same, judged by the contracts of its task. */
export interface Tried extends QualifyingTrial {
  status: Status;
  /** Null where there is no end to be judged, as is `guard`. */
  goal: Verdict | null;
  guard: Verdict | null;
  /** The state that decided: the end, or the start of a trial that may not begin. */
  judged: TaskJudgement | null;
  /** The start, where it was captured. */
  judgedStart?: TaskJudgement | null;
}

/** Judges a trial by the contracts that its task has now, as an episode of it would be: one that may not begin has no end. */
export function judgeTrial(
  { task, screenshot_classes: screenshotClasses }: PlannedTask,
  trial: QualifyingTrial,
): Tried {
  const judged = (evidence: Evidence) => judgeTask(task, evidence, { screenshotClasses });
  const start = trial.start === null ? null : judged(trial.start);
  if (start !== null && faultAtStart(start) !== null) {
    const detail = whyInvalid(start);
    const none = { end: null, goal: null, guard: null };
    return { ...trial, stop: 'invalid_task', status: 'invalid_task', detail, ...none, judged: start };
  }
  const end = trial.end === null ? null : judged(trial.end);
  const { goal, guard } = end ?? { goal: null, guard: null };
  return { ...trial, status: statusOf(trial.stop, { goal, guard }), goal, guard, judged: end, judgedStart: start };
}
