import { describe, expect, test } from 'vitest';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import type { Pins } from '../../src/plan/pins.ts';
import { messageFor } from '../../src/messages/messages.ts';
import { PASSED, SENT, START, TASK } from './sample-attempt.ts';
import { rejudged } from './staged-bundle.ts';

const THEIRS = { name: 'chromium', version: '1', build: '1', kind: 'shell', ours: false, sandbox: null } as const;
const SENT_IT = { task: TASK, start: START, end: SENT, row: PASSED };
const IN_THEIRS = { ...SENT_IT, row: { ...PASSED, browser: THEIRS } };
const told = (honest: EpisodeEvent[]): EpisodeEvent[] => [{ type: 'browser_not_ours' }, ...honest];

async function problemsOf(...staged: Parameters<typeof rejudged>): Promise<readonly string[]> {
  const [again] = await rejudged(...staged);
  return again?.problems.map(messageFor) ?? ['nothing was judged'];
}

test('a row and its events may state that the browser was not ours, although one of ours is pinned', async () => {
  expect(await problemsOf(IN_THEIRS, { events: told })).toEqual([]);
});

test('a row that calls the browser ours is named if its events do not', async () => {
  expect(await problemsOf(SENT_IT, { events: told })).toEqual([
    'browser is not what was recorded: at ours expected false, found true',
  ]);
});

test('a row that calls the browser not ours is named if its events do not', async () => {
  expect(await problemsOf(IN_THEIRS)).toEqual(['browser is not what was recorded: at ours expected true, found false']);
});

test('events that call the browser not ours are named if the pinned one is not ours either', async () => {
  const campaign = ({ pins, ...rest }: CampaignFile): CampaignFile => ({ ...rest, pins: { ...pins, browser: THEIRS } });
  expect(await problemsOf(SENT_IT, { events: told, campaign })).toContain(
    'events.jsonl records a browser from outside, but the pins name one that Touchstone started',
  );
});

describe('a surface with a browser of ours to itself', () => {
  const alone = (surfaces: Pins['surfaces']): Pins['surfaces'] =>
    Object.fromEntries(Object.entries(surfaces).map(([id, traits]) => [id, { ...traits, isolation: 'browser' }]));
  const campaign = ({ pins, ...rest }: CampaignFile): CampaignFile => ({
    ...rest,
    pins: { ...pins, surfaces: alone(pins.surfaces) },
  });

  test.each([
    ['context', []],
    ['browser', ['isolation is not what was recorded: expected "context", found "browser"']],
  ] as const)('has isolation %s in the row of a browser that is not ours', async (isolation, problems) => {
    const staged = { ...IN_THEIRS, row: { ...IN_THEIRS.row, isolation } };
    expect(await problemsOf(staged, { events: told, campaign })).toEqual(problems);
  });
});
