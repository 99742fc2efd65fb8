import type { Proof } from '../contract/assertion-kind.ts';
import { type Contract, kindOf } from '../contract/schema.ts';

/** The ways in which a contract can pass that prove nothing apart from the page. */
interface Unproven {
  /** One of them takes what a script can write into the page. */
  page: boolean;
  /** One of them takes neither the page nor proof: what the agent said, or that something is not there. */
  neither: boolean;
}

/**
 * Whether a contract can pass by what a script wrote into the page, with no proof from elsewhere that anything was done.
 *
 * - The page is its text, elements, address, dialogs and picture, asserted or denied.
 * - Proof is an assertion over app state, the world's log or the page loaded anew: a script can reach those only by doing
 *   what they tell of. What is denied (`not`) is no proof, for anything else will do, also what was there to begin with.
 *   Nor is `unchanged`, asserted or denied: it says that something changed and not what. That no exchange was logged holds
 *   at every start. But `absent`, and no element on the page loaded anew, are all that a task that deletes can assert, so
 *   they are proof; that they do not hold anyway is for the task's proof of qualification to show.
 * - `answer` is neither. To paint the page makes no wrong answer right, so a task that asks for nothing else does not rest
 *   on the page; but the right answer says nothing of what the page beside it shows, so it is no proof of that.
 *
 * In `and`, one child with proof is enough; in `or`, each has to have it, for the agent chooses. Guards hold where nothing
 * was done, so they do not decide.
 */
export function restsOnDomAlone(success: Contract): boolean {
  return unproven(success, true).page;
}

function unproven(contract: Contract, asserted: boolean): Unproven {
  const { kind } = contract;
  if (kind === 'not') return unproven(contract.child, !asserted);
  if (kind !== 'and' && kind !== 'or') return unprovenBy(kindOf(contract).proof(contract), asserted);
  const children = contract.children.map((child) => unproven(child, asserted));
  // One child that does not hold denies "and".
  return (kind === 'and') === asserted ? together(children) : either(children);
}

function unprovenBy(proof: Proof, asserted: boolean): Unproven {
  if (proof === 'page') return { page: true, neither: false };
  return { page: false, neither: proof === 'nothing' || (proof === 'asserted') !== asserted };
}

function together(children: readonly Unproven[]): Unproven {
  const canBeUnproven = children.every(({ page, neither }) => page || neither);
  return {
    page: canBeUnproven && children.some(({ page }) => page),
    neither: children.every(({ neither }) => neither),
  };
}

function either(children: readonly Unproven[]): Unproven {
  return { page: children.some(({ page }) => page), neither: children.some(({ neither }) => neither) };
}
