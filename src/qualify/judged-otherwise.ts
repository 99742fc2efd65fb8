import type { TaskJudgement } from '../contract/judge-task.ts';
import { forTheRecord, type Judgement } from '../contract/judgement.ts';
import type { Status } from '../contract/status.ts';
import type { Verdict } from '../contract/verdict.ts';
import { messageFor } from '../messages/messages.ts';
import { falsePassReason, madeRouteReason, nearMissReason } from '../plan/task-qualification.ts';
import { withIndices } from '../task/source/source.ts';
import type { JudgedTrial } from './judged-trial.ts';
import type { Opened } from './correct-end.ts';

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

export interface EndDifference {
  /** The difference from the solution's end, in words. */
  difference: string | null;
  /** The page that the solution opens, and this end did not. */
  notOpened: Opened | null;
}

export const SAME: EndDifference = { difference: null, notOpened: null };

/** Perturbed trials that were judged otherwise than their ends are. */
export interface Misjudged {
  /** The changes of those that passed with an incorrect end; others may pass. */
  passed: readonly string[];
  /** The ids of those that failed, although their end is the solution's. */
  failed: readonly string[];
}

/** A state whose verdict is wrong. */
export interface JudgedOtherwise extends EndDifference {
  /** The trials that ended in it, in words. */
  what: string;
  /** `pass`: the clauses are those that do not hold. `fail`: those that do. `be_carried_out`: it has none, since a near-miss ended early. */
  must: 'pass' | 'fail' | 'be_carried_out';
  /** The first step that failed, in words: the likely cause. */
  failedStep: string | null;
  clauses: JudgedClause[];
  /** The reasons in the task's proof that this explains. */
  reasons: string[];
}

const SOLUTION = 'the solution';

const MAX = { clauses: 12, states: 4 };

/** “a”, “a and b”, “a, b and c”. */
const LIST = new Intl.ListFormat('en-GB');

const ORDER = ['pass', 'be_carried_out', 'fail'] as const;

const CARRIED_OUT: ReadonlySet<Status> = new Set<Status>(['passed', 'failed', 'inconclusive', 'invalid_task']);

/**
 * Finds the states of a task's trials that were judged wrongly, clause by clause.
 * @param difference states how an end differs from the solution's
 */
export function judgedOtherwise(
  tried: readonly JudgedTrial[],
  misjudged: Misjudged,
  difference: (each: JudgedTrial) => EndDifference = () => SAME,
): JudgedOtherwise[] {
  const ends = tried.flatMap((each) => incorrectEnd(each, misjudged, difference) ?? []);
  const ordered = ORDER.flatMap((order) => ends.filter(({ must }) => must === order));
  const groups = new Map<string, JudgedOtherwise[]>();
  for (const state of [...startsOf(tried), ...ordered]) {
    if (state.clauses.length === 0 && state.must !== 'be_carried_out') continue;
    const key = JSON.stringify([state.must, state.failedStep, state.clauses]);
    groups.set(key, [...(groups.get(key) ?? []), state]);
  }
  const runs = tried.filter(({ trial }) => trial.kind === 'reference').length;
  const whole = (group: readonly JudgedOtherwise[]): Pick<JudgedOtherwise, 'what' | 'reasons'> => {
    const names = group.map(({ what }) => what);
    const failed = names.filter((name) => name === SOLUTION).length;
    const solution = failed < runs ? `${SOLUTION}, in ${failed} of ${runs} runs,` : SOLUTION;
    const once = [...new Set(names)].map((name) => (name === SOLUTION ? solution : name));
    return { what: LIST.format(once), reasons: group.flatMap(({ reasons }) => reasons) };
  };
  const kept = [...groups.values()].slice(0, MAX.states);
  return kept.flatMap((group) => group.slice(0, 1).map((first) => ({ ...first, ...whole(group) })));
}

/** Returns the end of a trial if its verdict is wrong; null otherwise, as for a start that is not as required. */
function incorrectEnd(
  each: JudgedTrial,
  misjudged: Misjudged,
  difference: (each: JudgedTrial) => EndDifference,
): JudgedOtherwise | null {
  const { trial, status, judged, detail, judgedStart, failedStep = null } = each;
  const { id, surface, what } = trial;
  const passing = (name: string, reasons: string[]) =>
    status === 'passed' ? { ...stateOf(name, 'fail', judged), ...difference(each), reasons } : null;
  const failing = (name: string) =>
    status === 'failed' || status === 'inconclusive'
      ? { ...nowhereMarked(stateOf(name, 'pass', judged), judgedStart), failedStep }
      : null;
  switch (trial.kind) {
    case 'reference':
      return failing(SOLUTION);
    case 'route': {
      const number = /^route-(\d+)$/.exec(id)?.[1];
      return failing(number === undefined ? `${SOLUTION} through ${surface}` : `solution ${number}`);
    }
    case 'made': {
      const state = failing(`${SOLUTION} ${id}`);
      return state === null ? null : { ...state, ...difference(each), reasons: [madeRouteReason(id, status)] };
    }
    case 'near-miss': {
      const [name, reasons] = [`the near-miss "${what ?? id}"`, [nearMissReason({ why: what ?? '', status })]];
      if (CARRIED_OUT.has(status)) return passing(name, reasons);
      return { ...stateOf(name, 'be_carried_out', null), failedStep: detail ?? status, reasons };
    }
    case 'perturbed':
      if (misjudged.failed.includes(id)) return stateOf(`the correct end "${what ?? id}"`, 'pass', judged);
      if (what === null || !misjudged.passed.includes(what)) return null;
      return passing(`the incorrect end "${what}"`, [falsePassReason(what)]);
    case 'control':
      return passing(`the control ${id}`, []);
    case 'idle':
      return null;
  }
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
  const clauses = (['success', 'guards'] as const).flatMap((name) => {
    const tree = judged?.[name] ?? null;
    if (tree === null) return [];
    return leavesOf(
      forTheRecord(tree, (text) => text),
      must === 'fail',
    ).map((leaf) => clauseOf(name, leaf));
  });
  return { what, must, failedStep: null, ...SAME, clauses: clauses.slice(0, MAX.clauses), reasons: [] };
}

/** Marks clauses whose selector matched nothing at the start either: the task is to blame, not its solution. */
function nowhereMarked(state: JudgedOtherwise, start: TaskJudgement | null = null): JudgedOtherwise {
  const atStart = new Map(stateOf('', 'pass', start).clauses.map((each) => [each.name, each]));
  const isNowhere = ({ name, kind, verdict, came }: JudgedClause) =>
    /^(?:dom_text|field_value)$/.test(kind) && verdict === 'fail' && came === null && atStart.get(name)?.came === null;
  return { ...state, clauses: state.clauses.map((each) => (isNowhere(each) ? { ...each, isNowhere: true } : each)) };
}

/** Lists the clauses that hold, or those that do not. A negated clause is one clause, which is easier to read. */
function leavesOf(node: Judgement, holding: boolean): Judgement[] {
  if ((node.verdict === 'pass') !== holding) return [];
  if (node.children.length === 0 || node.kind === 'not') return [node];
  return node.children.flatMap((child) => leavesOf(child, holding));
}

function clauseOf(contract: string, { path, kind, verdict, expected, observed, children }: Judgement): JudgedClause {
  const [denied] = kind === 'not' ? children : [];
  const place = withIndices(path === '' ? contract : `${contract}.${path}`);
  const judged = denied ?? { kind, expected, observed };
  return {
    name: `${place} (${denied === undefined ? '' : 'not '}${judged.kind})`,
    kind: judged.kind,
    verdict,
    expected: `${denied === undefined ? '' : 'not: '}${messageFor(judged.expected)}`,
    came: judged.observed?.preview ?? null,
  };
}
