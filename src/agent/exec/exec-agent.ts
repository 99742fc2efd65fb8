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
import { handOver } from '../../task/given-files.ts';
import { CONTRACT_MARKS } from '../../task/suite-file.ts';

const MAX_OUTPUT = 600;
/** An error as Node 20 and Python 3 print it: `Error: …`, `TypeError [CODE]: …`, `ValueError: …`. */
const ERROR_LINE = /^(?:Uncaught )?[\w.]*(?:Error|Exception)(?: \[\w+\])?: \S/;

/**
 * An agent that is a user's command: it is given a goal and an address, and drives the browser itself.
 * @param prepare for tests
 */
export function execAgent(
  command: ExecCommand,
  { hidden = NOTHING_HIDDEN, prepare = prepareLaunch }: { hidden?: Hidden; prepare?: typeof prepareLaunch } = {},
): SelfDrivingAgent {
  return {
    id: command.id,
    decider: 'process',
    drive: async (seat, report, signal) => {
      const launch = await prepare(() => confinedCommand(command), seat.cdpUrl, hidden);
      report({ kind: 'isolation', isolation: launch.isolation });
      try {
        const files = [...(await handOver(launch.home, seat.given)).values()];
        const brief = files.length === 0 ? seat.brief : { ...seat.brief, files };
        return await runOnce(launch, { ...seat, brief }, report, signal);
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
    processNeeds: () => {
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

/** Runs the command until it finishes, fails or is stopped. Later output is ignored. */
async function runOnce(
  launch: SandboxLaunch,
  { brief, cdpUrl, redact }: DrivingSeat,
  report: (report: AgentReport) => void,
  signal: AbortSignal,
): Promise<LastMove> {
  const outcome = new CommandOutcome();
  report({ kind: 'begun' });
  const agent = new AgentProcess(launch, briefingLine(brief, cdpUrl), {
    line: (text) => outcome.take(text, report, redact),
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
        outcome.fail(fact('command_ended', { how, output: errorIn(agent.printed(redact).text) }));
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
    report({ kind: 'ended' });
    signal.removeEventListener('abort', stop);
    await agent.end();
    const printed = agent.printed(redact);
    if (printed.text !== '') report({ kind: 'printed', ...printed });
  }
}

/** The end of a command, of which the first counts, and its answer so far. */
class CommandOutcome {
  answer: Answer | null = null;
  #isSettled = false;
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
    this.#isSettled = true;
    this.#resolve(move);
  }

  fail(why: ConstructorParameters<typeof AgentError>[0]): void {
    this.#isSettled = true;
    this.#reject(new AgentError(why));
  }

  /** Takes a line of output. @returns whether it was meant for us */
  take(text: string, report: (report: AgentReport) => void, redact: DrivingSeat['redact']): boolean {
    if (this.#isSettled) return true;
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
          this.answer = answerOf(line);
          report({ kind: 'answered', answer: this.answer });
          break;
        case 'done':
          this.finish({ kind: 'done', answer: this.answer });
          break;
        case 'give_up':
          this.finish({ kind: 'give_up', reason: line.reason });
      }
    } catch (error) {
      this.fail(fact('command_bad_line', { why: messageOf(error) }));
    }
    return true;
  }
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

/** The end of a text, cut before a line, or else before a word, if there is one. */
function endOf(text: string): string {
  if (text.length <= MAX_OUTPUT) return text;
  const end = text.slice(-MAX_OUTPUT);
  const line = end.indexOf('\n');
  const from = line >= 0 && line < MAX_OUTPUT / 2 ? line : end.search(/\s/);
  return from < 0 ? end : `…${end.slice(from + 1)}`;
}

/** The last line that names an error; else the end of the output. */
function errorIn(text: string): string {
  if (text === '') return '';
  const error = text
    .split('\n')
    .findLast((line) => ERROR_LINE.test(line))
    ?.slice(0, MAX_OUTPUT);
  return error === undefined ? `; it printed: ${endOf(text).replaceAll(/\s*\n\s*/g, ' / ')}` : `; ${error.trim()}`;
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
