import { describe, expect, test } from 'vitest';
import { targetFigures } from '../../../src/episode/target-ledger.ts';
import { appMcp } from '../../../src/surface/app-tools/app-mcp.ts';
import { webmcp } from '../../../src/surface/app-tools/webmcp.ts';
import { TARGET_CLASSES, type TargetClass, TargetFacts } from '../../../src/task/target.ts';
import type { ToolReply } from '../../../src/task/tool.ts';
import { firstOfEach } from '../first-of-each.ts';
import { aimedAt, CASES, openTools } from './target-cases.ts';

/** Why no call of an app's own tools is of a class. */
const CANNOT_BE: Partial<Record<TargetClass, string>> = {
  ambiguous: 'a name is of one thing: the app that gave it keeps it from being of two',
};

describe.each([appMcp, webmcp])('through $id, a call that aims at', (surface) => {
  test.each(firstOfEach(CASES, ([, expected]) => expected))('%s is %s', async (...aim) => {
    const [, expected, isDone] = aim;
    expect(await aimedAt(surface, aim)).toEqual({ aimed: expected, ok: isDone, dispatched: isDone });
  });

  test('nothing has no target', async () => {
    await using scene = await openTools(surface);
    expect((await scene.call('list_clients')).target).toBeNull();
  });

  test('a phantom that the app refused was filtered, and an accepted one has reached it', async () => {
    await using scene = await openTools(surface);
    const refused = await scene.call('get_invoice', { invoice_id: 'INV-0099' });
    const taken = await scene.call('get_invoice', { invoice_id: 'INV-0004' });
    const worst = (...replies: ToolReply[]) =>
      targetFigures(
        replies.map(({ target }) => TargetFacts.parse(target)),
        false,
      ).hallucination;
    expect(worst(refused)).toBe('filtered');
    expect(worst(refused, taken)).toBe('reached_failed');
  });
});

test('every class has a case, or a reason why it has none', () => {
  const shown = new Set(CASES.map(([, expected]) => expected));
  const all: TargetClass[] = [...TARGET_CLASSES];
  expect(all.filter((each) => !shown.has(each))).toEqual(Object.keys(CANNOT_BE));
});
