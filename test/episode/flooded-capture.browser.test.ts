import { expect, test } from 'vitest';
import type { Json } from '../../src/contract/json.ts';
import { call, deciding, ORIGIN, type Pages, refOf, stage, type Staged } from './staged-episode.ts';

const pressing = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'Go') }) : { kind: 'done', answer: null };
});

function button(script: string): string {
  return `<h1>Open</h1><button>Go</button><script>document.querySelector('button').onclick = () => { ${script} }</script>`;
}

function growing(grown: () => Json): Pick<Staged, 'pages' | 'state'> {
  let state: Json = { size: 'small' };
  const pages: Pages = {
    '/': button("document.querySelector('h1').textContent = 'Done'; fetch('/grow', { method: 'POST' })"),
    '/grow': () => {
      state = grown();
      return new Response('grown');
    },
  };
  return { pages, state: () => state };
}

function nested(depth: number): Json {
  let nest: Json = [];
  for (let level = 0; level < depth; level += 1) nest = [nest];
  return nest;
}

test.each<[string, () => Json]>([
  ['90 MB that JSON escapes', () => ({ text: '\u0001'.repeat(90e6) })],
  ['90 MB of letters', () => ({ text: 'x'.repeat(90e6) })],
  ['30 MB in small pieces', () => Array.from({ length: 1e6 }, () => 'x'.repeat(27))],
  ['lists in lists, 100 000 deep', () => nested(100_000)],
])('an app state of %s is missing, and the attempt counts', async (_what, grown) => {
  const guards = { kind: 'unchanged' } as const;
  const { result, evidence } = await stage({ task: { guards }, agent: pressing, ...growing(grown) });
  expect(result).toMatchObject({ status: 'inconclusive', stop: 'done', goal: 'pass', guard: 'inconclusive' });
  expect(evidence.end?.app_state).toMatchObject({ captured: false });
  expect(evidence.end?.network).toMatchObject({ captured: true });
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
