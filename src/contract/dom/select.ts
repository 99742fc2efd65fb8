import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { CapturedElement, CapturedFrame } from './captured-tree.ts';
import { SelectorMatcher } from './match-selector.ts';
import { parseSelector, SelectorError } from './parse-selector.ts';
import { messageOf } from '../message-of.ts';

/**
 * Checks a selector; null when it is sound. A sound selector is at most 512
 * characters of CSS that `querySelectorAll` takes too and that a capture can answer: names, attributes, combinators,
 * `:not :is :where :has`, the structural pseudo-classes and the states of form controls.
 */
export function selectorProblem(selector: string): Fact | null {
  try {
    parseSelector(selector);
    return null;
  } catch (error) {
    return error instanceof SelectorError ? error.fact : fact('selector_invalid', { why: messageOf(error) });
  }
}

/**
 * All elements of a frame that a selector matches, as `querySelectorAll` on its document and on each of its author
 * shadow roots would find them (so no combinator crosses a shadow boundary), in shadow-including document order.
 * Throws an Error when the selector is not sound.
 */
export function selectAll(frame: CapturedFrame, selector: string): CapturedElement[] {
  return frame.elements.filter(new SelectorMatcher(frame).any(parseSelector(selector)));
}
