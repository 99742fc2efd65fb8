import type { EntrantChange } from '../claim/changes.ts';
import type { ChangesReport } from '../report/changes-report.ts';
import { chanceText, countsText, moveLines, type MovedTask, shownMoves } from '../report/moved-tasks.ts';
import { roundRateText } from '../report/numbers.ts';
import { shellWord } from '../report/shell-word.ts';
import { colours } from './colours.ts';
import { barOf, fewLines } from './first-screen.ts';
import { cutTo, inColumns, labelled, MAX_COLUMNS } from './layout.ts';
import { asTyped, type Terminal } from './terminal.ts';

/** The width of a bar, and most entrants that have one. */
const BARS = { width: 21, most: 8 };

/** Draws what changed between two bundles: the result, bars, what is worse and why, what is better, and what is new or gone. */
export function changesScreen(
  report: ChangesReport,
  controls: ReadonlySet<string>,
  terminal: Pick<Terminal, 'columns' | 'command'>,
): string[] {
  const width = Math.min(terminal.columns ?? MAX_COLUMNS, MAX_COLUMNS);
  const { sentence, moves } = report;
  const compared = report.entrants.filter(({ agent, all }) => all !== null && !controls.has(agent));
  const facts = [...moveLines(moves), ['differs', moves.differs.join(', ')] as const].flatMap(([label, text]) =>
    text === '' ? [] : labelled(label, [text], width),
  );
  return [
    ...fewLines(sentence, width).map(colours.bold),
    '',
    ...block(barLines(compared.slice(0, BARS.most), width)),
    ...block(listLines('worse', moves.worse, width)),
    ...block(listLines('better', moves.better, width)),
    ...facts,
    // A command is not broken, so that it can be copied.
    `side by side   ${asTyped(`touchstone show ${shellWord(report.before)} ${shellWord(report.after)} --serve`, terminal)}`,
    colours.dim('Bars are over the tasks of both. Intervals and all differences: --verbose'),
  ];
}

function block(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [...lines, ''];
}

/** Two bars for each entrant, over the tasks that ran in both. */
function barLines(entrants: readonly EntrantChange[], width: number): string[] {
  const rows = entrants.flatMap(({ agent, surface, all }) =>
    all === null
      ? []
      : ([all.before, all.after] as const).map((share, at) => [
          at === 0 ? `${agent}/${surface}` : '',
          at === 0 ? 'before' : 'now',
          barOf(share, BARS.width),
          `${share.successes} of ${share.trials}`,
          share.rate === null ? '–' : roundRateText(share.rate, share.interval),
        ]),
  );
  return inColumns(rows, [false, false, false, true, true], width) ?? [];
}

/** One line for each task, and below it why it fails now. */
function listLines(title: string, tasks: readonly MovedTask[], width: number): string[] {
  const { shown, more } = shownMoves(tasks);
  const rows = shown.map((each) => [each.task, `${each.agent}/${each.surface}`, countsText(each), chanceText(each)]);
  const lines = inColumns(rows, [false, false, false, false], Infinity) ?? [];
  const paint = title === 'worse' ? colours.red : colours.green;
  return [
    ...(shown.length === 0 ? [] : [paint(title)]),
    ...shown.flatMap(({ why }, at) => [
      cutTo(width, `  ${lines[at] ?? ''}`),
      ...(why === null ? [] : fewLines(why, width - 4).map((line) => `    ${line}`)),
    ]),
    ...(more === null ? [] : [`  ${more}`]),
  ];
}
