import type { EntrantClaims } from '../claim/claims.ts';
import { canBeLifted } from '../claim/reasons.ts';
import { messageFor } from '../messages/messages.ts';
import type { Interval } from '../stats/proportion.ts';
import { episodeName, nameOfInstance } from '../task/instance.ts';
import { bestGrade, decisionsOn } from '../report/decisions.ts';
import { failureOf } from '../report/failure.ts';
import type { EpisodeLine } from '../report/counted-rows.ts';
import { failureGroups, firstFailures } from '../report/failure-groups.ts';
import { type Change, resultSentence, type StateChanges } from '../report/sentence.ts';
import { roundRateText, secondsText, counted } from '../report/numbers.ts';
import { GRADES } from '../report/glossary.ts';
import { episodesReported, isFinished, type Report } from '../report/report.ts';
import { dayText, groupCountsText, titleText } from '../report/title.ts';
import { colours } from './colours.ts';
import type { ContractPlaces, FailedSolutions } from './failure-causes.ts';
import { wrapped, cutTo, INDENT, labelled, MAX_COLUMNS, widthOf } from './layout.ts';
import { iterationName } from './terminal.ts';
import { isControl } from '../report/roles.ts';

const BAR = { least: 11, most: 21 };
const GAP = '  ';
const MAX_ENTRANTS = 16;
const MAX_LINES = 4;

/** Facts that the report does not have. */
export interface Hints {
  /** The places of clauses that solutions have not met, and the steps that failed before. */
  places?: ContractPlaces;
  failedSteps?: FailedSolutions;
  changes?: StateChanges;
  tookMs?: number | null;
  /** Adds the title, the legend and every reason for failures. */
  verbose?: boolean;
}

/** Draws the first screen of a report: the result in a sentence, then a bar for each entrant. */
export function firstScreen(report: Report, columns = MAX_COLUMNS, hints: Hints = {}): string[] {
  const width = Math.min(columns, MAX_COLUMNS);
  const { verbose = false } = hints;
  return [
    ...(verbose ? titleLines(report, width) : []),
    ...sentenceLines(report, width, hints),
    '',
    ...successLines(report, width, verbose),
    ...(verbose ? failureLines(report, width) : []),
  ];
}

function titleLines(report: Report, width: number): string[] {
  const { created_at: created, browser } = report;
  const program = browser === null ? 'no browser' : `${browser.name} ${browser.version}`;
  return [
    colours.bold(cutTo(width, titleText(report))),
    colours.dim(cutTo(width, `${dayText(created)} · ${groupCountsText(report)} · ${program}`)),
    '',
  ];
}

/** Writes the result, and for authors of tasks the place of a clause that a solution does not meet. */
function sentenceLines(report: Report, width: number, hints: Hints): string[] {
  const lines = fewLines(resultSentence(report, hints), width);
  return [...lines.map(colours.bold), ...firstFailures(report).flatMap((line) => hintLines(line, width, hints))];
}

function hintLines(line: EpisodeLine, width: number, { places, failedSteps, changes }: Hints): string[] {
  const failedStep = failedSteps?.get(line.episode_id);
  const place = places?.get(line.episode_id);
  // If the start was wrong, no solution was tried.
  const also = line.status === 'invalid_task' ? '' : ', or the solution';
  return [
    ...(failedStep === undefined
      ? []
      : fewLines(`Before that, in ${nameOfInstance(line.task, line.instance)}, ${failedStep}.`, width)),
    ...(place === undefined ? [] : wrapped(`See ${place}${also}.`, width)),
    ...(place === undefined
      ? []
      : exceptionFor(line, changes?.get(line.episode_id)).flatMap((text) => wrapped(text, width))),
  ];
}

/** Advises on a guard that the app breaks by itself. */
function exceptionFor({ failed_contract: failed }: EpisodeLine, changes: readonly Change[] = []): string[] {
  const changed = changes.find(({ how }) => how === 'changed');
  if (failed?.kind !== 'unchanged' || changed === undefined) return [];
  return [`If the app changes ${changed.place} on every visit, add that pointer to "except" of the guard.`];
}

interface Line {
  name: string;
  rate: number | null;
  interval: Interval | null;
  isControl: boolean;
  cells: string[];
}

/** Draws the success of each entrant as a bar with its interval, controls last, and its medians if they fit. */
function successLines(report: Report, width: number, hasLegend: boolean): string[] {
  const lines = report.claims.entrants.map((entrant) => lineOf(entrant, report));
  if (lines.length === 0) return ['no episode has run'];
  const all = [...lines.filter((line) => !line.isControl), ...lines.filter((line) => line.isControl)];
  const ordered = all.slice(0, MAX_ENTRANTS);
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
    drawn.splice(firstControl, 0, colours.dim(cutTo(width, 'controls and baselines, for comparison:')));
  const more = all.length - ordered.length;
  if (more > 0) drawn.push(colours.dim(cutTo(width, `and ${more} more, which are in the report`)));
  if (!hasLegend) return drawn;
  const legend = [
    ...(barWidth < BAR.least ? [] : barLegend(ordered)),
    ...columnLegend(ordered.map(({ cells }) => cells.slice(0, shown))),
  ];
  return [...drawn, ...legend.map((text) => colours.dim(cutTo(width, text)))];
}

/** Explains the marks of bars that are shown, and why an interval is missing. */
function barLegend(lines: readonly Line[]): string[] {
  const hasIntervals = lines.some(({ interval }) => interval !== null);
  const marks = [
    ...(lines.some(({ rate }) => rate !== null) ? ['● share passed'] : []),
    ...(hasIntervals ? ['━ its 95 % interval'] : []),
    '· from 0 to 100 %',
  ];
  return [
    marks.join('  '),
    ...(hasIntervals ? [] : ['no interval: one task shows nothing about others; its own is in the report']),
  ];
}

/** Explains the other columns that are shown. */
function columnLegend(cells: readonly (readonly string[])[]): string[] {
  const [steps, times] = [2, 3].map((column) => cells.some((row) => row[column] !== undefined));
  if (steps !== true) return [];
  const what =
    times === true ? "medians: steps, and the entrant's own time without start-up and judging" : 'steps: medians';
  const hasDash = cells.some((row) => row.slice(1).includes('–'));
  return [`${what}${hasDash ? '; – not known' : ''}`];
}

function lineOf(entrant: EntrantClaims, { agents, entrants }: Report): Line {
  const { agent, surface, success } = entrant;
  const { rate, interval, successes, trials } = success.passed;
  const figures = entrants.find((each) => each.agent === agent && each.surface === surface);
  return {
    name: `${agent}/${surface}`,
    rate,
    interval,
    isControl: isControl(agents.find((each) => each.agent === agent) ?? { agent }),
    cells: [
      `${successes} of ${trials}`,
      rate === null ? '–' : roundRateText(rate, interval),
      typeof figures?.median_steps === 'number' ? counted(figures.median_steps, 'step') : '–',
      secondsText(figures?.median_wall_ms ?? null) ?? '–',
    ],
  };
}

/** Draws a share from 0 to 100 % as a dot, and its interval as a line. */
export function barOf({ rate, interval }: Pick<Line, 'rate' | 'interval'>, width: number): string {
  const place = (share: number): number => Math.round(share * (width - 1));
  const cells = Array.from({ length: width }, (_, at) => {
    if (rate !== null && at === place(rate)) return '●';
    return interval !== null && at >= place(interval.low) && at <= place(interval.high) ? '━' : '·';
  });
  return cells.join('');
}

/** States in one line what may be claimed, or the number of reasons against it and the first. */
export function claimLines(report: Report, columns = MAX_COLUMNS): string[] {
  const width = Math.min(columns, MAX_COLUMNS);
  const [headline, ...others] = report.headlines;
  if (headline !== undefined) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return labelled('claims', [`${headline}${more}`], width);
  }
  const room = width - INDENT.length;
  // A cut reason would mislead.
  const texts = withoutHeadline(report);
  const fitting = texts.find((text) => widthOf(text) <= room) ?? texts.at(-1) ?? '';
  return [colours.dim(cutTo(width, `${'claims'.padEnd(INDENT.length)}${fitting}`))];
}

/** Returns texts for a run without claims, the longest first. */
function withoutHeadline(report: Report): string[] {
  const { claims, agents } = report;
  if (!isFinished(report)) return notYet(report);
  const decisions = decisionsOn(claims, 'task_completion');
  const grade = bestGrade(decisions);
  // Reasons come in order of importance; one that cannot be lifted is of no help.
  const all = decisions.flatMap(({ reasons }) => reasons);
  const foremost = all.find(({ code }) => canBeLifted(code)) ?? all[0];
  if (grade === 'primary' || foremost === undefined) return [`none about who does better; ${grade}: ${GRADES[grade]}`];
  const count = new Set(all.map(({ code }) => code)).size;
  const reasons = counted(count, 'reason');
  if (isOfCommands(agents))
    return [`none: a command's model, if any, cannot be pinned (${reasons})`, `none; ${reasons}`];
  return [`none yet; ${reasons}: ${messageFor(foremost)}${count === 1 ? '' : '; …'}`, `none yet; ${reasons}`];
}

/** Names the missing entrants of a run that ended early; every other reason follows from that. */
function notYet(report: Report): string[] {
  const waiting = report.claims.entrants.filter(({ success }) => success.passed.trials === 0);
  const names = waiting.map(({ agent, surface }) => `${agent}/${surface}`);
  const planned = counted(report.shard?.planned ?? report.planned, 'episode');
  const count = `none yet: ${episodesReported(report)} of ${planned} ran`;
  return names.length === 0
    ? [count]
    : [`none: ${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} not run yet`, count];
}

/** Whether all entrants are commands, which can never make a primary claim. */
function isOfCommands(agents: Report['agents']): boolean {
  const competing = agents.filter(({ decider }) => decider !== 'control' && decider !== 'baseline');
  return competing.length > 0 && competing.every(({ decider }) => decider === 'process');
}

/** Lists the reasons for failures, with one example of each. */
function failureLines(report: Report, width: number): string[] {
  const isRepeated = report.episodes.some(({ iteration }) => iteration > 0);
  return failureGroups(report).flatMap(({ reason, count, shown: [first] }, at) => {
    const head = labelled(at === 0 ? 'failures' : '', [`${count} × ${reason}`], width).map(colours.red);
    if (first === undefined) return head;
    const name = `${episodeName(first)}${isRepeated ? ` ${iterationName(first.iteration)}` : ''}`;
    const sentence = `${name} by ${first.agent}/${first.surface}: ${failureOf(first)?.sentence ?? ''}`;
    return [...head, ...fewLines(sentence, width - INDENT.length).map((line) => `${INDENT}${line}`)];
  });
}

/** Cuts after the first lines. */
export function fewLines(text: string, width: number): string[] {
  const lines = wrapped(text, width);
  const shown = lines.slice(0, MAX_LINES);
  if (lines.length > MAX_LINES) shown[MAX_LINES - 1] = cutTo(width, `${shown.at(-1) ?? ''} …`);
  return shown;
}
