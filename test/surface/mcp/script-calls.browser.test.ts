import { expect, test } from 'vitest';
import { Entrants } from '../../../src/plan/entrants.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { traitsOf } from '../../../src/surface/traits.ts';
import { aria } from '../../../src/surface/aria/aria.ts';
import type { Agent, Move } from '../../../src/agent/agent.ts';
import { call, deciding, moves, type Performance, refOf } from '../../episode/staged-episode.ts';
import { stageThrough } from '../../episode/stage-in-own-browser.ts';

const FORM = '<h1>Open</h1><label>Name <input></label><button>Send</button>';
const SCRIPT_LIKE = '() => { document.querySelector("h1").textContent = "Done"; }';

async function play(agent: Agent, maxSteps = 20, server = 'playwright-mcp'): Promise<Performance> {
  const surface = (await Entrants.load()).surface(server);
  if (surface.needs !== 'endpoint') throw new Error(`${server} is not a tool server`);
  return await stageThrough(surface, { task: { maxSteps, maxDurationMs: 240_000 }, pages: { '/': FORM }, agent });
}

test('seventy-five plain steps of playwright-mcp hold no script of the agent, even if their texts look like it', async () => {
  const types: Move[] = [
    call('browser_type', { target: 'e4', text: SCRIPT_LIKE }),
    call('browser_type', { target: 'e4', text: '() => document.title' }),
    call('browser_type', { target: 'e4', text: 'alert(1)' }),
    call('browser_type', { target: 'e4', text: '<b>bold</b>' }),
  ];
  const plain = [
    call('browser_snapshot'),
    call('browser_press_key', { key: 'Tab' }),
    call('browser_wait_for', { text: 'Open' }),
  ];
  let name = '';
  const agent = deciding((last, turn) => {
    name = last?.text.includes('textbox') === true ? refOf(last, 'textbox') : name;
    if (turn === 75) return { kind: 'done', answer: null };
    const move = turn % 4 === 1 ? types[Math.floor(turn / 4) % types.length] : plain[turn % plain.length];
    if (move?.kind !== 'call' || !('target' in move.call.args)) return move;
    return call('browser_type', { ...move.call.args, target: name });
  });
  const { result, events } = await play(agent, 100);
  expect(result).toMatchObject({ stop: 'done', steps: 75, toolErrors: 0, scriptCalls: 0 });
  const [recorded] = events.flatMap((event) => (event.type === 'gateway' ? [event] : []));
  expect(recorded).toMatchObject({ script_steps: [], methods: { 'Input.insertText': expect.any(Number) } });
  expect(recorded?.methods['Runtime.callFunctionOn']).toBeGreaterThan(75);
  expect(recorded?.inputs).toBeGreaterThan(30);
});

test('every evaluate counts once, in any form', async () => {
  const { result, events } = await play(
    moves(
      call('browser_snapshot'),
      call('browser_evaluate', { function: SCRIPT_LIKE }),
      call('browser_evaluate', { function: SCRIPT_LIKE }),
      call('browser_evaluate', { function: '  async () => {\n  return "é";\n}  ' }),
      call('browser_evaluate', { function: 'document.title' }),
      call('browser_snapshot'),
    ),
  );
  expect(result).toMatchObject({ status: 'passed', toolErrors: 0, scriptCalls: 4 });
  expect(events).toContainEqual(expect.objectContaining({ type: 'gateway', script_steps: [2, 3, 4, 5], inputs: 0 }));
});

test('every evaluate of chrome-devtools-mcp counts too, and filling and waiting do not', async () => {
  let field = '';
  const agent = deciding((last, turn) => {
    field = /uid=(\S+) textbox/.exec(last?.text ?? '')?.[1] ?? field;
    const steps: readonly (readonly [string, JsonObject])[] = [
      ['take_snapshot', {}],
      ['fill', { uid: field, value: SCRIPT_LIKE }],
      ['evaluate_script', { function: '() => document.title' }],
      ['wait_for', { text: ['Open'] }],
      ['evaluate_script', { function: SCRIPT_LIKE }],
    ];
    const [tool, args = {}] = steps[turn] ?? [];
    return tool === undefined
      ? { kind: 'done', answer: null }
      : { kind: 'call', call: { tool, args: { pageId: 1, ...args } } };
  });
  const { result, events } = await play(agent, 20, 'chrome-devtools-mcp');
  expect(result).toMatchObject({ status: 'passed', toolErrors: 0, scriptCalls: 2 });
  expect(events).toContainEqual(expect.objectContaining({ type: 'gateway', script_steps: [3, 5] }));
});

test('code that the server runs counts when it sends script to the page, and not when it only clicks', async () => {
  const { result } = await play(
    moves(
      call('browser_run_code_unsafe', { code: "async (page) => { await page.getByRole('button').click(); }" }),
      call('browser_run_code_unsafe', { code: `async (page) => { await page.evaluate(${SCRIPT_LIKE}); }` }),
    ),
  );
  expect(result).toMatchObject({ status: 'passed', toolErrors: 0, scriptCalls: 1 });
});

test('the tools of aria take no script, and a surface takes some unless it states that', () => {
  expect(traitsOf(aria)).toMatchObject({ takes_script: false });
  const silent = { ...aria };
  if (silent.needs === 'context') delete silent.takesScript;
  expect(traitsOf(silent)).toMatchObject({ takes_script: true });
});
