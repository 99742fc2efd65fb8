import { expect, test } from 'vitest';
import { referenceAgent } from '../../src/agent/kinds/reference.ts';
import { byKeyboard, madeFrom, othersThan, type TrialStep } from '../../src/agent/kinds/trial-step.ts';
import type { Bind, Intent } from '../../src/task/intent.ts';
import { NEVER, reply, seatWith } from './seat.ts';

const CLICK: Intent = { do: 'click', role: 'link', name: 'Products viewed' };
const TEXT = `- link "Products sold" [ref=e1]
- link "Products viewed" [ref=e2]
- link "Products viewed by country" [ref=e3]
- button "Products viewed again" [ref=e4]
- textbox "Name" [ref=e5]
- textbox "Notes" [ref=e6]
- combobox "Size" [ref=e7]:
  - option "Small" [selected]
  - option "Large"`;
const SHOWN = { ok: true, kind: 'snapshot', text: TEXT };

function others(step: Intent): (Intent | undefined)[] {
  return othersThan(step).map((other) => madeFrom(other, SHOWN, 0)?.intent);
}

test('others of the same role are ordered by the common beginning of their names', () => {
  expect(others(CLICK)).toEqual([
    { ...CLICK, name: 'Products viewed by country' },
    { ...CLICK, name: 'Products sold' },
  ]);
});

test('another field is filled, and another option is chosen', () => {
  const fill: Intent = { do: 'fill', label: 'Name', text: 'Ada' };
  const choose: Intent = { do: 'choose', label: 'Size', option: 'Small' };
  expect(others(fill)[0]).toEqual({ ...fill, label: 'Notes' });
  expect(others(choose)).toEqual([{ ...choose, option: 'Large' }, undefined]);
});

test('a step that names no element has no other', () => {
  expect(others({ do: 'press', key: 'Enter' })).toEqual([]);
});

const bind: Bind = (intent) => ({
  kind: 'call',
  call: { tool: intent.do, args: 'name' in intent ? { name: intent.name } : {} },
});
const [NEAREST] = othersThan(CLICK);

async function begun(steps: (TrialStep | undefined)[]) {
  const given = steps.filter((step) => step !== undefined);
  return await referenceAgent('perturbed-1', given).open(seatWith([], bind));
}

test('the agent looks, acts on the other, and goes on with the next step', async () => {
  const session = await begun([NEAREST, { do: 'press', key: 'Enter' }]);
  expect(await session.next(null, NEVER)).toMatchObject({ call: { tool: 'read' }, writtenStep: 1 });
  expect(await session.next(SHOWN, NEVER)).toMatchObject({
    call: { tool: 'click', args: { name: 'Products viewed by country' } },
    writtenStep: 1,
  });
  expect(await session.next(SHOWN, NEVER)).toMatchObject({ call: { tool: 'press' }, writtenStep: 2 });
});

test('the agent breaks if there is no other at the second look', async () => {
  const session = await begun([NEAREST]);
  await session.next(null, NEVER);
  await expect(session.next(reply('page'), NEVER)).rejects.toMatchObject({
    code: 'step_not_bound',
    params: { step: 'click on another link, the nearest in name' },
  });
});

test('by keyboard, the agent presses Tab until the element has the focus, and then its key', async () => {
  const button: Intent = { do: 'click', role: 'button', name: 'Send' };
  const shown = (first: string, second: string) => ({
    ...SHOWN,
    text: `- link "Send"${first} [ref=e1]\n- button "Send"${second} [ref=e2]`,
  });
  const session = await begun([byKeyboard(button) ?? button]);
  const keys: unknown[] = [];
  for (const last of [null, shown('', ''), shown(' [active]', ''), shown('', ' [active]')]) {
    keys.push(await session.next(last, NEVER));
  }
  expect(keys).toMatchObject(['read', 'press', 'press', 'press'].map((tool) => ({ call: { tool }, writtenStep: 1 })));
  expect(await session.next(shown('', ' [active]'), NEVER)).toMatchObject({ kind: 'done' });
});

test('by keyboard, the agent breaks if the focus never comes', async () => {
  const session = await begun([
    byKeyboard({ do: 'click', role: 'button', name: 'Products viewed again' }) ?? undefined,
  ]);
  const tabbed = async (): Promise<number> => {
    for (let calls = 0; ; calls += 1) {
      try {
        await session.next(SHOWN, NEVER);
      } catch {
        return calls;
      }
    }
  };
  expect(await tabbed()).toBeLessThan(50);
});

test('another link to the same address is one with another name', () => {
  const text = `- link "Home" [ref=e1]:
  - /url: /
- link "Products viewed" [ref=e2]:
  - /url: /viewed
- link "Most viewed" [ref=e3]:
  - /url: /viewed`;
  const from = (name: string) =>
    madeFrom({ do: 'same_address', than: { do: 'click', role: 'link', name } }, { ...SHOWN, text }, 0)?.intent;
  expect(from('Products viewed')).toMatchObject({ name: 'Most viewed' });
  expect(from('Home')).toBeUndefined();
});
