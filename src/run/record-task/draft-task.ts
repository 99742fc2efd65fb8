import type { Agent } from '../../agent/agent.ts';
import { referenceAgent } from '../../agent/kinds/reference.ts';
import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import type { Evidence } from '../../contract/evidence.ts';
import type { Status } from '../../contract/status.ts';
import { runEpisode } from '../../episode/run-episode.ts';
import { aria } from '../../surface/aria/aria.ts';
import { type Credentials, withCredentials } from '../../task/auth.ts';
import type { Intent, NearMiss } from '../../task/intent.ts';
import type { Task } from '../../task/schema.ts';
import { defineTask } from '../../task/validate.ts';
import type { World } from '../../world/way-in.ts';
import { solutionFrom } from './user-actions.ts';
import { shownLines, proposeContract } from './propose-contract.ts';
import { MOST_NEAR_MISSES, proposeNearMisses, stepInWords } from './propose-near-misses.ts';
import type { Recording } from './record-user.ts';

export interface DraftOptions {
  recording: Recording;
  /** The parts that the author gives. */
  named: Pick<Task, 'id' | 'title' | 'goal' | 'startUrl'>;
  answer: string | null;
  /** Where the steps are tried: not the user's window. */
  browser: JudgedBrowser;
  raise: (task: Task) => Promise<World>;
  credentials: Credentials;
  /** Told of each near-miss that was tried, and whether it is kept. */
  onTried: (why: string, isKept: boolean) => void;
}

/** A task that is made of a recording, and what became of it when it was tried. */
export interface Draft {
  task: Task;
  /** Why its own steps do not pass; null where they do. */
  fails: string | null;
}

/** Calls that one step may take, with looks at the page. */
const CALLS_PER_STEP = 3;
const USUAL_STEPS = 30;
const MOST_STEPS = 100;

/** Makes a task of a recording: its steps are done once more, to see what changes by itself, and each near-miss is tried. Null where nothing can be judged. */
export async function draftTask(options: DraftOptions): Promise<Draft | null> {
  const { recording, named, answer } = options;
  const { start, end, typedSecrets } = recording;
  const secrets = new Set([...typedSecrets, ...Object.values(options.credentials)]);
  const isPublic = (text: string): boolean => ![...secrets].some((secret) => text.includes(secret));
  const actions = recording.actions.map((action) => ({ ...action, texts: action.texts.filter(isPublic) }));
  const done = solutionFrom(actions, shownLines(start), shownLines(end).filter(isPublic));
  const steps: Intent[] = answer === null ? done : [...done, { do: 'answer', value: answer }];
  const known = { start, end, secrets, answer };
  // As long as it is not known what changes by itself, any contract will do.
  const first = proposeContract({ ...known, again: null });
  if (first === null) return null;
  const calls = Math.min(MOST_STEPS, steps.length * CALLS_PER_STEP);
  const base = { ...named, ...(calls > USUAL_STEPS ? { maxSteps: calls } : {}), solutions: [{ steps }] };
  const rehearsed = await tried(taskOf(base, first), steps, options);
  const isDone = rehearsed.stop === 'done' && rehearsed.end !== null;
  const proposal = proposeContract({ ...known, again: isDone ? rehearsed.end : null }) ?? first;
  const task = taskOf(base, proposal);
  const again = await tried(task, steps, options);
  const isPassed = again.status === 'passed' && again.errors === 0;
  const fails = isPassed ? null : (again.why ?? `its contract came to ${again.status}`);
  const nearMisses = fails === null ? await soundNearMisses(task, steps, options) : [];
  return { task: defineTask({ ...task, ...(nearMisses.length === 0 ? {} : { nearMisses }) }), fails };
}

type Base = DraftOptions['named'] & { maxSteps?: number; solutions: { steps: Intent[] }[] };

function taskOf(base: Base, { success, guards }: NonNullable<ReturnType<typeof proposeContract>>): Task {
  return defineTask({ ...base, success, ...(guards === null ? {} : { guards }) });
}

/** The near-misses that are carried out and fail. @param steps those of the recording itself, which the proposals alter */
async function soundNearMisses(task: Task, steps: readonly Intent[], options: DraftOptions): Promise<NearMiss[]> {
  const found: NearMiss[] = [];
  for (const miss of proposeNearMisses(options.recording.actions, steps, task.startUrl)) {
    if (found.length === MOST_NEAR_MISSES) break;
    const { status, errors } = await tried(task, miss.steps, options);
    const isSound = status === 'failed' && errors === 0;
    if (isSound) found.push(miss);
    options.onTried(miss.why, isSound);
  }
  return found;
}

interface Tried {
  status: Status;
  stop: string;
  /** The first step that failed, and why; null where none did. */
  why: string | null;
  /** Steps that failed. */
  errors: number;
  end: Evidence | null;
}

/** Goes through steps in a fresh world, as `reference` would. */
async function tried(
  task: Task,
  steps: readonly Intent[],
  { browser, raise, credentials }: DraftOptions,
): Promise<Tried> {
  const ready: Task = withCredentials<Task>({ ...task, solutions: [{ for: 'page', steps: [...steps] }] }, credentials);
  let at = 0;
  const agent = stepwise(ready.solutions?.[0]?.steps ?? [], (position) => {
    at = position;
  });
  const world = await raise(task);
  let end: Evidence | null = null;
  const failures: string[] = [];
  // The steps as they are written, so that no credential stands in it.
  const ofStep = (why: string): string => {
    const step = steps[at];
    const hidden = Object.entries(credentials).reduce(
      (text, [name, value]) => (value === '' ? text : text.replaceAll(value, () => `\${${name}}`)),
      why,
    );
    return step === undefined ? hidden : `step ${at + 1} of ${steps.length}, ${stepInWords(step)}: ${hidden}`;
  };
  try {
    const { status, stop, detail } = await runEpisode({
      task: ready,
      agent,
      surface: aria,
      browser,
      world,
      sink: {
        event: (event) => {
          if (event.type === 'result' && !event.ok) failures.push(ofStep(event.text.split('\n', 1).join('')));
        },
        clean: (value) => value,
        evidence: (moment, evidence) => {
          if (moment === 'end') end = evidence;
        },
      },
    });
    const why = failures[0] ?? (detail === null ? null : ofStep(detail));
    return { status, stop, why, errors: failures.length, end };
  } finally {
    await world.close();
  }
}

/** Follows steps as the reference does, and reports the index of each. */
function stepwise(steps: readonly Intent[], onStep: (position: number) => void): Agent {
  return {
    id: 'reference',
    decider: 'reference',
    open: async (seat) => {
      const begin = async (position: number) => {
        onStep(position);
        return await referenceAgent('reference', steps.slice(position, position + 1)).open(seat);
      };
      let position = 0;
      let step = await begin(position);
      return {
        next: async (last, signal) => {
          for (;;) {
            const move = await step.next(last, signal);
            if (move.kind !== 'done' || move.answer !== null || position + 1 >= steps.length) return move;
            position += 1;
            step = await begin(position);
          }
        },
      };
    },
  };
}
