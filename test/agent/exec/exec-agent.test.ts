import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type { LastMove, AgentReport } from '../../../src/agent/agent.ts';
import { canBubblewrap } from '../../../src/process/sandbox/bubblewrap.ts';
import type { ExecCommand } from '../../../src/agent/exec/command.ts';
import { execAgent } from '../../../src/agent/exec/exec-agent.ts';
import { prepareLaunch } from '../../../src/process/sandbox/launch.ts';
import { createRedactor } from '../../../src/bundle/redact.ts';
import { processesWith } from '../../process/processes-with.ts';
import { NEVER, seatWith } from '../seat.ts';

const SCRIPT = fileURLToPath(new URL('fixtures/agent.mjs', import.meta.url));
const FOLDER = path.dirname(SCRIPT);

/** The secret of some behaviours. */
const REDACTOR = createRedactor([{ name: 'WORD', value: 'tulip-Harbour-4417' }]);

interface Drive {
  move?: LastMove;
  error?: unknown;
  reports: AgentReport[];
  steps: string[];
  printed: string;
  /** Its processes when it last reported something, and those that it has left. */
  running: string[];
  left: string[];
  /** Text in the command lines of all that it starts. */
  word: string;
}

function commandOf(behaviour: string, word: string, parts: Partial<ExecCommand> = {}): ExecCommand {
  const script = { program: process.execPath, args: [SCRIPT, behaviour, word], folder: FOLDER, files: [SCRIPT] };
  return { id: 'small', ...script, readable: [], env: [], secrets: [], network: 'gateway', ...parts };
}

/** As another user where we may choose one, as ourselves, or in a sandbox. */
type Kind = 'apart' | 'as ourselves' | 'in a sandbox';

interface Setting extends Partial<ExecCommand> {
  kind?: Kind;
  signal?: AbortSignal;
  onReport?: (report: AgentReport) => void;
}

/** Lets a command with this behaviour drive. */
async function driving(behaviour: string, setting: Setting = {}): Promise<Drive> {
  const { kind = 'apart', signal = NEVER, onReport, ...parts } = setting;
  const word = randomUUID();
  const reports: AgentReport[] = [];
  const agent = execAgent(commandOf(behaviour, word, parts), {
    prepare: async (command, cdpUrl, hidden) => {
      const launch = await prepareLaunch(command, cdpUrl, hidden, kind === 'in a sandbox');
      return kind === 'as ourselves' ? { ...launch, uid: null } : launch;
    },
  });
  let running: string[] = [];
  const onAgentReport = (report: AgentReport): void => {
    reports.push(report);
    running = processesWith(word);
    onReport?.(report);
  };
  const seat = { brief: seatWith().brief, cdpUrl: 'http://127.0.0.1:4909', redact: REDACTOR.text };
  const outcome = await agent.drive(seat, onAgentReport, signal).then(
    (move) => ({ move }),
    (error: unknown) => ({ error }),
  );
  return {
    ...outcome,
    reports,
    steps: reports.flatMap((report) => (report.kind === 'step' ? [report.tool] : [])),
    printed: reports.flatMap((report) => (report.kind === 'printed' ? [report.text] : [])).join(''),
    running,
    left: processesWith(word),
    word,
  };
}

/** Stops an agent once it has reported a step. */
function stoppingAtFirstStep(): Pick<Setting, 'signal' | 'onReport'> {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onReport: ({ kind }) => {
      if (kind === 'step') controller.abort();
    },
  };
}

test('a command is given goal, address and caps, a small environment, and nothing else', async () => {
  process.env['SOME_API_KEY'] = 'a key of ours';
  process.env['OTHER_API_KEY'] = 'a key for it';
  process.env['MODEL'] = 'a model for it';
  const given = { env: ['MODEL', 'NOT_SET'], secrets: ['OTHER_API_KEY'] };
  const { reports } = await driving('reports what it was given', given);
  for (const name of ['SOME_API_KEY', 'OTHER_API_KEY', 'MODEL']) delete process.env[name];
  expect(reports.find(({ kind }) => kind === 'step')).toMatchObject({
    args: {
      briefing: {
        protocol: 'touchstone-exec/1',
        task: 'send-form',
        goal: 'Send the form.',
        start_url: 'http://a.test/',
        cdp_url: 'http://127.0.0.1:4909',
        caps: { max_steps: 10, max_duration_ms: 1_000, max_turns: null, max_tokens: null, max_usd: null },
      },
      environment: ['HOME', 'LANG', 'MODEL', 'OTHER_API_KEY', 'PATH', 'TMPDIR', 'TOUCHSTONE_MARK'],
    },
  });
});

test('its reports arrive, and its last answer counts', async () => {
  const { move, reports } = await driving('reports everything');
  expect(move).toEqual({ kind: 'done', answer: { value: '42' } });
  expect(reports).toEqual([
    { kind: 'isolation', isolation: { by: expect.stringMatching(/^(user|none)$/), network: 'shared' } },
    { kind: 'begun' },
    { kind: 'step', tool: 'click', args: { at: 'Send' }, ok: false, text: 'no such button' },
    {
      kind: 'usage',
      usage: { inputTokens: 10, outputTokens: 2, cachedTokens: null, costUsd: null, model: 'small-1' },
    },
    { kind: 'answered', answer: { value: 'wrong' } },
    { kind: 'answered', answer: { value: '42' } },
    { kind: 'ended' },
  ]);
});

test.each<[string, LastMove]>([
  ['ends without a report', { kind: 'done', answer: null }],
  ['answers and ends', { kind: 'done', answer: { not_possible: true } }],
  ['answers with a list', { kind: 'done', answer: { value: '["Ines","Yuki"]' } }],
  ['gives up', { kind: 'give_up', reason: 'too hard' }],
  ['ends without a line break', { kind: 'give_up', reason: 'tired' }],
])('a command that %s ends so', async (behaviour, move) => {
  expect((await driving(behaviour)).move).toEqual(move);
});

test('output outside the protocol is kept, and is not an error', async () => {
  const { move, printed, steps } = await driving('prints this and that');
  expect(move).toEqual({ kind: 'done', answer: null });
  expect(steps).toEqual(['look']);
  expect(printed).toContain('hello\n{"level":30}\n{"type":\n[{"type":"done"}]\n');
  expect(printed).toContain('a warning');
});

test.each([
  ['prints a secret at the limit of what is reported', 16_000],
  ['prints a secret at the limit of what is kept', 16_000],
  ['prints more than is kept, and much of it secret', 1_000],
])('a command that %s reveals nothing of the secret', async (behaviour, least) => {
  const { printed } = await driving(behaviour);
  expect(printed.length).toBeGreaterThanOrEqual(least - 100);
  expect(printed).not.toMatch(/tulip|Harbour|4417/);
});

test.each([
  ['ends its output with a secret', /^it ended with exit code 3; it printed: [^4]*y+$/],
  ['misspells a long line with a secret', /^its line \{"type":"dnoe","pad":"x+\[secret[^t]* is malformed/],
])('the error of a command that %s shows nothing of it', async (behaviour, message) => {
  const { error } = await driving(behaviour);
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
  expect(String(error)).not.toMatch(/tulip|Harbour|4417/);
});

test.each([
  ['crashes at its start', /^it ended with exit code 3; it printed: no key was found$/],
  ['crashes with much to say', /^it ended with exit code 3; it printed: …(?:words )?(?:whole words )+end$/],
  ['crashes in the middle', /^it ended with exit code 1; Error: out of cheese$/],
  ['kills itself', /^it ended with signal SIGKILL$/],
  ['misspells done', /^its line \{"type":"dnoe"\} is malformed: type must be one of .*"done".*, not "dnoe"$/],
  ['has used up more than there is', /malformed: input_tokens must be at most 1000000000/],
  ['answers with nothing', /malformed: value must be text, a number, or a list or map of them/],
  ['names ninety thousand fields', /^(?!.*\bk100\b).* is malformed: .*\bk99\b/],
  ['writes a line without end', /^it printed a line longer than 1048576 characters$/],
  ['floods its output', /^it printed more than 67108864 bytes$/],
  ['floods its errors', /^it printed more than 67108864 bytes$/],
])('a command that %s fails, and leaves nothing', async (behaviour, message) => {
  const { error, left } = await driving(behaviour);
  expect(error).toMatchObject({ name: 'AgentError', message: expect.stringMatching(message) });
  expect(left).toEqual([]);
});

test('the steps of a flooding command are read within the budget', async () => {
  // No time goes by in which something could be spent again.
  vi.useFakeTimers({ toFake: ['performance'] });
  const cancel = new AbortController();
  const received = { steps: 0 };
  const seat = { brief: seatWith().brief, cdpUrl: 'http://127.0.0.1:4909', redact: REDACTOR.text };
  const onAgentReport = ({ kind }: AgentReport): void => {
    received.steps += kind === 'step' ? 1 : 0;
  };
  const flooding = execAgent(commandOf('floods with steps', randomUUID())).drive(seat, onAgentReport, cancel.signal);
  flooding.catch(() => {});
  while (received.steps < 16_000) await turn();
  for (let rivals = 0; rivals < 2; rivals += 1)
    expect((await driving('reports what it was given')).steps).toHaveLength(1);
  expect(received.steps).toBeLessThan(16_600);
  cancel.abort();
  await expect(flooding).rejects.toMatchObject({ code: 'command_stopped' });
});

test('a command that cannot be started fails', async () => {
  const { error } = await driving('gives up', { program: '/nowhere/at-all' });
  expect(error).toMatchObject({ code: 'command_not_started' });
});

test('after its first "done" a command is ignored and ended', async () => {
  const { move, steps, left } = await driving('is done twice and goes on');
  expect(move).toEqual({ kind: 'done', answer: { value: 'first' } });
  expect(steps).toEqual([]);
  expect(left).toEqual([]);
});

const KINDS: Kind[] = ['apart', 'as ourselves', ...(canBubblewrap() ? ['in a sandbox' as const] : [])];

describe.each(KINDS)('run %s', (kind) => {
  test.each(['never ends', 'closes its output and stays'])('a command that %s is stopped', async (behaviour) => {
    const { error, left, steps, running } = await driving(behaviour, { kind, ...stoppingAtFirstStep() });
    expect(error).toMatchObject({ code: 'command_stopped' });
    expect(steps).toEqual(['look']);
    expect(running).not.toEqual([]);
    expect(left).toEqual([]);
  });

  test.each(['leaves children behind', 'leaves a child and reports nothing'])(
    'a command that %s leaves nothing',
    async (behaviour) => {
      const { move, left } = await driving(behaviour, { kind });
      expect(move).toEqual({ kind: 'done', answer: null });
      expect(left).toEqual([]);
    },
  );
});

/** As our own user, the only choice without root, repeated looks may miss them. */
const OF_ITS_OWN = KINDS.filter((kind) => kind === 'in a sandbox' || (kind === 'apart' && process.getuid?.() === 0));

test.each(OF_ITS_OWN)('run %s, a command whose children keep forking and ending leaves nothing', async (kind) => {
  const { move, word } = await driving('leaves children that fork on and on', { kind });
  expect(move).toEqual({ kind: 'done', answer: null });
  // One look may miss them as well.
  expect(Array.from({ length: 100 }, () => processesWith(word)).flat()).toEqual([]);
});

test('a command that is stopped before it begins does nothing', async () => {
  const { error, steps, left } = await driving('never ends', { signal: AbortSignal.abort() });
  expect(error).toMatchObject({ code: 'command_stopped' });
  expect({ steps, left }).toEqual({ steps: [], left: [] });
});
