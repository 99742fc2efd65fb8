import type { Answer } from '../../contract/evidence.ts';
import { messageOf } from '../../contract/message-of.ts';
import { type Hidden, NOTHING_HIDDEN } from '../../process/sandbox/hidden.ts';
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

/** Number of last characters of its output that stand in the error of a command that broke. */
const MAX_LAST_WORDS = 600;
/** A line that names an error, as Node and Python write it: `Error: …`, `TypeError [CODE]: …`, `ValueError: …`. */
const ERROR_LINE = /^(?:Uncaught )?[\w.]*(?:Error|Exception)(?: \[\w+\])?: \S/;

export interface ExecAgentOptions {
  /** Places that the command must not see. */
  hidden?: Hidden;
  /** The way to start it; others than ours are for tests. */
  prepare?: typeof prepareLaunch;
}

/** An agent that is a command of somebody's: it is given a goal and an address, and drives the browser by itself. */
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

/** Runs the command until its last word, or its end. What comes after that is not heard. */
async function runOnce(
  launch: SandboxLaunch,
  { brief, cdpUrl, redact }: DrivingSeat,
  report: (report: AgentReport) => void,
  signal: AbortSignal,
): Promise<LastMove> {
  const word = new LastWord();
  report({ kind: 'begun' });
  const agent = new AgentProcess(launch, briefingLine(brief, cdpUrl), {
    line: (text) => hear(text, word, { report, redact }),
    tooMuch: (what) => {
      word.broke(`it has printed ${what}`);
    },
    failed: (error) => {
      word.broke(`it could not be started: ${error.message}`);
    },
    ended: ({ code, signal: killer }) => {
      if (code === 0) word.said({ kind: 'done', answer: word.answer });
      else
        word.broke(
          `it ended with ${code === null ? `signal ${killer}` : `exit code ${code}`}${lastWords(agent.printed(redact))}`,
        );
    },
  });
  const stop = (): void => {
    word.broke('it was stopped');
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await word.spoken;
  } finally {
    report({ kind: 'last_word' });
    signal.removeEventListener('abort', stop);
    await agent.end();
    const printed = agent.printed(redact);
    if (printed.text !== '') report({ kind: 'printed', ...printed });
  }
}

/** The end that a command came to: the first counts. */
class LastWord {
  answer: Answer | null = null;
  isSpoken = false;
  readonly spoken: Promise<LastMove>;
  #resolve: (move: LastMove) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor() {
    this.spoken = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  said(move: LastMove): void {
    this.isSpoken = true;
    this.#resolve(move);
  }

  broke(why: string): void {
    this.isSpoken = true;
    this.#reject(new AgentError('failed', why, 'docs/agents.md says what a command is given and what it may write'));
  }
}

/** Handlers for what a line says. */
interface Ears extends Pick<DrivingSeat, 'redact'> {
  report: (report: AgentReport) => void;
}

/** Says whether a line was meant for us. */
function hear(text: string, word: LastWord, { report, redact }: Ears): boolean {
  if (word.isSpoken) return true;
  try {
    const line = lineIn(text, redact);
    if (line === null) return false;
    switch (line.type) {
      case 'step': {
        const { tool, args, ok, text: said } = line;
        report({ kind: 'step', tool, args, ok, text: said });
        break;
      }
      case 'usage':
        report({ kind: 'usage', usage: usageOf(line) });
        break;
      case 'answer':
        word.answer = answerOf(line);
        if (word.answer !== null) report({ kind: 'answered', answer: word.answer });
        break;
      case 'done':
        word.said({ kind: 'done', answer: word.answer });
        break;
      case 'give_up':
        word.said({ kind: 'give_up', reason: line.reason });
    }
  } catch (error) {
    word.broke(messageOf(error));
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
  return error === undefined ? `; it said: ${lastWhole(text)}` : `; ${error.trim()}`;
}

/**
 * Suites, bundles and histories (`.git`) below what a command may read, and suites and bundles that this lies in.
 * @throws AgentError `bad_agent_file` when there is too much to look through.
 */
export function contractsNear({ id, folder, readable }: ExecCommand, maxFolders?: number): string[] {
  const places = [folder, ...readable];
  const found = markedFolders(places, CONTRACT_MARKS, maxFolders);
  if (found !== null) return found;
  throw new AgentError(
    'bad_agent_file',
    `the agent ${id} may read ${places.join(', ')}: too many folders to find suites and bundles in`,
    'put it into a folder of its own, and name smaller ones in "readable"',
  );
}
