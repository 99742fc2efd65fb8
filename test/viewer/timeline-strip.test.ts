import { expect, it } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { filmSection } from '../../src/viewer/film.ts';
import { timelineStrip, type TimelineMoment } from '../../src/viewer/timeline.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

type Known<T extends EpisodeEvent['type']> = Extract<EpisodeEvent, { type: T }>;

/** A call that ran from one moment to another, of which its tool took some. */
function step(number: number, from: number, { to, took }: { to: number; took: number }): TimelineMoment {
  const call: Known<'call'> = { type: 'call', step: number, tool: 'click', args: {}, args_blob: null };
  const result: Known<'result'> = {
    type: 'result',
    step: number,
    tool: 'click',
    ok: true,
    kind: 'text',
    text: '',
    text_blob: null,
    bytes: 0,
    tokens: null,
    tool_ms: took,
    url: 'http://app.localhost/',
    progress: null,
    page_state_sha256: null,
    target: null,
  };
  return {
    kind: 'step',
    call: { line: 1, at: from, event: call },
    result: { line: 2, at: to, event: result },
    named: [],
  };
}

function keysOf(moments: TimelineMoment[]): string[] {
  const drawn = String(timelineStrip({ moments, pictures: new Map(), start: NONE, end: NONE, cut: 0 }) ?? '');
  return [...drawn.matchAll(/<li>(.*?)<\/li>/g)].map(([, key = '']) => key.replaceAll(/<[^>]*>/g, ''));
}

const NONE = { success: null, guards: null };

it('adds up: what the tools took, as the list of steps and the row have it, what passed between, and the whole', () => {
  const moments = [step(1, 1_000, { to: 1_230, took: 210 }), step(2, 1_240, { to: 1_710, took: 470 })];
  expect(keysOf(moments)).toEqual([
    'tool call, 0.68 s',
    'between them, 0.03 s: the agent, and Touchstone noting what each call did',
    'from the first to the last 0.71 s',
  ]);
});

it('says nothing of what passed between where nothing did', () => {
  expect(keysOf([step(1, 0, { to: 500, took: 500 })])).toEqual([
    'tool call, 0.50 s',
    'from the first to the last 0.50 s',
  ]);
});

it('says at a step without a picture how to have one, as it is typed in a clone, and elsewhere says nothing of it', () => {
  const moments = [step(1, 0, { to: 5, took: 5 }), step(2, 5, { to: 10, took: 5 })];
  const row = finishRow({ ...SAMPLE, artifacts: { ...SAMPLE.artifacts, screenshot_end: 'e'.repeat(64) } });
  const film = String(filmSection({ moments, pictures: new Map(), start: NONE, end: NONE, cut: 0 }, row));
  const [, first = '', second = ''] = film.split(/(?=<article )/).slice(1);
  expect(first).toContain('id="step-1"');
  expect(first).toContain(
    `<code>npm run touchstone -- run ${row.suite} --task ${row.task} --agent ${row.agent} --surface ${row.surface} --film</code>`,
  );
  expect(second).toContain('id="step-2"');
  expect(second).not.toContain('--film');
});
