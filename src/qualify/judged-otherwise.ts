import type { TaskJudgement } from '../contract/judge-task.ts';
import { forTheRecord, type Judgement } from '../contract/judgement.ts';
import { withIndices } from '../task/with-indices.ts';
import type { Verdict } from '../contract/verdict.ts';
import type { TaskTrials } from './judge-trials.ts';
import type { Tried } from './tried.ts';

/** A clause of a task's contracts at one end state, what it expected beside what came. */
export interface JudgedClause {
  /** `success.children[0] (dom_text)` */
  name: string;
  /** The kind of what is denied, where it is a denial. */
  kind: string;
  verdict: Verdict;
  expected: string;
  /** Null where there was nothing to be seen. */
  came: string | null;
  /** Whether it asks for something on a page that was there neither at the start nor at this end. */
  isNowhere?: boolean;
}

/** A state that was judged otherwise than it should be. */
export interface JudgedOtherwise {
  /** Whose it is, as its author would call it; of several that were judged alike, all of them. */
  what: string;
  /** `must pass`: the clauses are those that do not hold. `must fail`: those that do. */
  must: 'pass' | 'fail';
  /** The first step of it that failed, in words: the likely cause. Null where none did. */
  failedStep: string | null;
  clauses: JudgedClause[];
}

/** The first solution of a task, which is run several times. */
const SOLUTION = 'the solution';

/** Most clauses of one state, and states of one task; the first of them tell enough. */
const MOST = { clauses: 12, states: 4 };

type Judged = Pick<TaskTrials, 'trials' | 'tried' | 'perturbations'> & {
  planned: { task: Pick<TaskTrials['planned']['task'], 'nearMisses'> };
  /** Perturbations whose ends passed and are not right; of the others, passing is right. */
  falsePasses: readonly string[];
};

/** Find the states of a task's trials that were judged otherwise than they should be, and tell them clause by clause. */
export function judgedOtherwise(task: Judged): JudgedOtherwise[] {
  const { trials, tried, perturbations, falsePasses, planned } = task;
  const ended = (ids: readonly string[], what: (id: string, index: number) => string) =>
    ids.flatMap((id, index) => {
      const each = tried.get(id);
      return each === undefined ? [] : [{ ...each, what: what(id, index) }];
    });
  const misses = planned.task.nearMisses ?? [];
  const ids = trials.toolRoutes.map(({ id }) => id);
  const passing = [
    ...ended(trials.reference, () => SOLUTION),
    ...ended(trials.routes, (_id, index) => `solution ${index + 2}`),
    ...ended(ids, (_id, index) => `${SOLUTION} through ${trials.toolRoutes[index]?.entrant.surface ?? ''}`),
  ];
  const perturbed = trials.perturbed.map((id, index) => ({ id, what: perturbations[index]?.what ?? '' }));
  const wrong = perturbed.filter(({ what }) => falsePasses.includes(what));
  const failing = [
    ...ended(trials.controls, (id) => `the control ${id}`),
    ...ended(trials.nearMisses, (_id, index) => `the near-miss "${misses[index]?.why ?? ''}"`),
    ...ended(
      wrong.map(({ id }) => id),
      (_id, index) => `the wrong end "${wrong[index]?.what ?? ''}"`,
    ),
  ];
  const all = [
    ...startsOf(tried),
    ...passing
      .filter(({ status }) => status === 'failed' || status === 'inconclusive')
      .map((each) => ({
        ...nowhereMarked(stateOf(each.what, 'pass', each.judged), each.judgedStart),
        failedStep: each.failedStep ?? null,
      })),
    ...failing.filter(({ status }) => status === 'passed').map((each) => stateOf(each.what, 'fail', each.judged)),
  ].filter(({ clauses }) => clauses.length > 0);
  const alike = new Map<string, { state: JudgedOtherwise; names: string[] }>();
  for (const state of all) {
    const key = JSON.stringify([state.must, state.failedStep, state.clauses]);
    const { names = [] } = alike.get(key) ?? {};
    alike.set(key, { state, names: [...names, state.what] });
  }
  const runs = passing.filter(({ what }) => what === SOLUTION).length;
  return [...alike.values()]
    .slice(0, MOST.states)
    .map(({ state, names }) => ({ ...state, what: together(names, runs) }));
}

/** Names states that were judged alike, each once. @param runs of the solution that ended, of which these may be some */
function together(names: readonly string[], runs: number): string {
  const failed = names.filter((name) => name === SOLUTION).length;
  const once = [...new Set(names)].map((name) =>
    name === SOLUTION && failed < runs ? `${SOLUTION}, in ${failed} of ${runs} runs,` : name,
  );
  return once.join(' and ');
}

/** The start, where the task is none: `success` holds already, or a guard does not. */
function startsOf(tried: ReadonlyMap<string, Tried>): JudgedOtherwise[] {
  const off = [...tried.values()].find(({ status }) => status === 'invalid_task')?.judged ?? null;
  if (off === null) return [];
  return off.goal === 'fail'
    ? [stateOf('the start', 'pass', { ...off, success: { ...off.success, verdict: 'pass', children: [] } })]
    : [stateOf('the start', 'fail', { ...off, guards: null })];
}

function stateOf(what: string, must: JudgedOtherwise['must'], judged: TaskJudgement | null): JudgedOtherwise {
  const trees: [string, Judgement | null][] = [
    ['success', judged?.success ?? null],
    ['guards', judged?.guards ?? null],
  ];
  const clauses = trees.flatMap(([name, tree]) => {
    if (tree === null) return [];
    const whole = forTheRecord(tree, (text) => text);
    return (must === 'pass' ? notHolding(whole) : holding(whole)).map((leaf) => clauseOf(name, leaf));
  });
  return { what, must, failedStep: null, clauses: clauses.slice(0, MOST.clauses) };
}

/** Marks clauses about a selector that matched nothing, at the start as at the end: the task rather than its solution is to blame. */
function nowhereMarked(state: JudgedOtherwise, start: TaskJudgement | null | undefined): JudgedOtherwise {
  if (start == null) return state;
  const atStart = new Map(stateOf('', 'pass', start).clauses.map((each) => [each.name, each]));
  const isNowhere = ({ name, kind, verdict, came }: JudgedClause) =>
    kind === 'dom_text' && verdict === 'fail' && came === null && atStart.get(name)?.came === null;
  return { ...state, clauses: state.clauses.map((each) => (isNowhere(each) ? { ...each, isNowhere: true } : each)) };
}

function notHolding(node: Judgement): Judgement[] {
  if (node.verdict === 'pass') return [];
  return isLeaf(node) ? [node] : node.children.flatMap(notHolding);
}

function holding(node: Judgement): Judgement[] {
  if (node.verdict !== 'pass') return [];
  return isLeaf(node) ? [node] : node.children.flatMap(holding);
}

/** Says a denied clause as one clause: nobody has to turn it round in their head. */
function isLeaf({ kind, children }: Judgement): boolean {
  return children.length === 0 || kind === 'not';
}

function clauseOf(contract: string, { path, kind, verdict, expected, observed, children }: Judgement): JudgedClause {
  const [denied] = kind === 'not' ? children : [];
  const place = withIndices(path === '' ? contract : `${contract}.${path}`);
  return {
    name: `${place} (${denied === undefined ? kind : `not ${denied.kind}`})`,
    kind: denied?.kind ?? kind,
    verdict,
    expected: denied === undefined ? expected : `not: ${denied.expected}`,
    came: (denied === undefined ? observed : denied.observed)?.preview ?? null,
  };
}
