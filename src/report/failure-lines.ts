import { codeSpan } from './code-span.ts';
import { markdownTable } from './markdown-table.ts';
import type { Report } from './report.ts';

/** Why episodes did not pass, as Markdown; nothing where all did. */
export function failureLines({ failures }: Pick<Report, 'failures'>): string[] {
  if (failures === undefined) return [];
  return [
    '## Failures by category',
    '',
    ...markdownTable(
      [
        { head: 'agent', left: true, cell: ({ agent }) => agent },
        { head: 'model', left: true, cell: ({ model_id: model }) => (model === null ? null : codeSpan(model)) },
        { head: 'surface', left: true, cell: ({ surface }) => surface },
        { head: 'task', left: true, cell: ({ suite, task }) => `${suite}/${task}` },
        {
          head: 'category: episodes',
          left: true,
          cell: ({ counts }) => counts.map(({ category, episodes }) => `\`${category}\`: ${episodes}`).join(', '),
        },
      ],
      failures,
    ),
    '',
  ];
}
