import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { ProgressPrinter } from '../../src/cli/progress-printer.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { plannedEpisode } from '../campaign/sample-plan.ts';

const HOSTILE = '\u001b[2J\u009b31m\u202e\rpassed';

/** What is said of one episode. */
function said(tell: (printer: ProgressPrinter) => void, iterations = 1): string {
  const lines: string[] = [];
  const note = (line: string) => lines.push(line);
  tell(new ProgressPrinter({ out: note, note }, { verbose: true, iterations }));
  return lines.join('\n');
}

test('what a page or an agent wrote is shown, and obeyed by no terminal', () => {
  const episode = plannedEpisode(0);
  const text = said((printer) => {
    printer.event(episode, { type: 'reset', task: 'a', start_url: HOSTILE, surface: 'a', agent: 'a' });
    printer.event(episode, { type: 'tools', names: [HOSTILE], tool_list_hash: '', tools: [], tools_blob: null });
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
      tool_ms: 1,
      url: HOSTILE,
    });
    printer.event(episode, { type: 'stop', stop: 'gave_up', detail: HOSTILE, answer: null });
    printer.finished(finishRow({ ...SAMPLE, last_tool_call: { tool: HOSTILE, args: {} } }));
  });
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(text).toContain('reset       ␛[2J');
});

test('an episode is one line, and a failed one is followed by the reason', () => {
  const text = said((printer) => {
    printer.planned(2, 0);
    printer.finished(finishRow(SAMPLE));
  });
  expect(text.split('\n')).toEqual([
    '2 episodes planned',
    '1/2  checkout                  model/aria                failed  4 steps  9.00 s',
    '       success.children.0 (dom_text) expected “Thanks”, observed “Your cart”; last tool call: click {"ref":"e7"}',
  ]);
});

test('an instance is told from its task', () => {
  const text = said((printer) => {
    printer.finished(finishRow({ ...SAMPLE, instance: 'pears' }));
  });
  expect(text).toContain('checkout@pears  ');
});

test('a control that fails is as it should be, and needs no reason', () => {
  const control = finishRow({ ...SAMPLE, agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' });
  expect(
    said((printer) => {
      printer.finished(control);
    }).split('\n'),
  ).toHaveLength(1);
});

test('an episode of several iterations has its number', () => {
  const text = said((printer) => {
    printer.finished(finishRow({ ...SAMPLE, iteration: 1 }));
  }, 2);
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
    'cannot click "button" "X": the surface does not show it; success (dom_text) expected “text of h1 contains "Thanks"”, observed “Your "cart"”',
  );
});

test('an assertion that saw nothing says so', () => {
  const failed = { path: 'success', kind: 'answer', expected: 'an answer', observed: null };
  expect(
    said((printer) => {
      printer.finished(finishRow({ ...SAMPLE, failed_contract: failed }));
    }),
  ).toContain('observed nothing');
});
