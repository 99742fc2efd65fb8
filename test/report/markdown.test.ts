import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heading, sentence } from '../../src/report/document.ts';
import { codeSpan, markdownBlocks, markdownReport, markdownSections } from '../../src/report/markdown.ts';
import { finishRow, Row } from '../../src/bundle/row.ts';
import { drawnReport } from './drawn-report.ts';
import { CONTROL, ofTask, PASSED, SAMPLE, sampleRows } from '../bundle/sample-row.ts';
import { pairsIn, pairsSections } from '../../src/report/pairs-report.ts';

const HOSTILE = '`</code>| <img src=x onerror=alert(1)> [click](javascript:alert(1)) \u001b[31mred\u202e\n# heading';

describe('a code span', () => {
  test('holds text from outside on one line', () => {
    expect(codeSpan('a\nb')).toBe('`a␊b`');
  });

  test('has a fence longer than any run of backticks inside', () => {
    expect(codeSpan('a``b')).toBe('```a``b```');
    expect(codeSpan('`')).toBe('`` ` ``');
  });

  test('holds a run of backslashes of any length, and is written at once', () => {
    const run = '\\'.repeat(400_000);
    expect(codeSpan(run)).toBe(`\`${run}\``);
  });

  test('escapes the pipe, which would end a table cell', () => {
    expect(codeSpan('a|b')).toBe(String.raw`\`a\|b\``.replaceAll('\\`', '`'));
  });

  test('has no backslash before an escaped pipe, which would end the cell for some renderers', () => {
    expect(codeSpan(String.raw`a\|b`)).toBe('`a\\u005c\\|b`');
    expect(codeSpan(String.raw`\\||`)).toBe('`\\u005c\\u005c\\|\\|`');
    expect(codeSpan(String.raw`C:\dir|x\\`)).toBe('`C:\\dir\\|x\\\\`');
  });

  test('holds its pipes in a cell, whether backslashes pair from the left or the last one escapes', () => {
    const text = fc.array(fc.constantFrom('\\', '|', 'a'), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (hostile) => {
        const span = codeSpan(hostile);
        expect(span.replaceAll(/\\[\\|]/g, '')).not.toContain('|');
        expect(span).not.toMatch(/(?<!\\)\|/);
      }),
    );
  });

  test('is never left open, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [, fence = '', inside = ''] = /^(`+)([^]*)\1$/.exec(codeSpan(text)) ?? [];
        const runs = [...inside.matchAll(/`+/g)].map(([run]) => run.length);
        expect(fence).not.toBe('');
        expect(runs).not.toContain(fence.length);
        expect(inside).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

test('page content, answers, tool arguments and browser names reach the report only as code spans', () => {
  const row = finishRow({
    ...SAMPLE,
    browser: { name: HOSTILE, version: HOSTILE, build: null, kind: 'full', ours: true, sandbox: true },
    status: 'failed',
    detail: HOSTILE,
    final_url: `http://x.localhost/${HOSTILE}`,
    last_tool_call: { tool: 'click', args: { ref: HOSTILE } },
    failed_contract: {
      path: 'success',
      kind: 'dom_text',
      expected: HOSTILE,
      observed: { preview: HOSTILE, length: 9 },
    },
  });
  const markdown = markdownReport(drawnReport(1, [row]));
  const outsideCode = markdown.replaceAll(/(`+)[^]*?[^`]\1(?!`)/g, '');
  expect(outsideCode).not.toContain('<img');
  expect(outsideCode).not.toContain('](');
  expect(markdown).not.toContain('\u001b');
  expect(markdown).not.toContain('\u202e');
});

test.each([
  ['the page should show “Thanks”, but shows “Your cart”.', 'plain'],
  ['the page should show “Thanks”, but shows “www.example.com”.', 'code'],
  ['the page should show “Thanks”, but shows “<b>”.', 'code'],
])('a sentence with a text from outside is plain if that holds no markup and no address: %s', (words, how) => {
  const [, line] = markdownBlocks([heading('x'), { kind: 'text', text: sentence(words), quiet: false }]).filter(
    Boolean,
  );
  expect(line).toBe(how === 'plain' ? words : codeSpan(words));
});

test('a page that ends a line and writes its own headline has made none', () => {
  const headline = '- first through aria passed more than second through aria: by 90.0 points, p = 0.000031 after Holm';
  const words = `Thanks\n\n${headline}\n\n## What may be claimed\n\n${headline}`;
  const failed = { path: 'success', kind: 'dom_text', expected: 'Thanks', observed: { preview: words, length: 240 } };
  const row = finishRow({ ...SAMPLE, failed_contract: failed, final_url: `http://x.localhost/#${words}` });
  const report = drawnReport(1, [row]);
  const lines = markdownReport(report).split('\n');
  expect(lines.filter((line) => line.startsWith('- first through') || line === '## What may be claimed')).toHaveLength(
    1,
  );
  expect(lines.some((line) => line.includes('passed more than'))).toBe(true);
  // One that was found eligible is such a line.
  expect(markdownReport({ ...report, headlines: [headline.slice(2)] }).split('\n')).toContain(headline);
});

describe('a row whose text is in a report unchanged', () => {
  const failed = { path: 'success', kind: 'url', expected: '', observed: null };
  const CASES: [string, Partial<Row>][] = [
    ['campaign_id', { campaign_id: HOSTILE }],
    ['suite', { suite: HOSTILE }],
    ['task', { task: HOSTILE }],
    ['agent', { agent: HOSTILE }],
    ['surface', { surface: HOSTILE }],
    ['bench_version', { bench_version: HOSTILE }],
    ['bench_commit', { bench_commit: HOSTILE }],
    ['failed_contract.path', { failed_contract: { ...failed, path: `success${HOSTILE}` } }],
    ['failed_contract.kind', { failed_contract: { ...failed, kind: HOSTILE } }],
    ['agent', { agent: 'www.example.com' }],
    ['task', { task: '__init__' }],
  ];

  test.each(CASES)('can hold no markup in %s', (field, edit) => {
    const { error } = Row.safeParse({ ...SAMPLE, ...edit });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
  });

  test('may have every form that a run gives it', () => {
    const forms: Partial<Row> = {
      campaign_id: '20260101T120000Z-12345678',
      task: 'local-form_2',
      agent: 'browser-use',
      bench_version: '1.0.0-rc.1+5',
      bench_commit: '0123456789abcdef0123456789abcdef01234567',
      failed_contract: { ...failed, path: 'guards.children.12.child', kind: 'app_state' },
    };
    expect(Row.safeParse({ ...SAMPLE, ...forms }).success).toBe(true);
  });
});

const REFERENCE = { decider: 'reference', mode: 'scripted' } as const;
const MODEL = { decider: 'model', mode: 'live' } as const;

type Runner = [agent: string, facts: Pick<Row, 'decider' | 'mode'>, passes: boolean];

function pairsOf(...runners: readonly Runner[]): string {
  const drafts = runners.flatMap(([agent, facts, passes]) =>
    ['a', 'b'].map((task) => ({ ...ofTask(task), ...facts, agent, ...(passes ? PASSED : {}) })),
  );
  const rows = sampleRows(...drafts);
  const entrants = runners.map(([agent]) => ({ agent, surface: SAMPLE.surface }));
  const report = drawnReport(rows.length, rows, entrants);
  return markdownSections(pairsSections(report, pairsIn(report)));
}

test('no task is listed in which a control, which passes nothing, passes less', () => {
  const text = pairsOf(['reference', REFERENCE, true], ['null', CONTROL, false]);
  expect(text).toContain('| reference through aria | null through aria | 2 |');
  expect(text).not.toContain('Tasks that one passes more often');
});

test('every task is listed that one of two competitors passes more often', () => {
  const text = pairsOf(['reference', REFERENCE, true], ['model', MODEL, false]);
  expect(text).toContain('Tasks that one passes more often');
  expect(text).toContain('| `basics/a` | reference through aria | 1 of 1 | model through aria | 0 of 1 |');
});
