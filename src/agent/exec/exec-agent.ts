import type { Answer } from '../../contract/evidence.ts';
import { fact } from '../../messages/messages.ts';
import { messageOf } from '../../contract/message-of.ts';
import { type Hidden, NOTHING_HIDDEN } from '../../process/sandbox/confined.ts';
import { type SandboxLaunch, prepareLaunch } from '../../process/sandbox/launch.ts';
import {
  AgentError,
  type DrivingSeat,
  type LastMove,
  type AgentReport,
  type SelfDrivingAgent,
  type OwnUsage,
} from '../agent.ts';
import type { AgentChoice } from '../agent-choice.ts';
import { AgentProcess } from './agent-process.ts';
import { confinedCommand, type ExecCommand } from './command.ts';
import { answerOf, briefingLine, type Line, lineIn } from './protocol.ts';
import { markedFolders } from '../../process/sandbox/marked-folders.ts';
import { CONTRACT_MARKS } from '../../task/suite-file.ts';

/** Number of last characters of its output in the error of a command that failed. */
const MAX_LAST_WORDS = 600;
/** A line that names an error, as Node and Python write it: `Error: …`, `TypeError [CODE]: …`, `ValueError: …`. */
const ERROR_LINE = /^(?:Uncaught )?[\w.]*(?:Error|Exception)(?: \[\w+\])?: \S/;

export interface ExecAgentOptions {
  /** Places that the command must not see. */
  hidden?: Hidden;
  /** The way to start it; others than ours are for tests. */
  prepare?: typeof prepareLaunch;
}

/** An agent that is a command of a user's: it is given a goal and an address, and drives the browser itself. */
export function execAgent(
  command: ExecCommand,
  { hidden = NOTHING_HIDDEN, prepare = prepareLaunch }: ExecAgentOptions = {},
): SelfDrivingAgent {
  return {
    id: command.id,
    decider: 'process',
    drive: async (seat, report, signal) => {
      const launch = await prepare(() => confinedCommand(command), seat.cdpUrl, hidden);
      report({ kind: 'isolation', isolation: launch.isolation });
      try {
        return await runOnce(launch, seat, report, signal);
      } finally {
        await launch.clear();
      }
    },
  };
}

export function commandAgent(command: ExecCommand): AgentChoice {
  let near: string[] | null = null;
  return {
    id: command.id,
    about: `the command ${command.program}`,
    decider: 'process',
    drivesItself: true,
    network: command.network,
    foreseen: () => {
      near ??= contractsNear(command);
      return { places: [command.program, command.folder, ...command.files], contracts: near };
    },
    forCell: ({ hidden: { contracts, around } }) => {
      near ??= contractsNear(command);
      const hidden = { contracts: [...new Set([...contracts, ...near])], around };
      return Promise.resolve({ agent: execAgent(command, { hidden }), transcript: null });
    },
  };
}

/** Runs the command until it finishes, fails or is stopped. Its output after that is ignored. */
async function runOnce(
  launch: SandboxLaunch,
  { brief, cdpUrl, redact }: DrivingSeat,
  report: (report: AgentReport) => void,
  signal: AbortSignal,
): Promise<LastMove> {
  const outcome = new CommandOutcome();
  report({ kind: 'begun' });
  const agent = new AgentProcess(launch, briefingLine(brief, cdpUrl), {
    line: (text) => handleLine(text, outcome, { report, redact }),
    tooMuch: (what) => {
      outcome.fail(fact('command_printed_too_much', { what }));
    },
    failed: (error) => {
      outcome.fail(fact('command_not_started', { why: error.message }));
    },
    ended: ({ code, signal: killer }) => {
      if (code === 0) outcome.finish({ kind: 'done', answer: outcome.answer });
      else {
        const how = code === null ? `signal ${killer}` : `exit code ${code}`;
        outcome.fail(fact('command_ended', { how, output: lastWords(agent.printed(redact)) }));
      }
    },
  });
  const stop = (): void => {
    outcome.fail(fact('command_stopped'));
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await outcome.settled;
  } finally {
    report({ kind: 'last_word' });
    signal.removeEventListener('abort', stop);
    await agent.end();
    const printed = agent.printed(redact);
    if (printed.text !== '') report({ kind: 'printed', ...printed });
  }
}

/** The end of a command: the first one counts. */
class CommandOutcome {
  answer: Answer | null = null;
  isSettled = false;
  readonly settled: Promise<LastMove>;
  #resolve: (move: LastMove) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor() {
    this.settled = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  finish(move: LastMove): void {
    this.isSettled = true;
    this.#resolve(move);
  }

  fail(why: ConstructorParameters<typeof AgentError>[0]): void {
    this.isSettled = true;
    this.#reject(new AgentError(why));
  }
}

interface LineHandlers {
  report: (report: AgentReport) => void;
  redact: DrivingSeat['redact'];
}

/** Handles a line of output. @returns whether it was meant for us */
function handleLine(text: string, outcome: CommandOutcome, { report, redact }: LineHandlers): boolean {
  if (outcome.isSettled) return true;
  try {
    const line = lineIn(text, redact);
    if (line === null) return false;
    switch (line.type) {
      case 'step': {
        const { type: kind, ...step } = line;
        report({ kind, ...step });
        break;
      }
      case 'usage':
        report({ kind: 'usage', usage: usageOf(line) });
        break;
      case 'answer':
        outcome.answer = answerOf(line);
        if (outcome.answer !== null) report({ kind: 'answered', answer: outcome.answer });
        break;
      case 'done':
        outcome.finish({ kind: 'done', answer: outcome.answer });
        break;
      case 'give_up':
        outcome.finish({ kind: 'give_up', reason: line.reason });
    }
  } catch (error) {
    outcome.fail(fact('command_bad_line', { why: messageOf(error) }));
  }
  return true;
}

function usageOf(line: Extract<Line, { type: 'usage' }>): OwnUsage {
  return {
    inputTokens: line.input_tokens,
    outputTokens: line.output_tokens,
    cachedTokens: line.cached_tokens,
    costUsd: line.cost_usd,
    model: line.model,
  };
}

/** The end of a text that is not too long, from a line on, or else from a word on; of one endless word, its end. */
function lastWhole(text: string): string {
  if (text.length <= MAX_LAST_WORDS) return text;
  const end = text.slice(-MAX_LAST_WORDS);
  const line = end.indexOf('\n');
  const from = line >= 0 && line < MAX_LAST_WORDS / 2 ? line : end.search(/\s/);
  return from < 0 ? end : `…${end.slice(from + 1)}`;
}

/** The line that names a command's error, where there is one, else the last of what it printed; the event has all of it. */
function lastWords({ text }: { text: string }): string {
  if (text === '') return '';
  const error = text
    .split('\n')
    .findLast((line) => ERROR_LINE.test(line))
    ?.slice(0, MAX_LAST_WORDS);
  return error === undefined ? `; it printed: ${lastWhole(text).replaceAll(/\s*\n\s*/g, ' / ')}` : `; ${error.trim()}`;
}

/**
 * Suites, bundles and histories (`.git`) below what a command may read, and suites and bundles that this lies in.
 * @throws AgentError when there is too much to look through.
 */
export function contractsNear({ id, folder, readable }: ExecCommand, maxFolders?: number): string[] {
  const places = [folder, ...readable];
  const found = markedFolders(places, CONTRACT_MARKS, maxFolders);
  if (found !== null) return found;
  throw new AgentError(fact('agent_reads_too_much', { agent: id, places }));
}
