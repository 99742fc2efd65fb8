import { referenceAgent } from '../../agent/kinds/reference.ts';
import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import type { Evidence } from '../../contract/evidence.ts';
import type { Status } from '../../contract/status.ts';
import type { EventSink } from '../../episode/episode-setup.ts';
import { runEpisode } from '../../episode/run-episode.ts';
import { aria } from '../../surface/aria/aria.ts';
import { type Credentials, withCredentials } from '../../task/auth.ts';
import type { Intent, NearMiss } from '../../task/intent.ts';
import type { Task } from '../../task/schema.ts';
import { defineTask } from '../../task/validate.ts';
import type { World } from '../../world/world-proxy.ts';
import { solutionFrom } from './user-actions.ts';
import { shownLines, proposeContract, MAX_NEAR_MISSES, proposeNearMisses } from './proposals.ts';
import type { Recording } from './record-user.ts';

export type NamedTask = Pick<Task, 'id' | 'title' | 'goal' | 'startUrl' | 'auth'>;

export interface DraftOptions {
  recording: Recording;
  /** The parts that the author gives. */
  named: NamedTask;
  answer: string | null;
  /** The browser in which the steps are tried; not the user's window. */
  browser: JudgedBrowser;
  raise: (task: Task) => Promise<World>;
  credentials: Credentials;
  onNearMiss: (why: string, isKept: boolean) => void;
}

export interface Draft {
  task: Task;
  /** Why its own steps do not pass; null if they do. */
  fails: string | null;
}

/** Most calls of one step, with looks at the page. */
const CALLS_PER_STEP = 3;
const USUAL_STEPS = 30;
const MAX_STEPS = 100;

/**
 * Makes a task from a recording. Repeats its steps to see what changes by itself, and tries each near-miss. Null if nothing can be
 * judged.
 */
export async function draftTask(options: DraftOptions): Promise<Draft | null> {
  const { recording, named, answer } = options;
  const { start, end, typedSecrets } = recording;
  const secrets = new Set([...typedSecrets, ...Object.values(options.credentials)]);
  const isPublic = (text: string): boolean => ![...secrets].some((secret) => text.includes(secret));
  const actions = recording.actions.map((action) => ({ ...action, texts: action.texts.filter(isPublic) }));
  const done = solutionFrom(actions, shownLines(start), shownLines(end).filter(isPublic));
  const steps: Intent[] = answer === null ? done : [...done, { do: 'answer', value: answer }];
  const known = { start, end, secrets, answer };
  // To see what changes by itself, any contract will do.
  const first = proposeContract({ ...known, again: null });
  if (first === null) return null;
  const calls = Math.min(MAX_STEPS, steps.length * CALLS_PER_STEP);
  const base = { ...named, ...(calls > USUAL_STEPS ? { maxSteps: calls } : {}), solutions: [{ steps }] };
  const rehearsed = await rehearse(taskOf(base, first), steps, options);
  const proposal = proposeContract({ ...known, again: rehearsed.why === null ? rehearsed.end : null }) ?? first;
  const task = taskOf(base, proposal);
  const again = await rehearse(task, steps, options);
  const fails = again.status === 'passed' ? null : (again.why ?? `its contract ended as ${again.status}`);
  const nearMisses = fails === null ? await soundNearMisses(task, steps, options) : [];
  return { task: defineTask({ ...task, ...(nearMisses.length === 0 ? {} : { nearMisses }) }), fails };
}

type Base = DraftOptions['named'] & { maxSteps?: number; solutions: { steps: Intent[] }[] };

function taskOf(base: Base, { success, guards }: NonNullable<ReturnType<typeof proposeContract>>): Task {
  return defineTask({ ...base, success, ...(guards === null ? {} : { guards }) });
}

/** Selects the proposed near-misses whose steps all work and whose contract fails. */
async function soundNearMisses(task: Task, steps: readonly Intent[], options: DraftOptions): Promise<NearMiss[]> {
  const found: NearMiss[] = [];
  for (const miss of proposeNearMisses(options.recording.actions, steps, task.startUrl)) {
    if (found.length === MAX_NEAR_MISSES) break;
    const isSound = (await rehearse(task, miss.steps, options)).status === 'failed';
    if (isSound) found.push(miss);
    options.onNearMiss(miss.why, isSound);
  }
  return found;
}

interface Rehearsal {
  status: Status;
  /** Why a step failed; null if all worked. */
  why: string | null;
  end: Evidence | null;
}

/** Follows steps in a fresh world, until one fails. */
async function rehearse(
  task: Task,
  steps: readonly Intent[],
  { browser, raise, credentials }: DraftOptions,
): Promise<Rehearsal> {
  const ready: Task = withCredentials<Task>({ ...task, solutions: [{ for: 'page', steps: [...steps] }] }, credentials);
  const agent = referenceAgent('reference', ready.solutions?.[0]?.steps ?? [], 'breaks');
  const world = await raise(task);
  let end: Evidence | null = null;
  const sink: EventSink = {
    event: () => {},
    clean: (value) => value,
    evidence: (moment, evidence) => {
      if (moment === 'end') end = evidence;
    },
  };
  try {
    const { status, detail } = await runEpisode({ task: ready, agent, surface: aria, browser, world, sink });
    return { status, why: detail === null ? null : withoutCredentials(detail, credentials), end };
  } finally {
    await world.close();
  }
}

function withoutCredentials(text: string, credentials: Credentials): string {
  return Object.entries(credentials).reduce(
    (hidden, [name, value]) => (value === '' ? hidden : hidden.replaceAll(value, () => `\${${name}}`)),
    text,
  );
}
