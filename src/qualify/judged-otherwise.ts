import type { TaskJudgement } from '../contract/judge-task.ts';
import { forTheRecord, type Judgement } from '../contract/judgement.ts';
import type { Verdict } from '../contract/verdict.ts';
import { messageFor } from '../messages/messages.ts';
import { falsePassReason, nearMissReason } from '../plan/task-qualification.ts';
import { withIndices } from '../task/source/source.ts';
import { ofKind, type JudgedTrial } from './judged-trial.ts';

/** A clause of a task's contracts, judged at one state. */
export interface JudgedClause {
  /** `success.children[0] (dom_text)` */
  name: string;
  /** The kind of the assertion, or of the one that is negated. */
  kind: string;
  verdict: Verdict;
  expected: string;
  came: string | null;
  /** Whether its selector matched nothing, neither at the start nor at this end. */
  isNowhere?: boolean;
}

/** A state whose verdict is wrong. */
export interface JudgedOtherwise {
  /** The trials that ended in it, in words. */
  what: string;
  /** `pass`: the clauses are those that do not hold. `fail`: those that do. `be_carried_out`: it has none, since a near-miss ended early. */
  must: 'pass' | 'fail' | 'be_carried_out';
  /** The first step that failed, in words: the likely cause. */
  failedStep: string | null;
  /** The difference from the solution's end, in words. */
  difference: string | null;
  clauses: JudgedClause[];
  /** The reasons in the task's proof that this explains. */
  reasons: string[];
}

const SOLUTION = 'the solution';

const MOST = { clauses: 12, states: 4 };

/**
 * Finds the states of a task's trials that were judged wrongly, clause by clause.
 * @param falsePasses perturbations that passed with an end that is not right; other perturbations may pass
 * @param difference states how an end differs from the solution's
 */
export function judgedOtherwise(
  tried: readonly JudgedTrial[],
  falsePasses: readonly string[],
  difference: (each: JudgedTrial) => string | null = () => null,
): JudgedOtherwise[] {
  const passing = ofKind(tried, 'reference', 'route');
  const failing = ofKind(tried, 'control', 'near-miss', 'perturbed').filter(
    ({ trial: { kind, what } }) => kind !== 'perturbed' || falsePasses.includes(what ?? ''),
  );
  const all = [
    ...startsOf(tried),
    ...passing
      .filter(({ status }) => status === 'failed' || status === 'inconclusive')
      .map((each) => ({
        ...nowhereMarked(stateOf(nameOf(each), 'pass', each.judged), each.judgedStart),
        failedStep: each.failedStep ?? null,
      })),
    ...failing.filter(endedEarly).map((each) => ({
      ...stateOf(nameOf(each), 'be_carried_out', null),
      failedStep: each.detail ?? each.status,
      reasons: reasonsOf(each),
    })),
    ...failing
      .filter(({ status }) => status === 'passed')
      .map((each) => ({
        ...stateOf(nameOf(each), 'fail', each.judged),
        difference: difference(each),
        reasons: reasonsOf(each),
      })),
  ].filter(({ clauses, must }) => clauses.length > 0 || must === 'be_carried_out');
  const groups = new Map<string, { state: JudgedOtherwise; names: string[] }>();
  for (const state of all) {
    const key = JSON.stringify([state.must, state.failedStep, state.difference, state.clauses]);
    const { names = [], state: before } = groups.get(key) ?? {};
    const reasons = [...(before?.reasons ?? []), ...state.reasons];
    groups.set(key, { state: { ...state, reasons }, names: [...names, state.what] });
  }
  const runs = ofKind(tried, 'reference').length;
  return [...groups.values()]
    .slice(0, MOST.states)
    .map(({ state, names }) => ({ ...state, what: together(names, runs) }));
}

function nameOf({ trial: { id, kind, surface, what } }: JudgedTrial): string {
  switch (kind) {
    case 'reference':
      return SOLUTION;
    case 'route': {
      const number = /^route-(\d+)$/.exec(id)?.[1];
      return number === undefined ? `${SOLUTION} through ${surface}` : `solution ${number}`;
    }
    case 'near-miss':
      return `the near-miss "${what ?? id}"`;
    case 'perturbed':
      return `the wrong end "${what ?? id}"`;
    case 'control':
    case 'idle':
      return `the control ${id}`;
  }
}

/** Returns the reason in a proof for a trial that must fail and did not. */
function reasonsOf({ trial: { kind, what }, status }: JudgedTrial): string[] {
  if (kind === 'near-miss') return [nearMissReason({ why: what ?? '', status })];
  return kind === 'perturbed' ? [falsePassReason(what ?? '')] : [];
}

/** Whether a near-miss did not reach its end. A start that is not as required explains itself. */
function endedEarly({ trial, status }: JudgedTrial): boolean {
  const hasEnd = status === 'passed' || status === 'failed' || status === 'inconclusive' || status === 'invalid_task';
  return trial.kind === 'near-miss' && !hasEnd;
}

/** Names trials that were judged the same, each once. @param runs of the solution, of which these may be some */
function together(names: readonly string[], runs: number): string {
  const failed = names.filter((name) => name === SOLUTION).length;
  const once = [...new Set(names)].map((name) =>
    name === SOLUTION && failed < runs ? `${SOLUTION}, in ${failed} of ${runs} runs,` : name,
  );
  return once.join(' and ');
}

/** Returns the start if the task may not begin: `success` holds already, or a guard does not. */
function startsOf(tried: readonly JudgedTrial[]): JudgedOtherwise[] {
  const off = tried.find(({ status }) => status === 'invalid_task')?.judged ?? null;
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
  return { what, must, failedStep: null, difference: null, clauses: clauses.slice(0, MOST.clauses), reasons: [] };
}

/** Marks clauses whose selector matched nothing at the start either: the task is to blame, not its solution. */
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

/** Treats a negated clause as one clause, which is easier to read. */
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
