import { expect, test } from 'vitest';
import type { Json } from '../../src/contract/json.ts';
import { grownUnderGuard, growing, pressing, STATE_MISSING } from './growing-state.ts';
import { call, deciding, ORIGIN, stage } from './staged-episode.ts';

function nested(depth: number): Json {
  let nest: Json = [];
  for (let level = 0; level < depth; level += 1) nest = [nest];
  return nest;
}

test('an app state of lists in lists, 100 000 deep, is missing, and the attempt counts', async () => {
  expect(await grownUnderGuard(() => nested(100_000))).toMatchObject(STATE_MISSING);
});

test('an app state of 1 MB is captured', async () => {
  const success = { kind: 'app_state', pointer: '/size', equals: 'large' } as const;
  const app = growing(() => ({ size: 'large', text: 'x'.repeat(1e6) }));
  const { result } = await stage({ task: { success }, agent: pressing, ...app });
  expect(result.status).toBe('passed');
});

test('an answer that is too long ends the agent, which is not asked again', async () => {
  const agent = deciding(() => ({ kind: 'done', answer: { value: 'x'.repeat(9e7) } }));
  const { result } = await stage({ task: {}, pages: { '/': '<h1>Open</h1>' }, agent });
  expect(result).toMatchObject({ status: 'agent_error', answer: null });
});

test.each(['network', 'state', 'anotherProxy'])(
  'a world that fails at its %s once the entrant has acted is not an infrastructure error',
  async (name) => {
    const success = { kind: 'dom_text', selector: 'h1', contains: 'Done', fresh: true } as const;
    let hasActed = false;
    const agent = deciding((_last, turn) => {
      if (turn === 0) return call('navigate', { url: `${ORIGIN}/` });
      hasActed = true;
      return { kind: 'done', answer: null };
    });
    const throwing = (): never => {
      throw new RangeError('Invalid string length');
    };
    const { result } = await stage({
      task: { success },
      pages: { '/': '<h1>Open</h1>' },
      agent,
      worldWith: (world) => ({
        ...world,
        get [name]() {
          return hasActed ? throwing : Reflect.get(world, name);
        },
      }),
    });
    expect(['failed', 'inconclusive']).toContain(result.status);
    expect(result.stop).toBe('done');
  },
);
