import { describe, expect, test } from 'vitest';
import type { Move } from '../../src/agent/agent.ts';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import type { Bind, Intent } from '../../src/task/intent.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { NEVER, reply, seatWith } from './seat.ts';

const CLICK: Intent = { do: 'click', role: 'button', name: 'Send' };
const LOOK: Move = { kind: 'call', call: { tool: 'look', args: {} }, writtenStep: 1 };

/** Binds what needs no element at once, and a click only to a reply of kind `page`. */
const bind: Bind = (intent, last) => {
  if (intent.do !== 'click') return { kind: 'call', call: { tool: intent.do, args: {} } };
  return last?.kind === 'page'
    ? { kind: 'call', call: { tool: 'click', args: { name: intent.name } } }
    : { kind: 'observe', call: { tool: 'look', args: {} } };
};

async function movesOf(steps: Intent[], replies: ToolReply[], binding = bind): Promise<Move[]> {
  const session = await referenceAgent('reference', steps).open(seatWith([], binding));
  const moves = [await session.next(null, NEVER)];
  for (const each of replies) moves.push(await session.next(each, NEVER));
  return moves;
}

describe('the reference', () => {
  test('follows its steps in order, and then is done', async () => {
    expect(await movesOf([{ do: 'read' }, { do: 'press', key: 'Enter' }], [reply('page'), reply('page')])).toEqual([
      { kind: 'call', call: { tool: 'read', args: {} }, writtenStep: 1 },
      { kind: 'call', call: { tool: 'press', args: {} }, writtenStep: 2 },
      { kind: 'done', answer: null },
    ]);
  });

  test('looks before it acts if the surface asks for that', async () => {
    expect(await movesOf([CLICK], [reply('page'), reply('page')])).toEqual([
      LOOK,
      { kind: 'call', call: { tool: 'click', args: { name: 'Send' } }, writtenStep: 1 },
      { kind: 'done', answer: null },
    ]);
  });

  test('numbers each call by its step', async () => {
    const moves = await movesOf([CLICK, CLICK], [reply('page'), reply('dialog'), reply('page')]);
    expect(moves.map((move) => (move.kind === 'call' ? move.writtenStep : move.kind))).toEqual([1, 1, 2, 2]);
  });

  test('does not look again when the last reply shows what it needs', async () => {
    const moves = await movesOf([CLICK, CLICK], [reply('page'), reply('page'), reply('page')]);
    expect(moves.filter((move) => move.kind === 'call' && move.call.tool === 'look')).toHaveLength(1);
  });

  test('looks once more for each step that needs it', async () => {
    const moves = await movesOf([CLICK, CLICK], [reply('page'), reply('dialog'), reply('page')]);
    expect(moves.map((move) => (move.kind === 'call' ? move.call.tool : move.kind))).toEqual([
      'look',
      'click',
      'look',
      'click',
    ]);
  });

  test.each<[Intent, Move]>([
    [
      { do: 'answer', value: 'B-4711' },
      { kind: 'done', answer: { value: 'B-4711' } },
    ],
    [
      { do: 'answer', value: 0 },
      { kind: 'done', answer: { value: 0 } },
    ],
    [{ do: 'not_possible' }, { kind: 'done', answer: { not_possible: true } }],
  ])('is done with its answer (%j)', async (step, move) => {
    expect(await movesOf([step], [])).toEqual([move]);
  });

  test('starts from the beginning in every episode', async () => {
    const agent = referenceAgent('reference', [{ do: 'read' }]);
    for (const _ of [1, 2]) {
      const session = await agent.open(seatWith([], bind));
      expect(await session.next(null, NEVER)).toMatchObject({ kind: 'call', call: { tool: 'read' } });
    }
  });
});

describe('a reference that breaks at a failed step', () => {
  const read: Intent = { do: 'read' };
  const failed: ToolReply = { ok: false, kind: 'error', text: 'there is no option "Yellow"\n  of two' };
  const begun = async (steps: Intent[], ...[afterFailure]: [] | ['breaks']) => {
    const session = await referenceAgent('near-miss-1', steps, afterFailure).open(seatWith([], bind));
    await session.next(null, NEVER);
    return session;
  };

  test('names that step, even if it is the last', async () => {
    const first = await begun([read, read], 'breaks');
    await expect(first.next(failed, NEVER)).rejects.toMatchObject({
      code: 'step_failed',
      params: { step: 1, why: 'there is no option "Yellow"' },
    });
    const last = await begun([read], 'breaks');
    await expect(last.next(failed, NEVER)).rejects.toMatchObject({ code: 'step_failed', params: { step: 1 } });
  });

  test('continues after a look that failed while the page settles, and looks once more', async () => {
    const session = await begun([{ do: 'settle' }, read], 'breaks');
    expect(await session.next(failed, NEVER)).toMatchObject({ kind: 'call', writtenStep: 1 });
  });

  test('continues from an address with an error status, since it did request it', async () => {
    const text = 'net::ERR_HTTP_RESPONSE_CODE_FAILURE at http://a.test/gone';
    const go: Intent = { do: 'go', url: 'http://a.test/gone' };
    const refused = await begun([go, read], 'breaks');
    expect(await refused.next({ ok: false, kind: 'error', text }, NEVER)).toMatchObject({ writtenStep: 2 });
    const gone = await begun([go, read], 'breaks');
    const why = { ok: false, kind: 'error', text: 'net::ERR_NAME_NOT_RESOLVED' };
    await expect(gone.next(why, NEVER)).rejects.toMatchObject({
      params: { step: 1, why: 'net::ERR_NAME_NOT_RESOLVED' },
    });
  });

  test('is not a solution, which goes on', async () => {
    const session = await begun([read, read]);
    expect(await session.next(failed, NEVER)).toMatchObject({ kind: 'call', writtenStep: 2 });
  });
});

describe('the reference breaks, with the step,', () => {
  test('when an element is missing at the second look', async () => {
    const session = await referenceAgent('reference', [CLICK]).open(seatWith([], bind));
    await session.next(null, NEVER);
    await expect(session.next(reply('dialog'), NEVER)).rejects.toMatchObject({
      code: 'step_not_bound',
      params: { step: 'click "button" "Send"', why: 'the surface does not show it' },
    });
  });

  test('with the names of the same kind, if the surface lists elements', async () => {
    const session = await referenceAgent('reference', [CLICK]).open(
      seatWith([], () => ({ kind: 'observe', call: { tool: 'look', args: {} } })),
    );
    await session.next(null, NEVER);
    const text = '- button "Submit" [ref=e1]\n- link "Send" [ref=e2]\n- button "Cancel" [ref=e3]';
    await expect(session.next({ ok: true, kind: 'snapshot', text }, NEVER)).rejects.toMatchObject({
      params: { why: 'the surface does not show it; of its kind it shows "Submit", "Cancel"' },
    });
  });

  test('when the surface cannot do such a step', async () => {
    const session = await referenceAgent('reference', [{ do: 'press', key: 'F1' }]).open(
      seatWith([], () => ({ kind: 'impossible', why: 'it has no keyboard' })),
    );
    await expect(session.next(null, NEVER)).rejects.toMatchObject({
      code: 'step_not_bound',
      params: { step: 'press "F1"', why: 'it has no keyboard' },
    });
  });
});
