import { expect, test } from 'vitest';
import { present } from '../../src/contract/evidence.ts';
import type { Json } from '../../src/contract/json.ts';
import { judgeTask } from '../../src/contract/judge-task.ts';
import { plannedTasks } from '../../src/plan/plan-campaign.ts';
import type { JudgedTrial } from '../../src/qualify/judged-trial.ts';
import { differenceIn, judgeTrials, type TaskTrials } from '../../src/qualify/judge-trials.ts';
import { defineTask } from '../../src/task/validate.ts';
import { evidence } from '../contract/evidence-sample.ts';
import { builtIn } from '../suite-files.ts';

const START = { issues: [{ open: true, saves: 0, updated_at: '8:00' }] };
const [known] = await plannedTasks([await builtIn('protocols')], ['add-monitor']);
const TASK = defineTask({
  id: 'close',
  title: 'Close',
  startUrl: 'http://issues.localhost/',
  goal: 'Close the issue.',
  success: { kind: 'app_state', pointer: '/issues/0/open', equals: false },
  guards: { kind: 'unchanged', except: ['/issues/0'] },
});

function trial(id: string, kind: JudgedTrial['trial']['kind'], now: Json): JudgedTrial {
  const end = evidence({ app_state: present({ start: START, now }) });
  const { goal, guard, ...judged } = judgeTask(TASK, end);
  const state = { stop: 'done' as const, detail: null, finalUrl: null, start: null, status: 'passed' as const };
  return {
    trial: { id, kind, surface: 'aria', what: id },
    ...state,
    end,
    goal,
    guard,
    judged: { goal, guard, ...judged },
  };
}

function trials(perturbed: JudgedTrial): TaskTrials {
  if (known === undefined) throw new Error('protocols has other tasks now');
  const runs = ['9:00', '9:01'].map((at, run) => trial(`reference-${run}`, 'reference', closed(1, at)));
  return { planned: { ...known, task: TASK }, tried: [...runs, perturbed], waivers: [] };
}

function closed(saves: number, at: string): Json {
  return { issues: [{ open: false, saves, updated_at: at }] };
}

test('differences between two runs of the solution make no end incorrect', () => {
  const late = trials(trial('step 1 doubled', 'perturbed', closed(1, '9:02')));
  expect(judgeTrials(late).perturbed).toMatchObject({ judged: 0, right: { passed: 1, of: 1 }, false_passes: [] });
});

test('a value that is the same in all runs of the solution makes an end incorrect, and is named', () => {
  const twice = trial('step 1 doubled', 'perturbed', closed(2, '9:02'));
  expect(judgeTrials(trials(twice)).perturbed).toMatchObject({ judged: 1, false_passes: ['step 1 doubled'] });
  expect(differenceIn(trials(twice))(twice)).toMatchObject({ difference: 'its state differs in /issues/0/saves' });
});

test('incorrect ends count once, however often they are reached', () => {
  const ends = [closed(2, '9:02'), closed(2, '9:03'), closed(3, '9:02'), closed(1, '9:02')];
  const [first, ...others] = ends.map((now, at) => trial(`perturbed-${at}`, 'perturbed', now));
  if (first === undefined) throw new Error('there are none');
  const all = trials(first);
  const { breadth } = judgeTrials({ ...all, tried: [...all.tried, ...others] });
  expect(breadth).toEqual({ incorrect_ends: 2, made_routes: [] });
});

test('a made route counts if it was followed to its end, and fails the proof unless it is waived', () => {
  const failed = { ...trial('by-keyboard', 'made', START), status: 'failed' as const };
  const broke = { ...trial('other-link', 'made', START), status: 'agent_error' as const };
  const all = trials(trial('step 1 doubled', 'perturbed', closed(2, '9:02')));
  const judged = (waivers: TaskTrials['waivers']) =>
    judgeTrials({ ...all, tried: [...all.tried, failed, broke], waivers });
  expect(judged([]).breadth?.made_routes).toEqual([{ route: 'by-keyboard', status: 'failed', waived: null }]);
  expect(judged([]).reasons.join()).toContain('by-keyboard');
  const waived = judged([{ mutant: 'route:by-keyboard', reason: 'no keys' }]);
  expect([waived.reasons.join().includes('by-keyboard'), waived.needless_waivers]).toEqual([false, []]);
});
