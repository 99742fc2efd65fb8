import { shortened } from '../../messages/printable.ts';
import { type Intent, isElementStep } from '../../task/intent.ts';
import { elementsOf } from '../../task/snapshot-text.ts';
import type { ToolReply } from '../../task/tool.ts';
import { fact } from '../../messages/messages.ts';
import { type Agent, AgentError, type AgentSeat, type Move } from '../agent.ts';
import type { AgentChoice, AgentMaterials } from '../agent-choice.ts';
import { isErrorStatus } from './reply-texts.ts';
import { type SettlingStep, Settling } from './settling.ts';

/** An agent that breaks at a failed step proves every step by its end. */
type AfterFailure = 'goes_on' | 'breaks';

/**
 * Follows a solution, step by step, through any surface; its end counts as done. If a surface has to be looked at first, it looks once: what
 * is not there then fails.
 */
export function referenceAgent(id: string, steps: readonly Intent[], afterFailure: AfterFailure = 'goes_on'): Agent {
  return {
    id,
    decider: 'reference',
    open: async (seat) => {
      let position = 0;
      let looked = false;
      /** The step that the last call was for, counted from 1. */
      let called = 0;
      const settling = new Settling();
      return {
        next: async (last, signal) => {
          if (afterFailure === 'breaks' && last?.ok === false && !mayBeDone(steps[called - 1], last))
            throw stepFailed(called, last);
          for (;;) {
            const intent = steps[position];
            if (intent === undefined) return { kind: 'done', answer: null };
            if (intent.do === 'settle') {
              const settled = await settling.next(last, seat, signal);
              if (settled !== 'settled') {
                called = position + 1;
                return { ...lookOf(settled), writtenStep: called };
              }
              position += 1;
              continue;
            }
            const { move, phase } = await follow(intent, last, seat, looked);
            called = position + 1;
            const numbered = move.kind === 'call' ? { ...move, writtenStep: called } : move;
            position += phase === 'finished' ? 1 : 0;
            looked = phase === 'looked' || (phase === 'begun' && looked);
            return numbered;
          }
        },
      };
    },
  };
}

export const referenceKind = followingSolution('reference', "follows the task's own solution", referenceAgent);

/** An agent of ours that follows the task's solution in its own way. */
export function followingSolution(
  id: string,
  about: string,
  following: (id: string, steps: readonly Intent[]) => Agent,
): AgentChoice {
  return {
    id,
    about,
    decider: 'reference',
    followsSteps: true,
    forCell: ({ task, solutionFor }) => {
      const solution = task.solutions?.find((each) => each.for === solutionFor);
      const why = solutionFor === 'page' ? 'page surfaces' : "the app's own tools";
      return Promise.resolve(
        solution === undefined
          ? { notApplicable: `the task has no solution for ${why}` }
          : { agent: following(id, solution.steps), transcript: null },
      );
    },
  };
}

/** Follows other steps than the task's solution; null where the task has none of the kind. */
export function stepsAgent(
  id: string,
  about: string,
  stepsOf: (materials: AgentMaterials) => readonly Intent[] | null,
  afterFailure: AfterFailure = 'goes_on',
): AgentChoice {
  return {
    id,
    about,
    decider: 'control',
    followsSteps: true,
    forCell: (materials) => {
      const steps = stepsOf(materials);
      return Promise.resolve(
        steps === null
          ? { notApplicable: `the task has no ${about}` }
          : { agent: referenceAgent(id, steps, afterFailure), transcript: null },
      );
    },
  };
}

function lookOf(settled: Exclude<SettlingStep, 'settled'>): Extract<Move, { kind: 'call' }> {
  if ('why' in settled) throw cannotBind({ do: 'settle' }, settled.why);
  return { kind: 'call', call: settled.look };
}

interface Followed {
  move: Move;
  phase: 'finished' | 'looked' | 'begun';
}

async function follow(
  intent: Exclude<Intent, { do: 'settle' }>,
  last: ToolReply | null,
  { bind }: AgentSeat,
  looked: boolean,
): Promise<Followed> {
  if (intent.do === 'answer') return { move: { kind: 'done', answer: { value: intent.value } }, phase: 'finished' };
  if (intent.do === 'not_possible')
    return { move: { kind: 'done', answer: { not_possible: true } }, phase: 'finished' };
  const binding = await bind(intent, last);
  if (binding.kind === 'call') return { move: { kind: 'call', call: binding.call }, phase: 'finished' };
  if (binding.kind === 'begin') return { move: { kind: 'call', call: binding.call }, phase: 'begun' };
  if (binding.kind === 'observe' && !looked) return { move: { kind: 'call', call: binding.call }, phase: 'looked' };
  throw cannotBind(intent, binding.kind === 'impossible' ? binding.why : notShown(intent, last));
}

const OFFERED = { names: 6, characters: 60 };
const FILLED = ['textbox', 'searchbox', 'spinbutton', 'combobox'];
const CHOSEN = ['combobox', 'listbox'];

/** Names the elements of the kind that are there, if the surface lists elements by name. */
function notShown(intent: Intent, last: ToolReply | null): string {
  const why = 'the surface does not show it';
  if (!isElementStep(intent) || last?.kind !== 'snapshot') return why;
  const roles = intent.do === 'click' ? [intent.role] : intent.do === 'fill' ? FILLED : CHOSEN;
  const named = elementsOf(last.text).filter(({ role, name }) => name !== '' && roles.includes(role));
  const names = [...new Set(named.map(({ name }) => JSON.stringify(name.slice(0, OFFERED.characters))))];
  if (names.length === 0) return why;
  const more = names.length > OFFERED.names ? ` and ${names.length - OFFERED.names} more` : '';
  return `${why}; of its kind it shows ${names.slice(0, OFFERED.names).join(', ')}${more}`;
}

/** Whether a step may be done although its call failed: an address was requested, or a look is repeated until the page settles. */
function mayBeDone(step: Intent | undefined, reply: ToolReply): boolean {
  return step?.do === 'settle' || (step?.do === 'go' && isErrorStatus(reply));
}

/** Apps and pages write parts of the reason. */
const MOST_WHY = 600;

function stepFailed(step: number, { text, kind }: ToolReply): AgentError {
  const [first = ''] = text.split('\n', 1);
  const why = shortened(first.trim(), MOST_WHY);
  return new AgentError(fact('step_failed', { step, why: why || kind }));
}

function cannotBind(intent: Intent, why: string): AgentError {
  return new AgentError(fact('step_not_bound', { step: describe(intent), why }));
}

function describe(intent: Intent): string {
  const { do: verb, ...rest } = intent;
  return `${verb} ${Object.values(rest)
    .map((value) => JSON.stringify(value))
    .join(' ')}`.trimEnd();
}
