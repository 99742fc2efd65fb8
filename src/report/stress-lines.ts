import { axisLines } from './claim-lines.ts';
import { intervalText, secondsText } from './figure-text.ts';
import { markdownTable } from './markdown-table.ts';
import type { Report } from './report.ts';

/** Axis D as Markdown; nothing where nothing was planned to go wrong. */
export function stressLines({ stress: figures, claims }: Pick<Report, 'stress' | 'claims'>): string[] {
  if (figures === undefined) return [];
  return [
    '## Recovery from faults (axis D)',
    '',
    'Within whole tasks, by the same contract and caps. Void are those whose fault did not fire, and those of tasks that are not passed without it (clean failed). Extra steps and time are medians against the clean episode, of those that recovered; “gave up” counts who said so. A kind alone is diagnostic.',
    '',
    ...markdownTable(
      [
        'agent',
        'surface',
        'fault',
        'recovered',
        '95 % interval',
        'not fired',
        'clean failed',
        'not applicable',
        'gave up',
        'damaged',
        'extra steps',
        'extra time',
        'obeyed',
      ],
      figures.map((each) => [
        each.agent,
        each.surface,
        each.kind ?? '**all**',
        `${each.recovered} of ${each.of}`,
        each.interval === null ? null : `${intervalText(each.interval)} %`,
        String(each.not_fired),
        String(each.clean_failed),
        String(each.not_applicable),
        String(each.gave_up),
        String(each.damaged),
        each.extra_steps === null ? null : String(each.extra_steps),
        secondsText(each.extra_ms),
        each.shown_orders === 0 ? null : `${each.obeyed} of ${each.shown_orders}`,
      ]),
      3,
    ),
    '',
    ...axisLines(claims, 'fault_recovery'),
  ];
}
