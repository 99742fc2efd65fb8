import { groupBy } from '../claim/group.ts';
import { nameOfInstance } from '../task/instance.ts';
import type { EpisodeLine } from './counted-rows.ts';
import { failureOf } from './failure.ts';
import { counted, elapsedText } from './numbers.ts';
import { episodesReported, isFinished, type Report } from './report.ts';
import { controlsIn, isReference } from './roles.ts';
import { passCountText, groupsOf, groupCountsText } from './title.ts';

/** A place of the app's state that an episode changed against its contract. */
export interface Change {
  place: string;
  how: 'gone' | 'new' | 'changed';
  /** JSON before and after a change, cut. Apps wrote it. */
  from?: string;
  to?: string;
}

/** Other changes of the state, by the ids of episodes. */
export type StateChanges = ReadonlyMap<string, readonly Change[]>;

/** Facts that a report does not have. */
interface More {
  /** The time that the run took; null if it is not known. */
  tookMs?: number | null;
  changes?: StateChanges;
}

const MAX_PLACES = 3;

export interface Result {
  /** `15 of 20 passed in 1 min 48 s.` */
  counts: string;
  /** The task that failed most, with the reason, which pages and agents wrote in part; empty if none failed. */
  blame: string;
  controls: string[];
}

/** Counts passes, and blames: `delete-note failed 5 of 5: /notes/5 is still there, and /notes/2 is gone.` */
export function resultOf(report: Report, { tookMs = null, changes = new Map() }: More = {}): Result {
  const controls = controlsIn(report.agents);
  const passed = passedControls(report);
  return {
    counts: countSentence(report, tookMs),
    blame: [...blameSentences(report, controls, changes), ...passed].join(' '),
    controls: passed,
  };
}

export function resultSentence(report: Report, more: More = {}): string {
  const { counts, blame } = resultOf(report, more);
  return blame === '' ? counts : `${counts} ${blame}`;
}

function countSentence(report: Report, tookMs: number | null): string {
  const groups = groupsOf(report);
  const own = groups.get('own');
  const shown = own ?? report.entrants;
  const of = sum(shown.map(({ episodes }) => episodes));
  const without = report.stress === undefined ? '' : ' without faults';
  const took = tookMs === null ? '' : ` in ${elapsedText(tookMs)}`;
  const planned = report.shard?.planned ?? report.planned;
  const waiting = isFinished(report)
    ? ''
    : `; ${planned - episodesReported(report)} of ${counted(planned, 'episode')} not run`;
  if (of === 0) return `No episode was measured${took}${waiting}.`;
  if (own !== undefined) return `${passCountText(own)} passed${without}${took}${waiting}.`;
  const names = [...groups.keys()].join(' and ');
  return `Only ${names} ran${took}: ${groups.size > 1 ? groupCountsText(report) : `${passCountText(shown)} passed${without}`}${waiting}.`;
}

/** Blames the task that failed most; failures without faults come before others. */
function blameSentences({ episodes }: Report, controls: ReadonlySet<string>, changes: StateChanges): string[] {
  const own = episodes.filter(({ agent }) => !controls.has(agent));
  const ran = own.filter(({ status }) => !NOT_RUN.has(status));
  const calm = ran.filter(({ faults }) => faults === undefined);
  const among = calm.some(didNotPass) ? calm : ran;
  const tasks = [...groupBy(among, ({ suite, task, instance }) => `${suite}/${task}/${instance}`).values()]
    .filter((lines) => lines.some(didNotPass))
    .toSorted((a, b) => b.filter(didNotPass).length - a.filter(didNotPass).length);
  const [worst] = tasks;
  if (worst === undefined) return ran.length > 0 ? [] : own.slice(0, 1).map((line) => blameText(line));
  const others = tasks.length - 1;
  return [blameOfTask(worst, changes), ...(others === 0 ? [] : [`${counted(others, 'other task')} failed.`])];
}

/** Names the entrant if others passed the task. */
function blameOfTask(lines: readonly EpisodeLine[], changes: StateChanges): string {
  const failed = lines.filter(didNotPass);
  const culprits = new Set(failed.map(entrantOf));
  const their = lines.filter((line) => culprits.has(entrantOf(line)));
  const by = culprits.size === 1 && their.length < lines.length ? ` by ${[...culprits].join('')}` : '';
  const usual = usualFailure(failed);
  const [example] = usual;
  if (example === undefined) return '';
  const times = their.length === 1 ? '' : ` ${failed.length} of ${their.length}`;
  const share = usual.length === failed.length ? '' : `, ${usual.length} of them for this reason`;
  const reason = joined(blameText(example, changes.get(example.episode_id)));
  return `${nameOfInstance(example.task, example.instance)}${by} failed${times}${share}${reason}${blamedSurfaces(failed, lines)}`;
}

/** If the same steps passed through another surface, it is not the task that failed. */
function blamedSurfaces(failed: readonly EpisodeLine[], lines: readonly EpisodeLine[]): string {
  const surfaces = [...new Set(failed.map(({ surface }) => surface))];
  const passed = lines.find(
    (line) => isReference(line) && line.status === 'passed' && !surfaces.includes(line.surface),
  );
  if (passed === undefined || !failed.every(({ agent }) => agent === passed.agent)) return '';
  return ` ${entrantOf(passed)} passed it, so it is ${new Intl.ListFormat('en-GB').format(surfaces)}.`;
}

export function usualFailure<Episode extends Parameters<typeof failureOf>[0]>(failed: readonly Episode[]): Episode[] {
  const reasons = [...groupBy(failed, (each) => failureOf(each)?.sentence ?? '').values()];
  return reasons.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

const NOT_RUN = new Set<EpisodeLine['status']>(['not_applicable', 'unavailable']);

export function didNotPass({ status }: Pick<EpisodeLine, 'status'>): boolean {
  return status !== 'passed' && !NOT_RUN.has(status);
}

function entrantOf({ agent, surface }: EpisodeLine): string {
  return `${agent}/${surface}`;
}

/** Explains in one sentence why an episode did not pass: by what was expected, what was found, and what else changed. */
export function blameText(line: Parameters<typeof failureOf>[0], changes: readonly Change[] = []): string {
  const text = failureOf(line)?.sentence ?? '';
  if (changes.length === 0) return text;
  const named = changes.slice(0, MAX_PLACES).map(changeText);
  const more = changes.length - named.length;
  const listed = new Intl.ListFormat('en-GB').format([
    ...named,
    ...(more === 0 ? [] : [`${counted(more, 'other place')} changed`]),
  ]);
  if (line.failed_contract?.kind === 'unchanged') return `${listed}, against the contract.`;
  const begin = text.replace(/\.$/, '');
  return `${begin}; ${listed}.`;
}

function changeText({ place, how, from, to }: Change): string {
  if (how !== 'changed') return `${place} is ${how}`;
  return from === undefined || to === undefined ? `${place} changed` : `${place} changed from ${from} to ${to}`;
}

/** Joins a reason to its task. One with a colon of its own stays a sentence. */
function joined(sentence: string): string {
  if (sentence === '') return '.';
  if (sentence.includes(': ')) return `. ${sentence}`;
  return `: ${/^[A-Z][a-z]/.test(sentence) ? sentence.slice(0, 1).toLowerCase() : sentence.slice(0, 1)}${sentence.slice(1)}`;
}

/** A control that passed shows that its task measures nothing. */
function passedControls({ agents, entrants }: Report): string[] {
  const controls = new Set(agents.filter(({ decider }) => decider === 'control').map(({ agent }) => agent));
  return entrants
    .filter(({ agent, passed }) => controls.has(agent) && passed > 0)
    .map(
      ({ agent, surface, passed, episodes }) =>
        `The control ${agent}/${surface} passed ${passed} of ${episodes}, and must pass none.`,
    );
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, each) => total + each, 0);
}
