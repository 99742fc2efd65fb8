import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeSpan, markdownReport } from '../../src/report/markdown.ts';
import { buildReport } from '../../src/report/report.ts';
import { finishRow } from '../../src/bundle/row.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const HOSTILE = '`</code>| <img src=x onerror=alert(1)> [click](javascript:alert(1)) \u001b[31mred\u202e\n# heading';

describe('a code span', () => {
  test('holds text from outside on one line', () => {
    expect(codeSpan('a\nb')).toBe('`a␊b`');
  });

  test('has a fence longer than any run of backticks inside', () => {
    expect(codeSpan('a``b')).toBe('```a``b```');
    expect(codeSpan('`')).toBe('`` ` ``');
  });

  test('escapes the pipe, which would end a table cell', () => {
    expect(codeSpan('a|b')).toBe(String.raw`\`a\|b\``.replaceAll('\\`', '`'));
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

test('page content, answers and tool arguments reach the report as code spans only', () => {
  const row = finishRow({
    ...SAMPLE,
    status: 'failed',
    final_url: `http://x.localhost/${HOSTILE}`,
    last_tool_call: { tool: 'click', args: { ref: HOSTILE } },
    failed_contract: {
      path: 'success',
      kind: 'dom_text',
      expected: HOSTILE,
      observed: { preview: HOSTILE, length: 9 },
    },
  });
  const markdown = markdownReport(buildReport('c', 1, [row]));
  const outsideCode = markdown.replaceAll(/(`+)[^]*?[^`]\1(?!`)/g, '');
  expect(outsideCode).not.toContain('<img');
  expect(outsideCode).not.toContain('](');
  expect(markdown).not.toContain('\u001b');
  expect(markdown).not.toContain('\u202e');
});

test('a report that is not complete says so', () => {
  expect(markdownReport(buildReport('c', 2, [finishRow(SAMPLE)]))).toContain('1 of 2 — **not complete**');
});
