import { mainLine, shortened } from '../../messages/printable.ts';
import { type Intent, isElementStep, rolesOf } from '../../task/intent.ts';
import { elementsOf } from '../../task/snapshot-text.ts';
import type { ToolReply } from '../../task/tool.ts';
import { fact } from '../../messages/messages.ts';
import { type Agent, AgentError, type Move } from '../agent.ts';
import type { AgentChoice, AgentMaterials } from '../agent-choice.ts';
import { isErrorStatus } from './reply-texts.ts';
import { Settling } from './settling.ts';
import { describeMade, isMade, madeFrom, type TrialStep } from './trial-step.ts';

/** An agent that breaks at a failed step proves every step by its end. */
type AfterFailure = 'goes_on' | 'breaks';

/**
 * Follows a solution, step by step, through any surface; its end counts as done. If a surface has to be looked at first, it looks once: what
 * is not there then fails.
 */
export function referenceAgent(id: string, steps: readonly TrialStep[], afterFailure: AfterFailure = 'goes_on'): Agent {
  return {
    id,
    decider: 'reference',
    open: async (seat) => {
      let position = 0;
      let looked = false;
      /** The step that the last call was for, counted from 1. */
      let called = 0;
      let made = 0;
      const settling = new Settling();
      const next = async (last: ToolReply | null, signal: AbortSignal): Promise<Move> => {
        if (afterFailure === 'breaks' && last?.ok === false && !mayBeDone(steps[called - 1], last))
          throw stepFailed(called, last);
        for (;;) {
          const step = steps[position];
          called = position + 1;
          const taken = isMade(step) ? madeFrom(step, last, made) : null;
          const isMissing = isMade(step) && taken === null;
          if (isMissing && looked) throw new AgentError(fact('step_not_bound', describeMade(step)));
          const intent = isMade(step) ? (taken?.intent ?? LOOK) : step;
          if (isEnd(intent)) return doneBy(intent);
          const binding = intent.do === 'settle' ? null : await seat.bind(intent, last);
          const cannotWait = intent.do === 'wait_for' && binding?.kind === 'impossible' && binding.unbound === true;
          // A surface that cannot wait is looked at again.
          if (binding === null || cannotWait) {
            const text = intent.do === 'wait_for' ? intent.text : null;
            const settled = await settling.next(text, last, seat, signal);
            if (settled !== 'settled' && 'why' in settled) throw cannotBind(intent, settled.why);
            if (settled !== 'settled') return { kind: 'call', call: settled.look, writtenStep: called };
            position += 1;
            continue;
          }
          if (binding.kind === 'impossible') throw cannotBind(intent, binding.why);
          if (binding.kind === 'observe' && looked) throw cannotBind(intent, notShown(intent, last));
          const isDone = binding.kind === 'call' && !isMissing && taken?.hasMore !== true;
          made = isDone ? 0 : made + 1;
          if (isDone) position += 1;
          looked = isMissing || binding.kind === 'observe' || (binding.kind === 'begin' && looked);
          return { kind: 'call', call: binding.call, writtenStep: called };
        }
      };
      return { next };
    },
  };
}

const LOOK: Intent = { do: 'read' };

type End = Extract<Intent, { do: 'answer' | 'not_possible' }> | undefined;

/** Whether an agent is done at a step: at its answer, or after the last. */
export function isEnd(step: Intent | undefined): step is End {
  return step === undefined || step.do === 'answer' || step.do === 'not_possible';
}

export function doneBy(step: End): Move {
  if (step === undefined) return { kind: 'done', answer: null };
  return { kind: 'done', answer: step.do === 'answer' ? { value: step.value } : { not_possible: true } };
}

export const referenceKind = followingSolution('reference', "follows the task's own solution", referenceAgent);

/** An agent of ours that follows the task's solution in its own way. */
export function followingSolution(
  id: string,
  about: string,
  following: (id: string, steps: readonly Intent[]) => Agent,
): AgentChoice {
  return choiceOf({ id, about, decider: 'reference' }, ({ task, solutionFor, surface, lacksSteps }) => {
    const solution = task.solutions?.find((each) => each.for === solutionFor);
    const why = solutionFor === 'page' ? 'page surfaces' : "the app's own tools";
    if (solution === undefined) return `the task has no solution for ${why}`;
    const lacked = solution.steps.map(callNeeded).find((step) => step !== 'wait_for' && lacksSteps.includes(step));
    return lacked === undefined ? following(id, solution.steps) : `${surface} has no call for the step "${lacked}"`;
  });
}

function callNeeded(step: Intent): string {
  return step.do === 'dialog' ? step.action : step.do;
}

/** Follows other steps than the task's solution. @param stepsOf null if the task has none of the kind */
export function stepsAgent(
  id: string,
  about: string,
  stepsOf: (materials: AgentMaterials) => readonly TrialStep[] | null,
  afterFailure: AfterFailure = 'goes_on',
): AgentChoice {
  return choiceOf({ id, about, decider: 'control' }, (materials) => {
    const steps = stepsOf(materials);
    return steps === null ? `the task has no ${about}` : referenceAgent(id, steps, afterFailure);
  });
}

/** @param made returns the agent for a cell, or why there is none */
function choiceOf(
  choice: Pick<AgentChoice, 'id' | 'about' | 'decider'>,
  made: (materials: AgentMaterials) => Agent | string,
): AgentChoice {
  return {
    ...choice,
    followsSteps: true,
    forCell: (materials) => {
      const agent = made(materials);
      return Promise.resolve(typeof agent === 'string' ? { notApplicable: agent } : { agent, transcript: null });
    },
  };
}

const OFFERED = { names: 6, characters: 60 };

/** Names the elements of the kind that are there, if the surface lists elements by name. */
function notShown(intent: Intent, last: ToolReply | null): string {
  const why = 'the surface does not show it';
  if (!isElementStep(intent) || last?.kind !== 'snapshot') return why;
  const roles = rolesOf(intent);
  const named = elementsOf(last.text).filter(({ role, name }) => name !== '' && roles.includes(role));
  const names = [...new Set(named.map(({ name }) => JSON.stringify(name.slice(0, OFFERED.characters))))];
  if (names.length === 0) return why;
  const more = names.length > OFFERED.names ? ` and ${names.length - OFFERED.names} more` : '';
  return `${why}; of its kind it shows ${names.slice(0, OFFERED.names).join(', ')}${more}`;
}

/** Whether a step may be done although its call failed: an address was requested, or a look is repeated until the page settles. */
function mayBeDone(step: TrialStep | undefined, reply: ToolReply): boolean {
  return step?.do === 'settle' || (step?.do === 'go' && isErrorStatus(reply));
}

/** Apps and pages write parts of the reason. */
const MAX_WHY = 600;

function stepFailed(step: number, { text, kind }: ToolReply): AgentError {
  const why = shortened(mainLine(text), MAX_WHY);
  return new AgentError(fact('step_failed', { step, why: why || kind }));
}

function cannotBind(intent: Intent, why: string): AgentError {
  return new AgentError(fact('step_not_bound', { step: intentText(intent), why }));
}

/** Returns a step as its author wrote it: `wait_for "Signed in"`. */
export function intentText(intent: Intent): string {
  const { do: verb, ...rest } = intent;
  return `${verb} ${Object.values(rest)
    .map((value) => JSON.stringify(value))
    .join(' ')}`.trimEnd();
}
