import {
  CONTROLS,
  FLOOR,
  NO_MUTANT,
  NO_INCORRECT_END,
  NOT_TRIED,
  nearMissReason,
  routesIn,
  survivorReason,
  type TaskQualification,
  thinness,
  untriedReason,
} from '../plan/task-qualification.ts';
import type { JudgedOtherwise, JudgedClause } from '../qualify/judged-otherwise.ts';
import { rateText, counted } from '../report/numbers.ts';
import { wilsonInterval } from '../stats/proportion.ts';
import type { Left, Opened } from '../qualify/correct-end.ts';
import { withIndices } from '../task/source/source.ts';
import type { WideException } from '../qualify/judge-trials.ts';
import { inQuotes } from '../report/failure.ts';

/**
 * Lists the reasons against a task: as its proof has them, or with what was expected. Trials that were left out because its
 * solution never passed are not mentioned.
 * @param explained explanations that are shown next to them, in place of their reasons
 */
export function reasonsToShow(
  proof: TaskQualification,
  explained: readonly Pick<JudgedOtherwise, 'reasons'>[] = [],
): string[] {
  const { reasons, near_misses: misses, mutants, reference } = proof;
  const shown = new Map([
    ...misses.map((miss) => [nearMissReason(miss), missText(miss)] as const),
    ...mutants.map((each) => [survivorReason(each), survivorText(each.mutant)] as const),
    [NO_MUTANT, `no weakened contract was tried, since ${whyNone(reference.passed)}`],
  ]);
  const hidden = new Set([...explained.flatMap((each) => each.reasons), ...reasonsOfUntried(proof)]);
  return reasons.filter((reason) => !hidden.has(reason)).map((reason) => shown.get(reason) ?? reason);
}

/** Returns the reasons that only follow from a solution that never passed. */
function reasonsOfUntried({ reference, controls, near_misses: misses }: TaskQualification): string[] {
  const untried = CONTROLS.filter((id) => !Object.hasOwn(controls, id));
  if (reference.passed > 0 || reference.of === 0 || untried.length === 0) return [];
  return [...untried.map(untriedReason), ...misses.map(nearMissReason), NO_MUTANT, NO_INCORRECT_END];
}

function survivorText(mutant: string): string {
  return `the weakened contract ${mutant} judged every end that was tried as yours does`;
}

function whyNone(passed: number): string {
  return passed === 0 ? 'the solution never passed' : 'nothing in it can be weakened';
}

function missText({ why, status }: TaskQualification['near_misses'][number]): string {
  return status === 'passed'
    ? `the near-miss "${why}" passed, but must fail`
    : `the near-miss "${why}" ended as ${status}, but must be carried out and fail`;
}

/** Counts the near-misses that were carried out and failed. */
export function missesText(misses: TaskQualification['near_misses']): string {
  const isUntried = misses.length > 0 && misses.every(({ status }) => status === NOT_TRIED);
  return isUntried ? NOT_TRIED : `${misses.filter(({ status }) => status === 'failed').length}/${misses.length}`;
}

/** Names what changes by itself, and if the solution did not pass, the remedy: a guard takes that for damage. */
export function volatileText({ volatile, reference }: Pick<TaskQualification, 'volatile' | 'reference'>): string {
  const text = `changes by itself: ${volatile.join(', ')}`;
  if (reference.passed === reference.of) return text;
  return `${text}: add it to \`except\` of the guard, or take it out of the state that the app returns`;
}

/** Counts the weakened contracts, and those that were caught because an end distinguishes them from the real one. */
export function weakenedText(mutants: TaskQualification['mutants']): string {
  if (mutants.length === 0) return 'none tried';
  const [caught, waived] = [
    mutants.filter(({ killed_by: by }) => by !== null).length,
    mutants.filter((each) => each.waived !== null).length,
  ];
  return `${caught} of ${mutants.length} caught${waived === 0 ? '' : `, ${waived} waived`}`;
}

/** Counts the incorrect ends of changed solutions, and all correct routes. Which are correct is known only if the solution passes. */
export function changedText(proof: TaskQualification): string {
  if (proof.reference.passed === 0) return 'not judged';
  const { judged, inconclusive, false_passes: passed } = proof.perturbed;
  return [
    judged === 0
      ? 'no incorrect end'
      : `${counted(judged, 'incorrect end')}: ${passed.length === 0 ? 'none' : passed.length} passed`,
    counted(routesIn(proof).passed, 'correct route'),
    ...(inconclusive === 0 ? [] : [`${inconclusive} undecided`]),
  ].join('; ');
}

/** The verdict of a proof; below the floor, a task that qualifies is thin. */
export function verdictText(proof: TaskQualification): string {
  return proof.verdict === 'qualified' && thinness(proof) !== null ? 'thin' : proof.verdict;
}

/** States how a proof is below the floor, and what to write to lift it; null if it is not. */
export function thinText(proof: TaskQualification): string | null {
  const thin = proof.verdict === 'qualified' ? thinness(proof) : null;
  if (thin === null) return null;
  const { ends, routes } = thin;
  const endsMissing = FLOOR.incorrect_ends - (ends ?? 0);
  const few = [
    ...(endsMissing > 0 ? [`${ends ?? 'no count of'} different incorrect ends, of ${FLOOR.incorrect_ends}`] : []),
    ...(routes < FLOOR.correct_routes ? [`${counted(routes, 'correct route')}, of ${FLOOR.correct_routes}`] : []),
  ].join(' and ');
  const write = [
    ...(ends === null ? ['qualify it again'] : []),
    ...(ends !== null && endsMissing > 0
      ? [
          `write ${counted(endsMissing, 'near-miss that ends differently', 'near-misses that end differently')}, or another task on the same app`,
        ]
      : []),
    ...(routes < FLOOR.correct_routes ? ['write a second solution'] : []),
  ].join('; ');
  return `thin, so no claim may rest on it: ${few}: ${write}`;
}

/** The bounds of a suite's proofs, as a row of a table. */
export function boundsOf(suite: string, all: readonly TaskQualification[]): string[] {
  const good = all.filter(({ verdict }) => verdict === 'qualified');
  const sum = (value: (proof: TaskQualification) => number): number =>
    good.reduce((total, each) => total + value(each), 0);
  const [ends, of] = [sum(({ breadth }) => breadth?.incorrect_ends ?? 0), sum((each) => routesIn(each).of)];
  const [passed, failed] = [
    sum(({ perturbed }) => perturbed.false_passes.length),
    of - sum((each) => routesIn(each).passed),
  ];
  return [
    suite,
    `${good.length} of ${all.length}`,
    String(good.filter((each) => thinness(each) !== null).length),
    ends === 0 ? '–' : String(ends),
    String(of),
    bound(passed, ends),
    bound(failed, of),
  ];
}

function bound(count: number, tried: number): string {
  const upper = wilsonInterval(count, tried)?.high ?? null;
  return upper === null ? '–' : `≤ ${rateText(upper)}`;
}

/** The columns of the rows of {@link boundsOf}. */
export const BOUNDS = [
  'suite',
  'qualified',
  'thin',
  'incorrect ends',
  'correct routes',
  'false passes',
  'false failures',
];

/** Explains columns of the table. */
export function columnsNote(): string[] {
  return [
    '"weakened contracts": yours with a clause dropped or loosened; caught if an incorrect end would pass it, and fails yours.',
    '"changed solutions": yours with steps left out, doubled or altered; one that ends otherwise than yours must fail. "correct routes" counts all that passed, your solution too.',
  ];
}

/**
 * Bounds the false passes of all tasks that qualify together, since one task has too few ends. Null if none.
 * @param asked perturbations of each task
 */
export function falsePassesText(proofs: readonly TaskQualification[], asked: number): string | null {
  const good = proofs.filter(({ verdict }) => verdict === 'qualified').map(({ perturbed }) => perturbed);
  const others = proofs.filter(({ verdict }) => verdict !== 'qualified').map(({ perturbed }) => perturbed);
  const judged = judgedIn(good);
  const upper = wilsonInterval(0, judged)?.high ?? null;
  if (upper === null) return null;
  // If a task has fewer than were asked for, a higher number finds no more.
  const hasMore = good.some(({ judged: ends, right, inconclusive }) => ends + right.of + inconclusive >= asked);
  const more = hasMore ? `raise --perturbations above ${asked}, or add tasks` : 'add tasks on the same app';
  const where = judgedIn(others) === 0 ? '' : ' on tasks that qualify';
  const elsewhere = others.reduce((sum, { false_passes: passed }) => sum + passed.length, 0);
  const apart = where === '' ? '' : `; on the others, ${elsewhere} of ${judgedIn(others)} passed`;
  const tried = `${counted(judged, 'incorrect end was', 'incorrect ends were')} tried${where}, and none passed${apart}`;
  return `${tried}. Up to ${rateText(upper)} of such ends could still pass (95 %): to lower this bound, ${more}; to test one particular mistake, write a near-miss`;
}

function judgedIn(all: readonly TaskQualification['perturbed'][]): number {
  return all.reduce((sum, { judged }) => sum + judged, 0);
}

type Perturbed = Pick<TaskQualification['perturbed'], 'judged' | 'right' | 'inconclusive'>;

const KEEP_STATE = 'let the app keep state (`program` with `state`)';

/**
 * Advises on perturbed ends that could not be distinguished, or were judged incorrectly.
 * @param left null if the task was not tried now, or its solution did not pass
 */
export function endsAdvice({ judged, right, inconclusive }: Perturbed, left: Left | null): string[] {
  if (left === null) return [];
  const lines: string[] = [];
  if (right.passed < right.of) lines.push(failingCorrectEnds(left));
  if (judged === 0) lines.push(noIncorrectEnd(left, inconclusive));
  return lines;
}

function noIncorrectEnd(left: Left, inconclusive: number): string {
  if (inconclusive > 0 && !Object.values(left).includes(true)) {
    return `this task leaves nothing behind but the page, so nothing shows whether ${inconclusive} perturbed ends are correct (near-misses and controls are judged separately): ${KEEP_STATE}, change the address, ask for an answer, or send a request with a body`;
  }
  return 'no perturbed steps led to an incorrect end (near-misses and controls are judged separately): raise --perturbations, or add a task on the same app, whose solution is then tried here too';
}

function failingCorrectEnds({ state, sent, answer, address }: Left): string {
  const traces = [
    ...(state ? ['app state'] : []),
    ...(sent && !state ? ['requests or address'] : []),
    ...(answer ? ['answer'] : []),
    ...(address && !state && !sent ? ['address'] : []),
  ].join(' and ');
  return state || sent
    ? `an end is correct by its ${traces}, and these were; but the contract requires more: loosen what fails there, or let the app's state distinguish these ends`
    : `this task leaves no state and sends nothing, so an end is correct by its ${traces} alone, even if the page differs: ${KEEP_STATE}, send a request with a body, or let the contract require nothing else`;
}

/**
 * Advises on a weakened contract that no end state distinguishes from the real one.
 * @param mutant as {@link import('../contract/mutants.ts').mutantsOf} names it
 * @param tooWide the exceptions of its guards, if they leave nothing to guard
 */
export function mutantAdvice(mutant: string, tooWide: WideException | null = null): string {
  const [place = '', change = ''] = mutant.split(':');
  const clause = withIndices(place);
  switch (change) {
    case 'drop':
      if (place === 'guards' && tooWide !== null) return narrower(tooWide);
      return place === 'guards'
        ? 'guards: nothing that was tried breaks them while success holds, so success already implies them: remove them, or add a near-miss that breaks only them'
        : `${clause}: nothing that was tried breaks only this, so the clauses next to it already imply it: remove it, or add a near-miss that breaks only this`;
    case 'or':
      return `${clause}: nothing that was tried meets only some of its clauses: add a near-miss that does one part of the task but not the other`;
    case 'negate':
    case 'drop_not':
      return `${clause}: nothing that was tried reverses only this: add a near-miss that gets this wrong and nothing else`;
    default:
      return `${clause}: a looser form of it (${change}) distinguishes right from wrong just as well: add a near-miss that only the looser form lets pass, or use the looser form`;
  }
}

function narrower({ except, changed }: WideException): string {
  const only = changed.length === 0 ? '' : `, except: [${changed.join(', ')}]`;
  return `guards: except ${except.join(', ')} is all of the app's state, so they guard nothing: except only what the solution changes${only}`;
}

/** Draws states that were judged wrongly: what was expected, and what was observed. */
export function otherwiseLines(task: string, states: readonly JudgedOtherwise[]): string[] {
  const of = (text: string) => `${task}: ${text}`;
  return states.flatMap(({ what, must, failedStep, difference, notOpened, clauses }) => {
    switch (must) {
      case 'be_carried_out':
        return [of(`${what} must be carried out and fail, but ended early: ${failedStep ?? 'the cause is unknown'}`)];
      case 'pass':
        return [
          ...(failedStep === null ? [] : [of(`${failedStep}; mend that step first`)]),
          of(`${what} ought to pass, but ${failedStep === null ? '' : 'after that '}these clauses do not hold:`),
          ...clauses.flatMap(clauseLines),
          ...exceptionLines(clauses),
        ];
      case 'fail':
        return [
          of(
            `${what} passed, but must fail${difference === null ? '' : ` (${difference})`}: every clause that was judged holds:`,
          ),
          ...clauses.flatMap(clauseLines),
          notOpened === null
            ? '  to fix it, make one of them stricter, or add one about what is wrong with this state'
            : `  to fix it, require that the page is opened: ${requestClause(notOpened)}`,
        ];
    }
  });
}

function requestClause({ url, status }: Opened): string {
  const pattern = `^${url.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`.replaceAll("'", "''");
  return `{ kind: network, url_pattern: '${pattern}', status_in: [${status}], since: contract_enter }`;
}

/** Advises on a guard that breaks although the state ought to pass. */
function exceptionLines(clauses: readonly JudgedClause[]): string[] {
  if (!clauses.some(({ kind, verdict }) => kind === 'unchanged' && verdict === 'fail')) return [];
  return [
    '  if the app changes these places on every visit, add them to "except" of the guard, with entries of lists by id: /users/[id=2]/name',
  ];
}

function clauseLines({ name, kind, verdict, expected, came, isNowhere }: JudgedClause): string[] {
  const seen = came === null ? 'nothing' : inQuotes(came, kind);
  return [
    `  ${name}`,
    `    expected  ${expected}`,
    `    observed  ${seen}${verdict === 'inconclusive' ? ' (it could not be judged)' : ''}`,
    ...(isNowhere === true
      ? ['    its selector matches nothing, at the start as at the end: look first whether it is the one that you mean']
      : []),
  ];
}
