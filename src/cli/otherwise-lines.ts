import type { JudgedClause, JudgedOtherwise } from '../qualify/judged-otherwise.ts';
import { inQuotes } from '../report/found.ts';

/** Draw states that were judged otherwise than they should be, what was expected beside what came; not yet printable. */
export function otherwiseLines(task: string, states: readonly JudgedOtherwise[]): string[] {
  const of = (text: string) => `${task}: ${text}`;
  return states.flatMap(({ what, must, failedStep, clauses }) => {
    switch (must) {
      case 'be_carried_out':
        return [of(`${what} must be carried out and fail, but ended early: ${failedStep ?? 'nobody knows why'}`)];
      case 'pass':
        return [
          ...(failedStep === null ? [] : [of(`${failedStep}; mend that step first`)]),
          of(`${what} ought to pass, but ${failedStep === null ? '' : 'after that '}these clauses do not hold:`),
          ...clauses.flatMap(clauseLines),
        ];
      case 'fail':
        return [
          of(`${what} passed, but must fail: every clause that was judged holds:`),
          ...clauses.flatMap(clauseLines),
          '  to fix it, make one of them stricter, or add one about what is wrong with this state',
        ];
    }
  });
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
