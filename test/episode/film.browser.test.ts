import { expect, test } from 'vitest';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { pictureType } from '../../src/report/html/failure-gallery.ts';
import { call, deciding, moves, refOf, stage } from './staged-episode.ts';

const PAGES = {
  '/': '<h1>Start</h1><button onclick="location.href = \'/end\'">Go on</button>',
  '/end': '<h1>Done</h1>',
};
const SEEN: unknown[] = [];
const CLICKS = deciding((last, turn) => {
  SEEN.push(last?.text);
  if (turn === 0) return call('snapshot');
  if (turn === 1) return call('click', { ref: refOf(last, 'Go on') });
  return turn === 2 ? call('snapshot') : { kind: 'done', answer: null };
});

const pictures = (events: readonly EpisodeEvent[]) => events.filter((each) => each.type === 'picture');

test('a film has a picture after each step, and shows where the mouse was pressed in this episode', async () => {
  await stage({ task: {}, pages: PAGES, agent: CLICKS });
  const {
    events,
    pictures: taken,
    result,
  } = await stage({ task: {}, pages: PAGES, agent: CLICKS, setup: { film: true } });
  expect(result.status).toBe('passed');
  expect(taken.map(pictureType)).toEqual(['image/jpeg', 'image/jpeg', 'image/jpeg']);
  expect(pictures(events)).toMatchObject([
    { step: 1, press: null, width: 1280, height: 720 },
    { step: 2, press: { x: expect.any(Number), y: expect.any(Number) } },
    { step: 3, press: null },
  ]);
});

test('the agent sees the same with a film and without, and the outcome is the same; without there is no picture', async () => {
  const outcomes: unknown[] = [];
  for (const film of [true, false]) {
    SEEN.length = 0;
    const { result, events, pictures: taken } = await stage({ task: {}, pages: PAGES, agent: CLICKS, setup: { film } });
    const { status, goal, guard, steps, toolErrors, finalUrl } = result;
    const judged = events.flatMap((each) => (each.type === 'judged' ? [each.unsettled] : []));
    outcomes.push({ status, goal, guard, steps, toolErrors, finalUrl, judged, seen: [...SEEN] });
    expect([taken.length, pictures(events).length]).toEqual(film ? [3, 3] : [0, 0]);
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
});

test('a page behind a dialog has no picture, and the dialog stays', async () => {
  const pages = { '/': '<h1>Done</h1><button onclick="alert(1)">Go on</button>' };
  const agent = deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    return turn === 1 ? call('click', { ref: refOf(last, 'Go on') }) : { kind: 'done', answer: null };
  });
  const task = { success: { kind: 'and' as const, children: [{ kind: 'no_dialog' as const }] } };
  const { events, evidence } = await stage({ task, pages, agent, setup: { film: true } });
  expect(pictures(events).map(({ step }) => step)).toEqual([]);
  expect(evidence.end).toBeUndefined();
});

test('an episode of many steps has at most sixty pictures', async () => {
  const agent = moves(...Array.from({ length: 63 }, () => call('snapshot')));
  const { events } = await stage({ task: { maxSteps: 80 }, pages: PAGES, agent, setup: { film: true } });
  expect(pictures(events).at(-1)?.step).toBe(60);
});
