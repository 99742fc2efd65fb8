import { expect, test } from 'vitest';
import { finishRow } from '../../../src/bundle/finish-row.ts';
import { ProgressListener } from '../../../src/cli/live/progress.ts';
import { EventLines, inEvents } from '../../../src/cli/live/event-lines.ts';
import { together } from '../../../src/cli/live/listeners.ts';
import { RunEvent } from '../../../src/cli/live/run-event.ts';
import { SAMPLE } from '../../bundle/sample-row.ts';
import { plannedEpisode } from '../../plan/sample-plan.ts';

const HOSTILE = '\u001b[2J\u202e\nnext line';

async function linesOf(verbose: boolean): Promise<string[]> {
  const lines: string[] = [];
  const terminal = { out: () => {}, note: (line: string) => lines.push(line) };
  const progress = new ProgressListener({ iterations: 1, isBilled: () => false });
  const events = new EventLines(terminal, progress, { verbose });
  const listener = together(progress, events);
  const end = events.tellProgress();
  const episode = plannedEpisode(0);
  listener.phase?.('trying the worlds');
  listener.planned?.(1, 0, 1);
  listener.askedFirst?.({ agent: 'a', modelId: HOSTILE, calledTool: true, usd: null });
  listener.started?.(episode);
  listener.event?.(episode, { type: 'call', step: 1, tool: HOSTILE, args: {}, args_blob: null });
  listener.interrupted?.(episode, HOSTILE);
  listener.worldNotClosed?.(episode, HOSTILE);
  await listener.finished?.(finishRow({ ...SAMPLE, episode_id: episode.episodeId }));
  inEvents(terminal).note(`\u001b[31m${HOSTILE}\u001b[39m`);
  end();
  end();
  return lines;
}

test('all that is told is a line of the published schema', async () => {
  const lines = await linesOf(true);
  const events = lines.map((line) => RunEvent.parse(JSON.parse(line)));
  expect(events.map(({ event }) => event)).toEqual([
    'phase',
    'planned',
    'asked_first',
    'started',
    'episode_event',
    'interrupted',
    'note',
    'finished',
    'note',
    'progress',
  ]);
  expect(events.at(-1)).toMatchObject({ total: 1, done: 1, passed: 0, of: 1, low: null, high: null, at_work: [] });
  expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(lines.join('')).toContain('\\u202e');
});

test('events of episodes are told to whoever asks for them', async () => {
  const events = (await linesOf(false)).map((line) => RunEvent.parse(JSON.parse(line)).event);
  expect(events).not.toContain('episode_event');
});

test('a listener that waits is waited for', async () => {
  const order: string[] = [];
  const slow = {
    finished: async () => {
      await Promise.resolve();
      order.push('first');
    },
  };
  await together(slow, {
    finished: () => {
      order.push('second');
    },
  }).finished?.(finishRow(SAMPLE));
  expect(order).toEqual(['first', 'second']);
});
