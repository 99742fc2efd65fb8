import type { EntrantClaims } from '../claim/claims.ts';
import type { Interval } from '../stats/interval.ts';
import { episodeName } from '../task/instance.ts';
import { bestGrade, decisionsOn } from '../report/decisions.ts';
import { failureGroups } from '../report/failure-groups.ts';
import { failureSentence } from '../report/failure.ts';
import { percent, secondsText } from '../report/figure-text.ts';
import { GRADES, isControl } from '../report/glossary.ts';
import { printable } from '../report/printable.ts';
import type { Report } from '../report/report.ts';
import { standingReasons } from '../report/standing-reasons.ts';
import { dayText, passedText, titleText } from '../report/title.ts';
import { colours } from './colours.ts';
import { cutTo, widthOf } from './live/text-width.ts';
import { iterationName } from './terminal.ts';

const MOST_COLUMNS = 80;
const BAR = { least: 11, most: 21 };
const GAP = '  ';
const MOST_ENTRANTS = 16;
/** Most lines of one sentence about a failure. */
const MOST_LINES = 2;
const INDENT = ' '.repeat(15);

/** Draw what the report shows first, for a terminal of so many columns. */
export function firstScreen(report: Report, columns = MOST_COLUMNS): string[] {
  const width = Math.min(columns, MOST_COLUMNS);
  const { created_at: created, browser } = report;
  const facts = `${dayText(created)} · ${passedText(report)}`;
  const program = browser === null ? 'no browser' : `${browser.name} ${browser.version}`;
  return [
    colours.bold(cutTo(width, printable(titleText(report)))),
    colours.dim(cutTo(width, printable(`${facts} · ${program}`))),
    '',
    ...successLines(report, width),
    '',
    ...claimLines(report, width),
    ...failureLines(report, width),
  ];
}

interface Line {
  name: string;
  rate: number | null;
  interval: Interval | null;
  isControl: boolean;
  cells: string[];
}

/** Draw the success of each entrant as a bar with its interval, controls last, and its medians where they fit. */
function successLines(report: Report, width: number): string[] {
  const lines = report.claims.entrants.map((entrant) => lineOf(entrant, report));
  if (lines.length === 0) return ['no episode has run'];
  const all = [...lines.filter((line) => !line.isControl), ...lines.filter((line) => line.isControl)];
  const ordered = all.slice(0, MOST_ENTRANTS);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...ordered.map(({ cells }) => widthOf(cells[column] ?? ''))));
  const nameWidth = Math.max(...ordered.map(({ name }) => widthOf(name)));
  const needed = (count: number) => widths.slice(0, count).reduce((sum, each) => sum + GAP.length + each, 0);
  const shown = [4, 3, 2].find((count) => nameWidth + GAP.length + BAR.least + needed(count) <= width) ?? 2;
  const forName = Math.min(nameWidth, Math.max(8, width - needed(shown) - GAP.length - BAR.least));
  const barWidth = Math.min(BAR.most, width - forName - GAP.length - needed(shown));
  const drawn = ordered.map((line) => {
    const figures = line.cells.slice(0, shown).map((cell, column) => cell.padStart(widths[column] ?? 0));
    const name = cutTo(forName, line.name).padEnd(forName);
    const bar = barWidth < BAR.least ? [] : [barOf(line, barWidth)];
    const text = cutTo(width, [name, ...bar, ...figures].join(GAP));
    return line.isControl ? colours.dim(text) : text;
  });
  const firstControl = ordered.findIndex(({ isControl: is }) => is);
  if (firstControl > 0)
    drawn.splice(firstControl, 0, colours.dim(cutTo(width, 'controls and baselines, to compare with:')));
  const more = all.length - ordered.length;
  if (more > 0) drawn.push(colours.dim(cutTo(width, `and ${more} more, which are in the report`)));
  const legend = '● share that passed  ━ its 95 % interval  · from 0 to 100 %';
  return barWidth < BAR.least ? drawn : [...drawn, colours.dim(cutTo(width, legend))];
}

function lineOf(entrant: EntrantClaims, { agents, entrants }: Report): Line {
  const { agent, surface, success } = entrant;
  const { rate, interval, successes, trials } = success.passed;
  const figures = entrants.find((each) => each.agent === agent && each.surface === surface);
  const between = interval === null ? '' : ` (${whole(interval.low)}–${whole(interval.high)})`;
  return {
    name: printable(`${agent}/${surface}`),
    rate,
    interval,
    isControl: isControl(agents.find((each) => each.agent === agent) ?? { agent }),
    cells: [
      `${successes} of ${trials}`,
      rate === null ? '–' : `${whole(rate)} %${between}`,
      typeof figures?.median_steps === 'number' ? `${figures.median_steps} steps` : '–',
      secondsText(figures?.median_wall_ms ?? null) ?? '–',
    ],
  };
}

/** Draw a share from 0 to 100 % as a dot, and its interval as a line. */
function barOf({ rate, interval }: Line, width: number): string {
  const place = (share: number): number => Math.round(share * (width - 1));
  const cells = Array.from({ length: width }, (_, at) => {
    if (rate !== null && at === place(rate)) return '●';
    return interval !== null && at >= place(interval.low) && at <= place(interval.high) ? '━' : '·';
  });
  return cells.join('');
}

/** Say what may be claimed, else the grade, and the first thing that stands against more with what lifts it. */
function claimLines({ claims, headlines }: Report, width: number): string[] {
  const decisions = decisionsOn(claims, 'task_completion');
  const grade = bestGrade(decisions);
  const said =
    headlines.length === 0 ? [`none about who does better; ${grade}: ${GRADES[grade]}`] : headlines.map(printable);
  const { smallest_detectable: smallest } = claims;
  const shows = smallest === null ? [] : [`the smallest difference that could be shown is ${percent(smallest)} points`];
  return labelled('claims', [...said, ...shows, ...againstLines(claims)], width);
}

function againstLines(claims: Report['claims']): string[] {
  const { alone } = standingReasons(claims, 'task_completion');
  // Reasons are decided in the order in which they matter.
  const [foremost] = decisionsOn(claims, 'task_completion').flatMap(({ reasons }) => reasons);
  const first = alone.find(({ code }) => code === foremost?.code);
  if (first === undefined) return [];
  const more = alone.length - 1;
  const others = more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'reason' : 'reasons'}, in the report)`;
  const lifted = first.remedy === null ? '' : `; to lift it, ${first.remedy}`;
  return [printable(`against it: ${first.found[0]?.text ?? first.code}${lifted}${others}`)];
}

/** Say why those who compete failed, by reason, with one failure of each. */
function failureLines(report: Report, width: number): string[] {
  const isRepeated = report.episodes.some(({ iteration }) => iteration > 0);
  return failureGroups(report).flatMap(({ reason, count, shown: [first] }, at) => {
    const head = labelled(at === 0 ? 'failures' : '', [`${count} × ${reason}`], width).map(colours.red);
    if (first === undefined) return head;
    const name = `${episodeName(first)}${isRepeated ? ` ${iterationName(first.iteration)}` : ''}`;
    const sentence = `${name} by ${first.agent}/${first.surface}: ${failureSentence(first) ?? ''}`;
    const lines = broken(printable(sentence), width - INDENT.length);
    const shown = lines.slice(0, MOST_LINES);
    if (lines.length > MOST_LINES) shown[MOST_LINES - 1] = cutTo(width - INDENT.length, `${shown.at(-1) ?? ''} …`);
    return [...head, ...shown.map((line) => `${INDENT}${line}`)];
  });
}

/** Write texts beside a label, each broken where it is too long. */
function labelled(label: string, texts: readonly string[], width: number): string[] {
  const lines = texts.flatMap((text) => broken(text, width - INDENT.length));
  return lines.map((line, at) => `${at === 0 ? label.padEnd(INDENT.length) : INDENT}${line}`.trimEnd());
}

function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(cutTo(Math.max(1, width), word));
  }
  return lines;
}

function whole(share: number): string {
  return String(Math.round(share * 100));
}
