import { expect, test } from 'vitest';
import type { Move } from '../../src/agent/agent.ts';
import { createRedactor } from '../../src/bundle/redact.ts';
import { act, type ActOptions } from '../../src/episode/act.ts';
import { TurnMeter } from '../../src/episode/turn-meter.ts';
import type { ToolReply } from '../../src/task/tool.ts';
import { heardSink } from './heard-sink.ts';
import { seatWith } from '../agent/seat.ts';

const SECRET = 'tulip-Harbour-4417';
const REDACTOR = createRedactor([{ name: 'WORD', value: SECRET }]);
const LIMIT = 4 * 1024 * 1024;

async function replied(text: string, options: Partial<ActOptions> = {}) {
  const written: string[] = [];
  const shown: string[] = [];
  const sink = heardSink((event) => {
    if (event.type === 'result') written.push(event.text);
  }, REDACTOR);
  const { caps } = seatWith().brief;
  const trajectory = await act({
    agent: {
      next: (last: ToolReply | null): Promise<Move> => {
        if (last === null) return Promise.resolve({ kind: 'call', call: { tool: 'look', args: {} } });
        shown.push(last.text);
        return Promise.resolve({ kind: 'done', answer: null });
      },
    },
    turns: new TurnMeter({ caps, sink }),
    surface: {
      tools: [{ name: 'look', description: 'Looks.', input_schema: {} }],
      call: () => Promise.resolve({ ok: true, kind: 'text', text }),
      bind: seatWith().bind,
      close: () => Promise.resolve(),
    },
    caps: { ...caps, wall_ms: 60_000 },
    sink,
    toolCallBegins: () => {},
    toolCallEnded: () => Promise.resolve(),
    injection: null,
    countTokens: null,
    currentUrl: () => '',
    pageState: () => Promise.resolve(null),
    browser: { condition: () => Promise.resolve('fit'), fault: () => null },
    ...options,
  });
  return { written: written.join('\n'), shown: shown.join('\n'), trajectory };
}

test('a secret at the cut of a reply is left out whole', async () => {
  const { written, shown } = await replied(`${'x'.repeat(LIMIT - 8)}${SECRET}${'y'.repeat(100)}`);
  expect(written.slice(LIMIT - 8)).toMatch(/^\[secret:/);
  expect(written.slice(LIMIT)).toMatch(/^\n\[cut: \d+ characters\]$/);
  expect(shown.slice(LIMIT - 8)).toMatch(/^tulip-Ha\n\[cut: \d+ characters\]$/);
});

test('a wait before a step is not counted as the entrant’s time', async () => {
  const { caps } = seatWith().brief;
  const { trajectory } = await replied('text', { caps: { ...caps, wall_ms: 1_000 }, slowMs: 1_200 });
  expect(trajectory.stop).toBe('done');
});

test('a short reply is written whole, except for its secrets', async () => {
  const { written, shown } = await replied(`the word is ${SECRET}.`);
  expect(written).toBe('the word is [secret:WORD].');
  expect(shown).toBe(`the word is ${SECRET}.`);
});

test('a call that breaks the surface was made, and counts', async () => {
  const { written, trajectory } = await replied('done', {
    toolCallEnded: () => Promise.reject(new Error('no list any more')),
  });
  expect(written).toBe('done');
  expect(trajectory).toMatchObject({
    stop: 'agent_error',
    broke: 'surface',
    detail: 'the surface broke: no list any more',
    steps: 1,
  });
});

test.each([
  [null, 'the connection to the browser was lost during a call'],
  [`it said ${SECRET}`, 'the connection to the browser was lost during a call: it said [secret:WORD]'],
])('the ending reports a connection lost with the fault %s, without a secret', async (fault, detail) => {
  const { trajectory } = await replied('done', {
    browser: { condition: () => Promise.resolve('cut_off'), fault: () => fault },
  });
  expect(trajectory).toMatchObject({ stop: 'agent_error', broke: 'connection', detail });
});
