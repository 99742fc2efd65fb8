import { describe, expect, test } from 'vitest';
import { type TargetClass, targetClass, TargetFacts } from '../../src/task/target.ts';
import { NAMED, type NamingSurface, openPage, TARGET_CASES } from './conformance-cases.ts';

/** Longest that a surface waits for an element to become fit, in ms. */
const SHORT = 1_500;

/** Whether no element is waited for in vain. */
function isQuick(expected: TargetClass): boolean {
  return expected === 'resolved' || expected === 'not_yet_present';
}

/** Tests which target a surface reports for its calls. */
export function describeTargets(surface: NamingSurface): void {
  describe(`through ${surface}, the target of a call is`, () => {
    test.each(TARGET_CASES)('%s: %s', async (expected, _, run) => {
      await using scene = await openPage(surface, ...(isQuick(expected) ? [] : [SHORT]));
      const shown = await scene.follow({ do: 'read' });
      const target = TargetFacts.parse((await run(scene, shown, surface)).target);
      expect(targetClass(target)).toBe(expected);
      // A selector is acted on if it matches now, even if the element was not shown; a reference or an id is not.
      const isSent = expected === 'resolved' || (expected === 'not_yet_present' && surface === 'dom');
      expect(target.dispatched).toBe(isSent);
    });

    test('nothing, if a call names nothing', async () => {
      await using scene = await openPage(surface);
      expect((await scene.follow({ do: 'read' })).target).toBeNull();
      expect((await scene.call('press', { key: 'Tab' })).target).toBeNull();
    });

    test('a phantom before anything was shown, even if it is there', async () => {
      await using scene = await openPage(surface);
      const named = surface === 'aria' ? { ref: 'e2' } : NAMED[surface].as('', 'Deep');
      expect((await scene.call('click', named)).target).toMatchObject({ shown: false, matched_then: null });
    });
  });
}
