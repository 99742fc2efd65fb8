import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { CapturedElement, CapturedFrame } from './captured-tree.ts';
import { SelectorMatcher } from './match-selector.ts';
import { parseSelector, SelectorError } from './parse-selector.ts';
import { messageOf } from '../message-of.ts';

/**
 * Checks a selector; null if it is sound: at most 512 characters of CSS that `querySelectorAll` takes and a capture can answer.
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
 * All elements of a frame that `querySelectorAll` on its document and on each author shadow root would find, in
 * shadow-including tree order.
 * @throws SelectorError
 */
export function selectAll(frame: CapturedFrame, selector: string): CapturedElement[] {
  return frame.elements.filter(new SelectorMatcher(frame).any(parseSelector(selector)));
}
