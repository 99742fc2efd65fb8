import { withIndices } from '../task/source/source.ts';
import type { WideException } from '../qualify/judge-trials.ts';

/**
 * Says what to do about a change of a contract that no end state tells from the contract.
 * @param mutant as {@link import('../contract/mutants.ts').mutantsOf} names it
 * @param tooWide what its guards except, where that is all that there is
 */
export function mutantAdvice(mutant: string, tooWide?: WideException): string {
  const [place = '', change = ''] = mutant.split(':');
  const clause = withIndices(place);
  switch (change) {
    case 'drop':
      if (place === 'guards' && tooWide !== undefined) return narrower(tooWide);
      return place === 'guards'
        ? 'guards: nothing that was tried breaks them while success holds, so success already implies them: remove them, or add a near-miss that breaks only them'
        : `${clause}: nothing that was tried breaks only this, so the clauses beside it already imply it: remove it, or add a near-miss that breaks only this`;
    case 'or':
      return `${clause}: nothing that was tried meets only some of its clauses: add a near-miss that does one part of the task but not the other`;
    case 'negate':
    case 'drop_not':
      return `${clause}: nothing that was tried reverses only this: add a near-miss that gets this wrong and nothing else`;
    default:
      return `${clause}: a looser form of it (${change}) tells right from wrong just as well: add a near-miss that only the looser form lets pass, or use the looser form`;
  }
}

function narrower({ except, changed }: WideException): string {
  const only = changed.length === 0 ? '' : `, except: [${changed.join(', ')}]`;
  return `guards: except ${except.join(', ')} is all of the app's state, so they guard nothing: except only what the solution changes${only}`;
}
