import { fact, messageFor } from '../messages/messages.ts';
import { evaluate, type EvaluateOptions } from './evaluate.ts';
import type { Evidence } from './evidence.ts';
import { decisiveLeaf, type Judgement } from './judgement.ts';
import type { Contract } from './schema.ts';
import type { Verdict } from './verdict.ts';

export interface TaskContracts {
  success: Contract;
  guards?: Contract | undefined;
}

export interface Decisive {
  contract: 'success' | 'guards';
  leaf: Judgement;
}

export interface TaskJudgement {
  success: Judgement;
  guards: Judgement | null;
  goal: Verdict;
  /** `pass` without guards. */
  guard: Verdict;
  /** The assertion that decided against a pass, in `success` first; null if both passed. */
  decisive: Decisive | null;
}

/** The one function that judges a task, live and offline. */
export function judgeTask(contracts: TaskContracts, evidence: Evidence, options: EvaluateOptions = {}): TaskJudgement {
  const success = evaluate(contracts.success, evidence, options);
  const guards = contracts.guards === undefined ? null : evaluate(contracts.guards, evidence, options);
  return taskJudgement(success, guards);
}

export function taskJudgement(success: Judgement, guards: Judgement | null): TaskJudgement {
  const guard = guards?.verdict ?? 'pass';
  return { success, guards, goal: success.verdict, guard, decisive: decisiveOf(success, guards) };
}

function decisiveOf(success: Judgement, guards: Judgement | null): TaskJudgement['decisive'] {
  const ofSuccess = decisiveLeaf(success);
  if (ofSuccess !== null) return { contract: 'success', leaf: ofSuccess };
  const ofGuards = guards === null ? null : decisiveLeaf(guards);
  return ofGuards === null ? null : { contract: 'guards', leaf: ofGuards };
}

/**
 * The assertion that makes a task invalid: at the start `success` must fail and `guards` must pass, or the task measures
 * nothing. Null when both hold.
 */
export function faultAtStart({ success, guards }: TaskJudgement): Decisive | null {
  if (success.verdict !== 'fail') return { contract: 'success', leaf: decisiveLeaf(success) ?? success };
  if (guards === null || guards.verdict === 'pass') return null;
  return { contract: 'guards', leaf: decisiveLeaf(guards) ?? guards };
}

export function whyInvalid({ goal, guard, ...start }: TaskJudgement): string {
  const leaf = faultAtStart({ goal, guard, ...start })?.leaf;
  const wrong = [
    ...(goal === 'fail' ? [] : [fact(goal === 'pass' ? 'already_true' : 'success_not_judged')]),
    ...(guard === 'pass' ? [] : [fact(guard === 'fail' ? 'guards_not_true' : 'guards_not_judged')]),
  ];
  const why = leaf?.verdict === 'inconclusive' ? ` (${messageFor(leaf.why)})` : '';
  return `${wrong.map(messageFor).join(', and ')}${why}`;
}

/** A clause of `success` on the way to it, for example `success.children[0]`. */
export interface Milestone {
  clause: string;
  weight: number;
}

/** The milestones that were not reached at the start, and those of them that were at the end. */
export interface Reached {
  /** By weight; null if it is not known. */
  share: number | null;
  reached: string[];
  of: number;
}

/**
 * The share of its milestones that an episode reached; a clause that passed at the start already counts for nothing. A broken
 * guard makes it 0 and not null: that the way was one that damages is known, and no progress that anything may be paid for.
 */
export function progressOf(
  milestones: readonly Milestone[],
  { start, end }: { start: TaskJudgement | null; end: TaskJudgement | null },
): Reached {
  const verdictOf = (judged: TaskJudgement | null, { clause }: Milestone) =>
    judged === null ? undefined : clauseAt(judged.success, clause)?.verdict;
  const counted = milestones.filter((each) => verdictOf(start, each) === 'fail');
  const reached = counted.filter((each) => verdictOf(end, each) === 'pass');
  const weightOf = (all: readonly Milestone[]) => all.reduce((sum, { weight }) => sum + weight, 0);
  const isKnown = end?.guard === 'pass' && counted.every((each) => verdictOf(end, each) !== 'inconclusive');
  const share = counted.length > 0 && isKnown ? Math.round((weightOf(reached) / weightOf(counted)) * 1e4) / 1e4 : null;
  return {
    share: end?.guard === 'fail' ? 0 : share,
    reached: reached.map(({ clause }) => clause),
    of: counted.length,
  };
}

function clauseAt(success: Judgement, clause: string): Judgement | undefined {
  const indices = [...clause.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index));
  return indices.reduce((node: Judgement | undefined, index) => node?.children[index], success);
}

/** The place of a decisive assertion, for example `success.children.0`. */
export function pathInTask({ contract, leaf }: Decisive): string {
  return leaf.path === '' ? contract : `${contract}.${leaf.path}`;
}
