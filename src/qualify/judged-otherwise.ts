import { messageFor } from '../messages/messages.ts';
import type { TaskJudgement } from '../contract/judge-task.ts';
import { forTheRecord, type Judgement } from '../contract/judgement.ts';
import { withIndices } from '../task/source/source.ts';
import type { Verdict } from '../contract/verdict.ts';
import { falsePassReason, nearMissReason } from '../plan/task-qualification.ts';
import type { TaskTrials } from './judge-trials.ts';
import type { Tried } from './trials.ts';

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
  /** The author of the end, in words that a reader knows; of several that were judged alike, all of them. */
  what: string;
  /** `pass`: the clauses are those that do not hold. `fail`: those that do. `be_carried_out`: it has none, as it ended before its end. */
  must: 'pass' | 'fail' | 'be_carried_out';
  /** The first step of it that failed, in words: the likely cause. Null where none did. */
  failedStep: string | null;
  clauses: JudgedClause[];
  /** The reasons in the task's proof that this tells more of. */
  reasons: string[];
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
  const { trials, tried } = task;
  const ended = (ids: readonly string[], what: (id: string, index: number) => string) =>
    ids.flatMap((id, index) => {
      const each = tried.get(id);
      return each === undefined ? [] : [{ ...each, what: what(id, index) }];
    });
  const ids = trials.toolRoutes.map(({ id }) => id);
  const passing = [
    ...ended(trials.reference, () => SOLUTION),
    ...ended(trials.routes, (_id, index) => `solution ${index + 2}`),
    ...ended(ids, (_id, index) => `${SOLUTION} through ${trials.toolRoutes[index]?.entrant.surface ?? ''}`),
  ];
  const missed = missesIn(task);
  const failing = [
    ...ended(trials.controls, (id) => `the control ${id}`).map((each) => ({ ...each, reason: null })),
    ...missed,
    ...falsePassesIn(task),
  ];
  const all = [
    ...startsOf(tried),
    ...passing
      .filter(({ status }) => status === 'failed' || status === 'inconclusive')
      .map((each) => ({
        ...nowhereMarked(stateOf(each.what, 'pass', each.judged), each.judgedStart),
        failedStep: each.failedStep ?? null,
      })),
    ...missed.filter(endedEarly).map(({ what, reason, status, detail }) => ({
      ...stateOf(what, 'be_carried_out', null),
      failedStep: detail ?? status,
      reasons: [reason],
    })),
    ...failing
      .filter(({ status }) => status === 'passed')
      .map(({ what, judged, reason }) => ({
        ...stateOf(what, 'fail', judged),
        reasons: reason === null ? [] : [reason],
      })),
  ].filter(({ clauses, must }) => clauses.length > 0 || must === 'be_carried_out');
  const alike = new Map<string, { state: JudgedOtherwise; names: string[] }>();
  for (const state of all) {
    const key = JSON.stringify([state.must, state.failedStep, state.clauses]);
    const { names = [], state: before } = alike.get(key) ?? {};
    const reasons = [...(before?.reasons ?? []), ...state.reasons];
    alike.set(key, { state: { ...state, reasons }, names: [...names, state.what] });
  }
  const runs = passing.filter(({ what }) => what === SOLUTION).length;
  return [...alike.values()]
    .slice(0, MOST.states)
    .map(({ state, names }) => ({ ...state, what: together(names, runs) }));
}

/** A trial that must fail, and the reason in a proof for one that does not. */
type MustFail = Tried & { what: string; reason: string };

function missesIn({ planned, trials, tried }: Judged): MustFail[] {
  return (planned.task.nearMisses ?? []).flatMap(({ why }, index) => {
    const each = tried.get(trials.nearMisses[index] ?? '');
    if (each === undefined) return [];
    return [{ ...each, what: `the near-miss "${why}"`, reason: nearMissReason({ why, status: each.status }) }];
  });
}

function falsePassesIn({ trials, tried, perturbations, falsePasses }: Judged): MustFail[] {
  return trials.perturbed.flatMap((id, index) => {
    const [each, what = ''] = [tried.get(id), perturbations[index]?.what];
    if (each === undefined || !falsePasses.includes(what)) return [];
    return [{ ...each, what: `the wrong end "${what}"`, reason: falsePassReason(what) }];
  });
}

/** Whether a near-miss did not come to its end: a start that is not as required says why by itself. */
function endedEarly({ status }: Tried): boolean {
  return status !== 'passed' && status !== 'failed' && status !== 'inconclusive' && status !== 'invalid_task';
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
  return { what, must, failedStep: null, clauses: clauses.slice(0, MOST.clauses), reasons: [] };
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
    expected: denied === undefined ? messageFor(expected) : `not: ${messageFor(denied.expected)}`,
    came: (denied === undefined ? observed : denied.observed)?.preview ?? null,
  };
}
