import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/finish-row.ts';
import { Fault } from '../../src/fault/schema.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { ProgressPrinter } from '../../src/cli/progress-printer.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { plannedEpisode, SMALL_PLAN } from '../plan/sample-plan.ts';

const HOSTILE = '\u001b[2J\u009b31m\u202e\rpassed';

/** What is said of one episode. */
function said(tell: (printer: ProgressPrinter) => void, plan: Partial<Plan> = {}): string {
  const lines: string[] = [];
  const note = (line: string) => lines.push(line);
  tell(new ProgressPrinter({ out: note, note }, { verbose: true, plan: { ...SMALL_PLAN, ...plan } }));
  return lines.join('\n');
}

test('what a page or an agent wrote is shown, and obeyed by no terminal', () => {
  const episode = plannedEpisode(0);
  const text = said((printer) => {
    printer.event(episode, { type: 'reset', task: 'a', start_url: HOSTILE, surface: 'a', agent: 'a' });
    printer.event(episode, {
      type: 'tools',
      names: [HOSTILE],
      tool_list_hash: '',
      tokens: null,
      tools: [],
      tools_blob: null,
    });
    printer.event(episode, { type: 'call', step: 1, tool: HOSTILE, args: { a: HOSTILE }, args_blob: null });
    printer.event(episode, {
      type: 'result',
      step: 1,
      tool: HOSTILE,
      ok: true,
      kind: HOSTILE,
      text: HOSTILE,
      text_blob: null,
      bytes: 1,
      tokens: null,
      tool_ms: 1,
      url: HOSTILE,
      progress: null,
      page_state_sha256: null,
      target: null,
    });
    printer.event(episode, { type: 'stop', stop: 'gave_up', detail: HOSTILE, answer: null });
    printer.finished(finishRow({ ...SAMPLE, last_tool_call: { tool: HOSTILE, args: {} } }));
  });
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(text).toContain('opening ␛[2J');
});

test('a step of a solution that failed is told where it failed, without --verbose too', () => {
  const lines: string[] = [];
  const note = (line: string) => lines.push(line);
  const printer = new ProgressPrinter({ out: note, note }, { verbose: false, plan: SMALL_PLAN });
  const result = {
    type: 'result',
    step: 2,
    tool: 'click',
    kind: 'not_found',
    text: '',
    text_blob: null,
    bytes: 1,
    tokens: null,
    tool_ms: 1,
    url: 'x',
    progress: null,
    page_state_sha256: null,
    target: null,
  } as const;
  const episode = { ...plannedEpisode(0), agent: 'reference' };
  const call = { type: 'call', step: 2, tool: 'click', args: { ref: 'e5' }, args_blob: null } as const;
  printer.event(episode, { ...call, written_step: 1 });
  printer.event(episode, { ...result, ok: true });
  expect(lines).toEqual([]);
  printer.event({ ...episode, agent: 'null' }, { ...result, ok: false });
  expect(lines).toEqual([]);
  printer.event(episode, { ...result, ok: false });
  expect(lines).toEqual(['       step 1 of the solution failed: not_found (click {"ref":"e5"})']);
});

test('an episode is one line, and a failed one is followed by the reason', () => {
  const text = said((printer) => {
    printer.planned(2, 0);
    printer.finished(finishRow(SAMPLE));
  });
  expect(text.split('\n')).toEqual([
    '2 episodes planned',
    expect.stringMatching(/^1\/2 {2}checkout +model\/aria +failed {2}4 steps {2}9\.00 s$/),
    '       The page shows “Your cart”. success.children[0] (dom_text) expected Thanks, observed Your cart. By its own word it took 4 steps.',
  ]);
});

test('what a campaign may cost and take is said before it begins, and not of the rest of one', () => {
  const begun = (done: number, bounds?: string) => {
    const lines: string[] = [];
    const terminal = { out: () => {}, note: (line: string) => void lines.push(line) };
    new ProgressPrinter(terminal, {
      verbose: false,
      plan: SMALL_PLAN,
      ...(bounds === undefined ? {} : { bounds }),
    }).planned(2, done);
    return lines;
  };
  expect(begun(0, 'costs nothing')).toEqual(['2 episodes planned; costs nothing']);
  expect(begun(0)).toEqual(['2 episodes planned']);
  expect(begun(1, 'costs nothing')).toEqual(['2 episodes planned, 1 of them already done']);
  expect(said((printer) => printer.planned(9, 0, 4, 'this machine has 2 cores')).split('\n')).toEqual([
    '9 episodes planned',
    'up to 4 at once: this machine has 2 cores',
  ]);
  expect(said((printer) => printer.planned(9, 8, 1, 'too few episodes for more'))).not.toContain('at a time');
  expect(begun(0, 'a price that is not known. '.repeat(3)).map(({ length }) => length <= 80)).toEqual([true, true]);
});

test('an instance is told from its task', () => {
  const text = said((printer) => {
    printer.finished(finishRow({ ...SAMPLE, instance: 'pears' }));
  });
  expect(text).toContain('checkout@pears  ');
});

test('a control that fails is said to fail as it must, and needs no reason', () => {
  const control = finishRow({ ...SAMPLE, agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' });
  expect(
    said((printer) => {
      printer.finished(control);
    }).split('\n'),
  ).toEqual([expect.stringMatching(/ failed, as it must {2}4 steps {2}9\.00 s$/)]);
});

test('a reason that every repetition has is told once, and another one beside it', () => {
  const observed = (preview: string) => ({
    failed_contract: { path: 'success', kind: 'answer', expected: 'x', observed: { preview, length: 1 } },
    last_tool_call: null,
    self_reported: null,
  });
  const text = said(
    (printer) => {
      const rows = [
        { iteration: 0, ...observed('y') },
        { iteration: 1, ...observed('y') },
        { iteration: 2, ...observed('z') },
        { iteration: 3, ...observed('z') },
        { iteration: 0, ...observed('z'), agent: 'other' },
      ];
      for (const row of rows) printer.finished(finishRow({ ...SAMPLE, ...row }));
    },
    { iterations: 4 },
  );
  const reasons = text.split('\n').filter((line) => line.startsWith('       '));
  expect(reasons.map((line) => line.trim())).toEqual([
    expect.stringMatching(/expected x, observed y\. No tool call\.$/),
    'for the same reason as #1',
    expect.stringMatching(/expected x, observed z\. No tool call\.$/),
    'for the same reason as #3',
    expect.stringMatching(/expected x, observed z\. No tool call\.$/),
  ]);
});

test('an episode of several iterations has its number', () => {
  const text = said(
    (printer) => {
      printer.finished(finishRow({ ...SAMPLE, iteration: 1 }));
    },
    { iterations: 2 },
  );
  expect(text).toContain('checkout #2 ');
});

test('the reason is why it stopped, the text of what was seen, and no JSON of it', () => {
  const text = said((printer) => {
    printer.finished(
      finishRow({
        ...SAMPLE,
        status: 'agent_error',
        stop: 'agent_error',
        declared_done: false,
        detail: 'cannot click "button" "X": the surface does not show it',
        failed_contract: {
          path: 'success',
          kind: 'dom_text',
          expected: 'text of h1 contains "Thanks"',
          observed: { preview: 'Your "cart"', length: 11 },
        },
        last_tool_call: null,
      }),
    );
  });
  expect(text.split('\n')[1]?.trim()).toBe(
    'The agent ended with an error: cannot click "button" "X": the surface does not show it. success (dom_text) expected text of h1 contains "Thanks", observed Your "cart". By its own word it took 4 steps.',
  );
});

test('episodes stand under each other, each with what was planned to go wrong in it', () => {
  const fault = { id: 'lost', kind: 'drop' as const };
  const [planned] = SMALL_PLAN.tasks;
  if (planned === undefined) throw new Error('the plan has no task');
  const entrants = [
    { agent: 'model', surface: 'aria' },
    { agent: 'model', surface: 'playwright-mcp' },
  ];
  const text = said(
    (printer) => {
      printer.finished(finishRow({ ...SAMPLE, task: planned.task.id }));
      const fired = { ...fault, armed: true, fired: true, cleared: true };
      const row = { ...SAMPLE, task: planned.task.id, surface: 'playwright-mcp', faults: [fired], recovered: false };
      printer.finished(finishRow(row));
    },
    { tasks: [planned, { ...planned, fault: Fault.parse(fault) }], entrants },
  );
  const lines = text.split('\n').filter((line) => /^[12]\/0/.test(line));
  expect(lines[1]).toContain(`${planned.task.id} + lost  model/playwright-mcp  failed`);
  expect(lines[0]?.indexOf('failed')).toBe(lines[1]?.indexOf('failed'));
});
