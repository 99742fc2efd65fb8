import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { firstScreen } from '../../src/cli/first-screen.ts';
import { widthOf } from '../../src/cli/layout.ts';
import { EventLines, inEvents, RunEvent } from '../../src/cli/live/event-lines.ts';
import { together } from '../../src/cli/live/follow.ts';
import { ProgressListener } from '../../src/cli/live/progress.ts';
import { progressLines } from '../../src/cli/live/progress-display.ts';
import { ProgressPrinter } from '../../src/cli/progress-printer.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { plannedEpisode, SMALL_PLAN } from '../plan/sample-plan.ts';
import { drawnReport } from '../report/drawn-report.ts';
import { HOSTILE, HOSTILE_EVENTS } from './hostile-events.ts';
import { MIDDLE } from './sample-progress.ts';
import { terminalOf } from './terminal-of.ts';

const OBEYED = /[\p{Cc}\u202e]/u;

test('lines about a run show what a page or an agent wrote, and no terminal obeys it', () => {
  const { terminal, err } = terminalOf(null);
  const printer = new ProgressPrinter(terminal, { verbose: true, plan: SMALL_PLAN });
  for (const event of HOSTILE_EVENTS) if (event.type !== 'contract_evaluation') printer.event(plannedEpisode(0), event);
  printer.finished(finishRow({ ...SAMPLE, last_tool_call: { tool: HOSTILE, args: {} } }));
  for (const line of err()) expect(line).not.toMatch(OBEYED);
  expect(err().join('\n')).toContain('opening ␛[2J');
});

async function eventLines(verbose: boolean): Promise<string[]> {
  const { terminal, err } = terminalOf(null);
  const progress = new ProgressListener({ iterations: 1, isBilled: () => false });
  const events = new EventLines(terminal, progress, { verbose });
  const listener = together(progress, events);
  const end = events.printProgress();
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
  return err();
}

test('every line of JSON about a run fits the published schema, and escapes what a terminal would obey', async () => {
  const lines = await eventLines(true);
  const events = lines.map((line) => RunEvent.parse(JSON.parse(line)));
  const first = ['phase', 'planned', 'asked_first', 'started', 'episode_event', 'interrupted'];
  expect(events.map(({ event }) => event)).toEqual([...first, 'note', 'finished', 'note', 'progress']);
  expect(events.at(-1)).toMatchObject({ total: 1, done: 1, passed: 0, of: 1, low: null, high: null, at_work: [] });
  for (const line of lines) expect(line).not.toMatch(OBEYED);
  expect(lines.join('')).toContain('\\u202e');
  const brief = (await eventLines(false)).map((line) => RunEvent.parse(JSON.parse(line)).event);
  expect(brief).not.toContain('episode_event');
});

test.each([24, 40, 60, 80])(
  'the first screen fits %i columns, and shows only 16 entrants, even of a hostile report',
  (columns) => {
    const preview = `\u001b[2J\u202e${'很长的页面 '.repeat(80)}`;
    const failed_contract = { path: 'success', kind: 'dom_text', expected: 'x', observed: { preview, length: 500 } };
    const names = Array.from({ length: 30 }, (_, index) => `an-agent-with-a-rather-long-name-${index}`);
    const rows = [...names.map((agent) => ({ agent })), { agent: 'other', failed_contract }];
    const finished = rows.map((row, at) => finishRow({ ...SAMPLE, ...ofTask('buy'), ...row, plan_index: at }));
    const entrants = finished.map(({ agent, surface }) => ({ agent, surface }));
    const report = drawnReport(finished.length, finished, entrants);
    const lines = firstScreen(report, columns);
    for (const line of lines) {
      expect(widthOf(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(OBEYED);
    }
    expect(lines.length).toBeLessThan(60);
    expect(firstScreen(report, 200)).toEqual(firstScreen(report, 80));
  },
);

test('no line of the live progress is as wide as the terminal, whatever it contains', () => {
  const wide = { ...MIDDLE.atWork[0], task: 'x'.repeat(200) };
  const words = 'step 1: \u001b[2J\u202e点击'.repeat(20);
  const cases = [
    {},
    { unpricedTokens: 1_234_567 },
    { total: 1_000_000, done: 999_999, perMinute: 1_234, leftMs: 360_000_000 },
    { phase: 'raising the worlds '.repeat(20) },
    { atWork: MIDDLE.atWork.map((each) => ({ ...each, ...wide, doing: { at: 'step 1', words } })) },
  ];
  for (const progress of cases) {
    for (const columns of [20, 40, 60, 80, 99, 100, 120, 200]) {
      for (const line of progressLines({ ...MIDDLE, ...progress }, { columns, rows: 24 })) {
        expect(widthOf(line)).toBeLessThan(columns);
        expect(line).not.toMatch(OBEYED);
      }
    }
  }
});
