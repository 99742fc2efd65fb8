import { expect, test } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import type { TaskInput } from '../../src/task/schema.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { heardSink } from './heard-sink.ts';
import { call, deciding, moves, ORIGIN, refOf, stage } from './staged-episode.ts';

const BUTTON = "<h1>Open</h1><button onclick=\"document.querySelector('h1').textContent='Done'\">Finish</button>";
const finish = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'button "Finish"') }) : { kind: 'done', answer: null };
});

test('an agent that does the work and reports done has passed', async () => {
  const { result, events } = await stage({ task: {}, pages: { '/': BUTTON }, agent: finish });
  expect(result).toMatchObject({ status: 'passed', goal: 'pass', guard: 'pass', decisive: null });
  expect(result).toMatchObject({ steps: 2, toolErrors: 0 });
  expect(events.map(({ type }) => type)).toEqual(
    `
    reset contract_evaluation judged opened tools agent_begun call result call result acted stop contract_evaluation
    judged surroundings
  `
      .trim()
      .split(/\s+/),
  );
});

test('an agent that only repeats the heading fails, and the failed assertion is named with the text found', async () => {
  const { result } = await stage({
    task: {},
    pages: { '/': BUTTON },
    agent: moves({ kind: 'done', answer: { value: 'Done' } }),
  });
  expect(result.status).toBe('failed');
  expect(result.decisive?.leaf).toMatchObject({
    path: '',
    kind: 'dom_text',
    expected: fact('text_contains', { fresh: false, selector: 'h1', text: 'Done' }),
    observed: { preview: 'Open', length: 4 },
  });
});

test('giving up is no failure of the contract but a status of its own, with the verdicts kept', async () => {
  const agent = moves({ kind: 'give_up', reason: 'too hard' });
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'gave_up', detail: 'too hard', goal: 'fail', stop: 'gave_up' });
});

test('work without a report of done does not pass', async () => {
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    return turn === 1 ? call('click', { ref: refOf(last, 'Finish') }) : { kind: 'give_up', reason: 'not sure' };
  });
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'gave_up', goal: 'pass' });
});

test('the cap of steps stops an agent that never ends', async () => {
  const agent = deciding(() => call('snapshot'));
  const { result } = await stage({ task: { maxSteps: 3 }, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'max_steps', steps: 3, lastCall: { tool: 'snapshot' } });
});

test('the caps of a plan apply, not those of the task', async () => {
  const agent = deciding(() => call('snapshot'));
  const caps = { steps: 1, turns: null, wall_ms: 60_000, tokens: null, cost_usd: null };
  const { result } = await stage({ task: { maxSteps: 3 }, pages: { '/': BUTTON }, agent, setup: { caps } });
  expect(result.steps).toBe(1);
});

test('the wall cap ends an agent that never decides', async () => {
  const agent = deciding(() => new Promise(() => {}));
  const { result } = await stage({ task: { maxDurationMs: 100 }, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'timeout', stop: 'timeout' });
});

test('the wall cap cancels a call that hangs', async () => {
  const agent = moves(call('wait', { text: 'never there' }));
  const { result } = await stage({ task: { maxDurationMs: 300 }, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'timeout', steps: 1, toolErrors: 1 });
});

test('a tool error is data: the agent sees it and may recover', async () => {
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('fly', { to: 'the moon' });
    if (turn === 1) return call(last?.ok === false ? 'snapshot' : 'back');
    return turn === 2 ? call('click', { ref: refOf(last, 'Finish') }) : { kind: 'done', answer: null };
  });
  const { result, events } = await stage({ task: {}, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({ status: 'passed', steps: 3, toolErrors: 1 });
  expect(events.find(({ type }) => type === 'result')).toMatchObject({ ok: false, kind: 'error' });
});

test('an app that never reports its state leaves what depends on it inconclusive', async () => {
  const success = { kind: 'app_state', pointer: '/a', equals: 1 } as const;
  const state = () => new Promise<never>(() => {});
  const { result } = await stage({ task: { success }, pages: { '/': BUTTON }, agent: moves(), state });
  expect(result).toMatchObject({ status: 'invalid_task', goal: 'inconclusive' });
});

test('a task that is true at the start is invalid, and the agent is not asked', async () => {
  const agent = deciding(() => {
    throw new Error('was asked');
  });
  const { result } = await stage({ task: {}, pages: { '/': '<h1>Done</h1>' }, agent });
  expect(result).toMatchObject({
    status: 'invalid_task',
    detail: 'success is already true at the start',
  });
});

test('a task whose success cannot be judged at the start is invalid', async () => {
  const success = { kind: 'app_state', pointer: '/a', equals: 1 } as const;
  const { result } = await stage({ task: { success }, pages: { '/': BUTTON }, agent: moves() });
  expect(result).toMatchObject({
    status: 'invalid_task',
    detail: 'success cannot be judged at the start (this world has no app that keeps a state)',
  });
});

test('a task whose guards fail at the start is invalid', async () => {
  const guards = { kind: 'dom_count', selector: 'table', op: 'eq', value: 1 } as const;
  const { result } = await stage({ task: { guards }, pages: { '/': BUTTON }, agent: moves() });
  expect(result).toMatchObject({
    status: 'invalid_task',
    goal: 'fail',
    guard: 'fail',
    detail: 'guards are not true at the start',
  });
});

test('an agent that reaches the goal and damages something else has failed', async () => {
  let saved = 0;
  const state = () => ({ saved, other: 'as it was' });
  const guards = { kind: 'unchanged' } as const;
  const agent = deciding((last, turn) => {
    saved += turn;
    if (turn === 0) return call('snapshot');
    return turn === 1 ? call('click', { ref: refOf(last, 'Finish') }) : { kind: 'done', answer: null };
  });
  const { result } = await stage({ task: { guards }, pages: { '/': BUTTON }, agent, state });
  expect(result).toMatchObject({ status: 'failed', goal: 'pass', guard: 'fail' });
  expect(result.decisive).toMatchObject({ contract: 'guards', leaf: { observed: { preview: '/saved' } } });
});

test('a start page that cannot be opened is an infrastructure error', async () => {
  const { result } = await stage({ task: { startUrl: 'http://nowhere.localhost:1/' }, pages: {}, agent: moves() });
  expect(result.status).toBe('infra_error');
});

test('an episode whose end cannot be recorded counts as inconclusive, and is not asked again', async () => {
  const sink = {
    ...heardSink(),
    evidence: (moment: 'start' | 'end') => {
      if (moment === 'end') throw new Error('it is too long to be kept');
    },
  };
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent: finish, setup: { sink } });
  expect(result).toMatchObject({
    status: 'inconclusive',
    stop: 'done',
    goal: 'fail',
    steps: 0,
  });
});

test('a start page that asks something before it has loaded is judged as it is', async () => {
  const page = '<h1>Open</h1><script>alert("Welcome")</script>';
  const { result } = await stage({ task: {}, pages: { '/': page }, agent: moves() });
  expect(result).toMatchObject({ status: 'invalid_task', goal: 'inconclusive' });
});

test('a page that is about to be left for another has not arrived', async () => {
  const success = { kind: 'url', pattern: '/thanks$' } as const;
  const asking = `<button>Go</button><script>document.querySelector('button').onclick = () => {
    addEventListener('beforeunload', (event) => { event.preventDefault(); });
    history.back();
  }</script>`;
  const script = [
    () => call('navigate', { url: `${ORIGIN}/thanks` }),
    () => call('navigate', { url: `${ORIGIN}/asking` }),
    (last: ToolReply | null) => call('click', { ref: refOf(last, 'Go') }),
  ];
  const agent = deciding((last, turn) => script[turn]?.(last) ?? { kind: 'done', answer: null });
  const pages = { '/': BUTTON, '/thanks': '<h1>Thanks</h1>', '/asking': asking };
  const { result, evidence } = await stage({ task: { success }, pages, agent });
  expect(evidence.end?.pages[0]?.dialog).toMatchObject({ type: 'beforeunload' });
  expect(result).toMatchObject({ status: 'inconclusive', goal: 'inconclusive' });
});

test('an agent that closes every page has not shown that an element is gone', async () => {
  const success = { kind: 'not', child: { kind: 'dom_text', selector: 'h1', contains: 'Open' } } as const;
  const page = '<h1>Open</h1><button onclick="window.open(\'/own\')">Own</button>';
  const script = [
    () => call('snapshot'),
    (last: ToolReply | null) => call('click', { ref: refOf(last, 'Own') }),
    () => call('tabs', { action: 'close', index: 0 }),
    () => call('snapshot'),
    (last: ToolReply | null) => call('click', { ref: refOf(last, 'Close') }),
  ];
  const agent = deciding((last, turn) => script[turn]?.(last) ?? { kind: 'done', answer: null });
  const pages = { '/': page, '/own': '<button onclick="window.close()">Close</button>' };
  const { result, evidence } = await stage({ task: { success }, pages, agent });
  expect(evidence.end?.pages).toEqual([]);
  expect(result).toMatchObject({ status: 'inconclusive', goal: 'inconclusive' });
});

test('an agent that leaves the world finds nothing there, and the attempt is counted', async () => {
  const agent = moves(call('navigate', { url: 'https://www.wikipedia.org/' }));
  const { result } = await stage({ task: {}, pages: { '/': BUTTON }, agent });
  expect(result).toMatchObject({
    status: 'failed',
    toolErrors: 1,
    violations: { outside_world: 1 },
  });
});

test('a dialog left open fails no_dialog and leaves the rest inconclusive', async () => {
  const success: TaskInput['success'] = {
    kind: 'and',
    children: [{ kind: 'url', pattern: '/asked$' }, { kind: 'no_dialog' }],
  };
  const page = "<button onclick=\"history.pushState(0, 0, '/asked'); confirm('Sure?')\">Ask</button>";
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    return turn === 1 ? call('click', { ref: refOf(last, 'Ask') }) : { kind: 'done', answer: null };
  });
  const { result, evidence } = await stage({ task: { success }, pages: { '/': page }, agent });
  expect(result).toMatchObject({ status: 'failed', decisive: { leaf: { kind: 'no_dialog' } }, browserFit: true });
  expect(evidence.end?.pages[0]).toMatchObject({
    url: { captured: true, value: `${ORIGIN}/asked` },
    dialog: { type: 'confirm', message: 'Sure?' },
    dom: { captured: false },
  });
});

test('secrets are removed from events, evidence and result before anything is judged', async () => {
  const success = { kind: 'dom_text', selector: 'h1', contains: '[hidden]' } as const;
  const page =
    "<h1>Open</h1><button onclick=\"document.querySelector('h1').textContent='tok-12345678'\">Reveal</button>";
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    if (turn === 1) return call('click', { ref: refOf(last, 'Reveal') });
    return { kind: 'done', answer: { value: 'tok-12345678' } };
  });
  const hide = (text: string): string => text.replaceAll('tok-12345678', '[hidden]');
  const redactor = { text: hide, json: <T>(value: T): T => JSON.parse(hide(JSON.stringify(value))) };
  const left = await stage({ task: { success }, pages: { '/': page }, agent, redactor });
  expect(left.result).toMatchObject({ status: 'passed', answer: { value: '[hidden]' } });
  expect(JSON.stringify(left)).not.toContain('tok-12345678');
});

test('a page that never settles is judged as it is, and marked', async () => {
  const page = `${BUTTON}<p></p><script>setInterval(() => { document.querySelector('p').textContent = performance.now(); }, 5)</script>`;
  const { result } = await stage({ task: {}, pages: { '/': page }, agent: finish });
  expect(result).toMatchObject({ status: 'passed', unsettled: true });
});

test('a page in an endless loop ends in a verdict, not in a hang', async () => {
  const page = '<h1>Open</h1><button onclick="setTimeout(() => { for (;;) {} })">Spin</button>';
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    return turn === 1 ? call('click', { ref: refOf(last, 'Spin') }) : { kind: 'done', answer: null };
  });
  const { result } = await stage({ task: {}, pages: { '/': page }, agent });
  expect(result).toMatchObject({ status: 'inconclusive', goal: 'inconclusive', unsettled: true });
});
