import { expect, test } from 'vitest';
import { createRedactor, type Secret } from '../../src/bundle/redact.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import type { EpisodeSetup } from '../../src/episode/episode-setup.ts';
import { filesInZip } from '../../src/world/archive/write-archive.ts';
import { call, deciding, moves, refOf, stage } from './staged-episode.ts';

const PAGES = { '/': '<h1>Start</h1><a href="/end">Go on</a>', '/end': '<h1>Done</h1><p>code-4711-abc</p>' };
const GO = moves(call('snapshot'), call('navigate', { url: 'http://stage.localhost/end' }));
const STAY = moves(call('snapshot'));

async function traced(setup: Partial<EpisodeSetup>, agent = GO, secrets: readonly Secret[] = []) {
  return await stage({ task: {}, pages: PAGES, agent, setup, redactor: createRedactor(secrets) });
}

const tracesIn = (events: readonly EpisodeEvent[]) => events.filter(({ type }) => type === 'trace');

async function textOf(zip: Buffer | undefined): Promise<string> {
  const files: string[] = [];
  for await (const bytes of filesInZip(zip ?? Buffer.alloc(0), 1e9)) files.push(bytes.toString('utf8'));
  return files.join('\n');
}

test('a trace holds the calls, the pages before and after, and the network traffic', async () => {
  const { result, events, traces } = await traced({ trace: 'on' });
  expect(result.status).toBe('passed');
  expect(tracesIn(events)).toEqual([{ type: 'trace', blob: expect.stringMatching(/^[0-9a-f]{64}$/), why: null }]);
  expect(traces).toHaveLength(1);
  const names = traces[0]?.toString('latin1') ?? '';
  expect(names).toContain('trace.trace');
  expect(names).toContain('trace.network');
  const text = await textOf(traces[0]);
  expect(text).toContain('"method":"goto"');
  expect(text).toContain('"type":"frame-snapshot"');
  expect(text).toContain('"type":"screencast-frame"');
  expect(text).toContain('http://stage.localhost/end');
});

test('an episode has the same outcome with a trace and without, and without there is none', async () => {
  const [on, off] = [await traced({ trace: 'on' }), await traced({})];
  const outcome = ({ result: { status, goal, guard, steps, toolErrors, finalUrl } }: typeof on) => {
    return { status, goal, guard, steps, toolErrors, finalUrl };
  };
  expect(outcome(on)).toEqual(outcome(off));
  expect(on.evidence.end?.pages).toHaveLength(off.evidence.end?.pages.length ?? 0);
  expect([tracesIn(off.events), off.traces]).toEqual([[], []]);
});

test('a trace of failures alone is kept for a failed episode', async () => {
  const [passed, failed] = [await traced({ trace: 'failures' }), await traced({ trace: 'failures' }, STAY)];
  expect([passed.result.status, failed.result.status]).toEqual(['passed', 'failed']);
  expect(tracesIn(passed.events)).toMatchObject([
    { blob: null, why: 'the attempt passed, and traces are kept of failures' },
  ]);
  expect([passed.traces.length, failed.traces.length]).toEqual([0, 1]);
});

test('a trace that contains a secret is not kept; one without is', async () => {
  const [holds, holdsNot] = [
    await traced({ trace: 'on' }, GO, [{ name: 'CODE', value: 'code-4711-abc' }]),
    await traced({ trace: 'on' }, GO, [{ name: 'CODE', value: 'code-0815-xyz' }]),
  ];
  expect(tracesIn(holds.events)).toMatchObject([{ blob: null, why: expect.stringContaining('it contains a secret') }]);
  expect([holds.traces.length, holdsNot.traces.length]).toEqual([0, 1]);
});

test('an open dialog stays open while the trace ends', async () => {
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    return turn === 1 ? call('click', { ref: refOf(last, '"Ask"') }) : { kind: 'done', answer: null };
  });
  const pages = { '/': `<h1>Done</h1><button onclick="confirm('Sure?')">Ask</button>` };
  const task = { success: { kind: 'not', child: { kind: 'no_dialog' } } } as const;
  const { result, traces, evidence } = await stage({ task, pages, agent, setup: { trace: 'on' } });
  expect(result.steps).toBe(2);
  expect(JSON.stringify(evidence.end)).toContain('Sure?');
  expect(traces).toHaveLength(1);
});
