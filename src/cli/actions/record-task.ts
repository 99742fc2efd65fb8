import path from 'node:path';
import { fact } from '../../messages/messages.ts';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { attachBrowser } from '../../browser/attach.ts';
import { requireBrowser } from '../../browser/find.ts';
import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import { launchBrowser } from '../../browser/launch.ts';
import { messageOf } from '../../contract/message-of.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type Draft, draftTask, type NamedTask } from '../../run/record-task/draft-task.ts';
import { proposeContract, stepInWords } from '../../run/record-task/proposals.ts';
import { type Recording, recordUser } from '../../run/record-task/record-user.ts';
import { loadSuiteWorld, raiseWorld } from '../../run/suite-world.ts';
import { WorldThread } from '../../world/thread/world-thread.ts';
import type { World } from '../../world/world-proxy.ts';
import { credentialsIn, credentialsOf } from '../../task/auth.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import { type Task, viewportOf } from '../../task/schema.ts';
import { readSource } from '../../task/source/read-source.ts';
import { defineTask } from '../../task/validate.ts';
import { createTlsIdentity, type TlsIdentity } from '../../world/tls-identity.ts';
import { refuseAny, screenProblems } from '../checks.ts';
import { colours } from '../colours.ts';
import type { Request } from '../command.ts';
import { qualifyCommand, type RecordTaskArguments } from '../commands/write.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { hint } from '../init/files.ts';
import { onInterruption } from '../interruption.ts';
import { folderForTasks, idFrom, recordedTaskText } from '../recorded-task-file.ts';
import { loadSuites, refuseInstalled, suiteFolder } from '../suites.ts';
import { asTyped, type Terminal } from '../terminal.ts';
import { counted } from '../../report/numbers.ts';

/** Replaces a goal that was not given; `validate` warns of it. */
const NO_GOAL = '{{goal}}';

const NO_NEAR_MISS =
  'The task has no near-miss, so nothing shows that the contract rejects incorrect results: write at least one.';

/** The place of the task, and the wishes of its author. */
interface Wanted {
  suite: LoadedSuite;
  file: string;
  named: NamedTask;
  options: RecordTaskArguments;
}

export async function recordTaskAction(
  { args: [url = '', name = '.'], options }: Request<RecordTaskArguments>,
  terminal: Terminal,
): Promise<ExitCode> {
  const [suite] = await loadSuites([name], terminal);
  if (suite === undefined) throw new UsageError(fact('no_suite_folder'));
  const startUrl = startIn(suite, url, terminal);
  const place = await placeIn(suite);
  if (options.browserEndpoint === undefined) refuseAny(screenProblems('task'));
  const goal = options.goal ?? (await askGoal(terminal));
  const id = options.id ?? idFrom(goal === NO_GOAL ? '' : goal);
  const file = path.join(place, `${id}.yaml`);
  refuseInstalled([file]);
  refuseTaken(suite, { id, file, accept: options.accept });
  const title = goal === NO_GOAL ? 'A recorded task' : titleOf(goal);
  const auth = credentialsIn(goal).length === 0 ? {} : { auth: { by: 'form' as const } };
  const wanted: Wanted = { suite, file, named: { id, title, goal, startUrl, ...auth }, options };
  const made = await make(wanted, terminal);
  if (made === null) return EXIT.gateNotMet;
  await write(wanted, made, terminal);
  return await checked(wanted, made, name, terminal);
}

function titleOf(goal: string): string {
  // No title may refer to a credential.
  const named = goal.replaceAll(/\$\{([A-Z][A-Z0-9_]*)\}/g, (_, name: string) =>
    name.toLowerCase().replaceAll('_', ' '),
  );
  const [first = named] = named.trim().split(/[.!?](?:\s|$)|\n/, 1);
  return first.slice(0, 80);
}

async function askGoal({ ask }: Terminal): Promise<string> {
  const text = (await ask?.('What should an agent be asked to do?')) ?? '';
  return text === '' ? NO_GOAL : text;
}

/** Returns the address at which the task starts, from one on a site, a path alone, or the address of the running app. */
function startIn({ world, file }: LoadedSuite, url: string, terminal: Terminal): string {
  if (world.kind === 'archive') throw new UsageError(fact('world_is_archive', { file }));
  const origins = world.sites.map(({ origin }) => origin);
  const [only] = origins;
  if (url.startsWith('/') && only !== undefined && origins.length === 1) return new URL(url, only).href;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed !== null && origins.includes(parsed.origin)) return parsed.href;
  const isHere = parsed !== null && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(parsed.hostname);
  if (isHere && only !== undefined && origins.length === 1) {
    const meant = new URL(parsed.pathname + parsed.search + parsed.hash, only).href;
    terminal.note(`${url} is recorded as ${meant}: there each episode finds the app as it was`);
    return meant;
  }
  throw new UsageError(fact('no_site', { url, sites: origins }));
}

async function placeIn({ file }: LoadedSuite): Promise<string> {
  const read = await readSource(file);
  const named = z.object({ tasks: z.array(z.string()) }).safeParse(read.ok ? read.value.value : null);
  const folder = folderForTasks(named.data?.tasks ?? []);
  if (folder !== null) return path.join(path.dirname(file), folder);
  throw new UsageError(fact('tasks_named_one_by_one', { file: path.relative('.', file) }));
}

function refuseTaken(
  { tasks }: LoadedSuite,
  { id, file, accept }: { id: string; file: string; accept: boolean },
): void {
  const other = tasks.find(({ task, file: place }) => task.id === id && path.resolve(place) !== path.resolve(file));
  const place = path.relative('.', other?.file ?? file);
  if (other !== undefined) throw new UsageError(fact('task_id_taken', { place, id }));
  if (!existsSync(file) || accept) return;
  throw new UsageError(fact('task_file_taken', { place }));
}

interface Made {
  recording: Recording;
  draft: Draft;
}

async function make(wanted: Wanted, terminal: Terminal): Promise<Made | null> {
  const { suite, named, options } = wanted;
  const suiteWorld = await loadSuiteWorld(suite);
  const identity = await createTlsIdentity();
  const credentials = credentialsOf(suite.credentials, process.env);
  await using thread = new WorldThread();
  const raise = async (task: Task) => await raiseWorld(suiteWorld, task, { identity, live: false, thread });
  const recording = await record({ ...wanted, raise, identity, credentials }, terminal);
  const answer = options.answer ?? null;
  if (!canBeJudged(recording, answer)) {
    reportNoChange(recording, terminal);
    return null;
  }
  terminal.note('trying the steps and near-misses in a browser of their own …');
  const onNearMiss = (why: string, isKept: boolean): void => {
    terminal.note(`     near-miss ${isKept ? 'fails, as expected' : 'left out'}: ${why}`);
  };
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
  try {
    const draft = await draftTask({ recording, named, answer, browser, raise, credentials, onNearMiss });
    if (draft !== null) return { recording, draft };
    reportNoChange(recording, terminal);
    return null;
  } finally {
    await browser.close();
  }
}

function canBeJudged({ actions, start, end }: Recording, answer: string | null): boolean {
  if (answer !== null) return true;
  return actions.length > 0 && proposeContract({ start, end, again: null, secrets: new Set(), answer }) !== null;
}

function reportNoChange({ actions, start }: Recording, terminal: Terminal): void {
  const what = actions.length === 0 ? 'nothing was done' : 'nothing that can be judged has changed';
  const state = start.app_state.captured
    ? "neither the app's state"
    : 'the app returns no state, and neither its address';
  const where = start.app_state.captured ? 'nor the address nor the text of the page' : 'nor its text';
  const why = actions.length === 0 ? '' : `: ${state} ${where} has changed`;
  terminal.note(`error: ${what}${why}; no task is written`);
  terminal.note('  if the task is to find something out, give what is found with --answer');
}

type Stage = Wanted & {
  raise: (task: Task) => Promise<World>;
  identity: TlsIdentity;
  credentials: Readonly<Record<string, string>>;
};

/** Opens the window, and waits for the end of the recording. */
async function record(stage: Stage, terminal: Terminal): Promise<Recording> {
  const { named, raise, identity, options, credentials } = stage;
  const task = defineTask({ ...named, success: { kind: 'no_dialog' } });
  const world = await raise(task);
  const done = new AbortController();
  const forget = onInterruption(() => {
    done.abort();
  });
  const asked = new AbortController();
  let browser: JudgedBrowser | null = null;
  try {
    browser = await windowFor(options, identity);
    return await recordUser({
      browser,
      world,
      startUrl: named.startUrl,
      viewport: viewportOf(task),
      done: done.signal,
      secrets: { known: credentials },
      listener: {
        ready: () => {
          terminal.note(`recording at ${named.startUrl}: do the task in the window that has opened`);
          void untilEnter(terminal, asked.signal).then((isOver) => isOver && done.abort());
        },
        step: ({ step, doubts }, position) => {
          terminal.note(`${String(position).padStart(3)}  ${stepInWords(step)}`);
          for (const doubt of doubts) terminal.note(`     look at this one: ${doubt}`);
        },
        note: (what) => {
          terminal.note(`     not recorded: ${what}`);
        },
      },
    });
  } finally {
    asked.abort();
    forget();
    await browser?.close().catch(() => {});
    await world.close();
  }
}

async function windowFor({ browserEndpoint }: RecordTaskArguments, { spki }: TlsIdentity): Promise<JudgedBrowser> {
  if (browserEndpoint !== undefined) return await attachBrowser(browserEndpoint);
  return await launchBrowser({ binary: requireBrowser('full'), trustedSpki: spki, headed: true });
}

/** Resolves when the user presses Enter or Ctrl-C in the terminal; never without a terminal. */
async function untilEnter(terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  const { ask } = terminal;
  if (ask === undefined) {
    terminal.note('close the window when you are done, or press Ctrl-C here');
    return await new Promise(() => {});
  }
  await ask('press Enter here when you are done, or close the window', signal).catch(() => {});
  return !signal.aborted;
}

async function write({ file, named, suite }: Wanted, { recording, draft }: Made, terminal: Terminal): Promise<void> {
  const { typedSecrets, notes, actions } = recording;
  const doubtful = actions.flatMap(({ step, doubts }) =>
    doubts.map((doubt) => `Look at: ${stepInWords(step)}: ${doubt}.`),
  );
  const remarks = [
    ...(named.goal === NO_GOAL ? ['The goal is missing: write what agents are asked to do.'] : []),
    ...(typedSecrets.size === 0
      ? []
      : [
          'A password was typed, and is not written: put it into "credentials" of the suite file, under the name in ${…}.',
        ]),
    ...(draft.fails === null ? [] : [`The steps did not pass when they were tried: ${draft.fails}`]),
    ...doubtful,
    ...notes.map((what) => `Not recorded: ${what}.`),
  ];
  const below = path.relative(path.dirname(suite.file), path.dirname(file));
  const misses = draft.task.nearMisses?.length ?? 0;
  const text = recordedTaskText(draft.task, {
    hint: hint(path.dirname(suite.file), below, 'task'),
    remarks: [...remarks, ...(misses === 0 ? [NO_NEAR_MISS] : [])],
  });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  terminal.out(
    `wrote ${path.relative('.', file)}: ${counted(actions.length, 'step')}, ${counted(misses, 'near-miss', 'near-misses')}`,
  );
  for (const remark of remarks) terminal.note(`  ${remark}`);
  if (misses === 0) terminal.note(colours.yellow(`warning: ${NO_NEAR_MISS}`));
}

/** Validates the suite with the new task and qualifies it, unless something has to be filled in first. */
async function checked(
  { suite, file, named, options }: Wanted,
  { draft, recording }: Made,
  name: string,
  terminal: Terminal,
) {
  const command = `touchstone qualify ${shellWord(name)} --task ${named.id}`;
  if (recording.typedSecrets.size > 0 || named.goal === NO_GOAL) {
    terminal.note(asTyped(`then: ${command}`, terminal));
    return EXIT.gateNotMet;
  }
  try {
    await loadSuites([suiteFolder(path.dirname(suite.file))], terminal);
  } catch (error) {
    terminal.note(messageOf(error));
    return EXIT.gateNotMet;
  }
  if (draft.fails !== null) {
    const place = path.relative('.', file);
    terminal.note(`error: it is not qualified, since its own steps did not pass: ${draft.fails}`);
    terminal.note(asTyped(`  fix it in ${place}, then: ${command}`, terminal));
    return EXIT.gateNotMet;
  }
  if (!options.qualify) {
    terminal.note(asTyped(`to prove that it measures what it claims: ${command}`, terminal));
    return EXIT.done;
  }
  return await qualifyCommand.run([name], { task: named.id, out: options.out }, terminal);
}
