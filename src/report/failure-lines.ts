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
      ['agent', 'model', 'surface', 'task', 'category: episodes'],
      failures.map(({ agent, model_id: model, surface, suite, task, counts }) => [
        agent,
        model === null ? null : codeSpan(model),
        surface,
        `${suite}/${task}`,
        counts.map(({ category, episodes }) => `\`${category}\`: ${episodes}`).join(', '),
      ]),
      5,
    ),
    '',
  ];
}
