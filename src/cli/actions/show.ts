import { fact, messageFor } from '../../messages/messages.ts';
import { type BlobStore, openBlobs } from '../../bundle/blobs.ts';
import { existsSync } from 'node:fs';
import { type BundleLayout, bundleLayout } from '../../bundle/layout.ts';
import type { Row } from '../../bundle/row.ts';
import { type CampaignFile, readCampaignFile } from '../../plan/campaign-file.ts';
import { episodeCount, type Plan } from '../../plan/plan.ts';
import { countedRowsIn, readSealedRows, type SealedRow } from '../../bundle/sealed-rows.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { nearestName } from '../../contract/nearest-name.ts';
import { ran } from '../../claim/honesty.ts';
import { recordedEvents } from '../../row/recorded.ts';
import type { EpisodeEvent } from '../../episode/events.ts';
import { CountedRows } from '../../report/counted-rows.ts';
import { inQuotes } from '../../report/failure.ts';
import { blameText } from '../../report/sentence.ts';
import { shellWord } from '../../report/shell-word.ts';
import type { Report } from '../../report/report.ts';
import { episodeName, instanceName, nameOfInstance } from '../../task/instance.ts';
import { claimSections, forReader, tableOf } from '../terminal-sections.ts';
import { colours } from '../colours.ts';
import { drawReport } from '../drawn-files.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import { openBundle, verifiedRows } from '../bundles.ts';
import { bundleNamed, namesBundle } from '../latest.ts';
import { asTyped, iterationName, paintStatus, printResult, type Terminal } from '../terminal.ts';
import type { Column } from '../../report/document.ts';
import { eventText, refusedText } from '../../viewer/event-words.ts';
import { amongText, elementText, ListedElements, type ListedElement } from '../../viewer/listed-elements.ts';
import { sentRequests } from '../../viewer/episode-page.ts';
import { replyLines, requestLines } from '../../viewer/conversation.ts';
import { FollowedBundle } from '../../viewer/followed-bundle.ts';
import { changesIn } from '../../viewer/state-changes.ts';
import { addressOf } from '../../viewer/viewed-bundle.ts';
import { startPairViewer, startViewer, type Viewer } from '../../viewer/viewer.ts';
import type { Request } from '../command.ts';
import type { ShowOptions } from '../commands/run.ts';
import { controlsLast, failedAsExpected, isControl, milestonesText, statusText } from '../../report/roles.ts';

/** From this many episodes on, drawing takes seconds. */
const MANY = 1_000;

export async function show(
  { args, options: { serve, port, json, verbose, claims } }: Request<ShowOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const [first, second] = args;
  const isEpisode = second === undefined && first !== undefined && !namesBundle(first);
  const [bundle, wanted] = isEpisode ? [bundleNamed(), first] : [bundleNamed(first), second];
  using opened = await openBundle(bundle);
  const { layout } = opened;
  const campaign = await readCampaignFile(layout);
  const planned = episodeCount(campaign.plan);
  if (planned >= MANY) terminal.note(`reading the records of ${planned} episodes`);
  if (claims) {
    refuseBesideClaims({ wanted, serve });
    await showClaims(layout, { json }, terminal);
    return EXIT.done;
  }
  if (serve && second !== undefined && isBundle(second)) {
    await servePair(layout, second, { port: port ?? 0, terminal });
    return EXIT.done;
  }
  if (serve) {
    await serveUntilInterrupted(layout, campaign, { wanted, port: port ?? 0, terminal });
    return EXIT.done;
  }
  if (second !== undefined && isBundle(second)) throw new UsageError(fact('second_bundle', { bundle, second }));
  const sealed = await readSealedRows(layout);
  const rows = sealed.map(({ row }) => row);
  if (wanted !== undefined) {
    const named = episodesNamed(wanted, rows, bundle);
    const count = new Set(named.map(({ episode_id: id }) => id)).size;
    const failed = count > 1 && !json ? firstFailed(named) : undefined;
    if (failed !== undefined) {
      terminal.note(`the first that failed of ${count} episodes that match "${wanted}"`);
      await showEpisode({ layout, plan: campaign.plan }, failed, { json, verbose }, terminal);
      return EXIT.done;
    }
    if (count > 1 && !json) {
      const of = { bundle, iterations: campaign.plan.iterations, rows };
      for (const line of severalLines(wanted, named, of)) terminal.out(asTyped(line, terminal));
      return EXIT.done;
    }
    for (const row of named) await showEpisode({ layout, plan: campaign.plan }, row, { json, verbose }, terminal);
    return EXIT.done;
  }
  if (json) {
    terminal.out(JSON.stringify({ campaign_id: campaign.campaign_id, planned, rows }));
    return EXIT.done;
  }
  const done = rows.filter(({ counts }) => counts).length;
  terminal.out(`${bundle}: ${done} of ${planned} episodes${done < planned ? ', not complete' : ''}`);
  for (const line of episodeTable(rows, campaign.plan.iterations)) terminal.out(line);
  return EXIT.done;
}

/** @throws UsageError when an option or argument excludes --claims */
function refuseBesideClaims({ wanted, serve }: { wanted: string | undefined; serve: boolean }): void {
  if (serve) throw new UsageError(fact('claims_and_serve'));
  if (wanted === undefined) return;
  throw new UsageError(fact('claims_of_episode', { episode: wanted }));
}

/** Prints what may be claimed of a bundle; its records are verified first. */
async function showClaims(layout: BundleLayout, { json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const counted = new CountedRows();
  const { campaign, complete } = await verifiedRows(layout, (row) => {
    counted.take(row);
  });
  const report = drawReport(campaign, counted, complete);
  const { campaign_id, headlines, claims } = report;
  printResult(terminal, json, { campaign_id, headlines, claims }, () => forReader(claimSections(report), terminal));
}

/** Serves a bundle next to another. Their records are not verified. */
async function servePair(
  layout: BundleLayout,
  second: string,
  { port, terminal }: { port: number; terminal: Terminal },
): Promise<void> {
  using other = await openBundle(bundleNamed(second));
  const before = await follow(layout, await readCampaignFile(layout));
  const after = await follow(other.layout, await readCampaignFile(other.layout));
  const viewer = await startPairViewer(before, after, port);
  terminal.out(viewer.address);
  terminal.note('Ctrl-C ends it. Neither bundle was verified.');
  await closeWhenInterrupted(viewer);
}

/** Whether the second argument is a bundle, to lay next to the first, and no episode. */
function isBundle(name: string): boolean {
  if (name.endsWith('.zip')) return existsSync(name);
  return /^(?:latest|-[1-9]\d*)$/.test(name) || existsSync(bundleLayout(name).ledger);
}

async function follow(layout: BundleLayout, campaign: CampaignFile): Promise<FollowedBundle> {
  const draw = (rows: readonly SealedRow[]): Report => drawReport(campaign, CountedRows.of(countedRowsIn(rows)), null);
  return await FollowedBundle.open({ layout, campaign, draw });
}

/** Serves the report, or the page of an episode. The records are not verified, and the report states that. */
async function serveUntilInterrupted(
  layout: BundleLayout,
  campaign: CampaignFile,
  { wanted, port, terminal }: { wanted: string | undefined; port: number; terminal: Terminal },
): Promise<void> {
  const followed = await follow(layout, campaign);
  const rows = followed.sealed.map(({ row }) => row);
  const [row] = wanted === undefined ? [] : episodesNamed(wanted, rows, layout.name);
  const viewer = await startViewer(followed, port);
  terminal.out(row === undefined ? viewer.address : new URL(addressOf(row), viewer.address).href);
  if (!followed.isOver) terminal.note(`${followed.standing.text}; the report follows them.`);
  terminal.note(
    asTyped(
      'Ctrl-C ends it. The page of an episode shows whether its files are as they were sealed. Nothing else was checked: see "touchstone verify".',
      terminal,
    ),
  );
  await closeWhenInterrupted(viewer);
}

async function closeWhenInterrupted(viewer: Viewer): Promise<void> {
  await new Promise<void>((resolve) => {
    const release = onInterruption(() => {
      release();
      resolve();
    });
  });
  await viewer.close();
}

function episodesNamed(wanted: string, rows: readonly Row[], bundle: string): Row[] {
  const found = rows.filter(
    (row) =>
      (wanted !== '' && row.episode_id.startsWith(wanted)) ||
      [row.task, `${row.task}/${row.surface}`, episodeName(row), row.run_id, row.agent].includes(wanted) ||
      nameOfInstance(row.task, row.instance) === wanted,
  );
  if (found.length === 0) throw noEpisode(wanted, rows, bundle);
  return found;
}

function noEpisode(wanted: string, rows: readonly Row[], bundle: string): UsageError {
  const tasks = [...new Set(rows.map(episodeName))];
  const isPath = /\/|\.zip$/.test(wanted) && !rows.some(({ task }) => wanted.startsWith(`${task}/`));
  if (isPath) {
    const of = { wanted, exists: existsSync(wanted), bundle: shellWord(bundle) };
    return new UsageError(fact('no_bundle_nor_episode', of));
  }
  const meant = nearestName(wanted, tasks) ?? '';
  return new UsageError(
    fact('unknown_episode', {
      wanted,
      meant,
      tasks,
      agents: [...new Set(rows.map(({ agent }) => agent))],
      has_episodes: tasks.length > 0,
    }),
  );
}

/** Lists episodes of one name, with the command that shows one of them. */
function severalLines(
  wanted: string,
  named: readonly Row[],
  { bundle, iterations, rows }: { bundle: string; iterations: number; rows: readonly Row[] },
): string[] {
  const length = lengthThatTells(rows);
  const example = worthALook(named);
  return [
    `${new Set(named.map(({ episode_id: id }) => id)).size} episodes match "${wanted}"; name one by its id:`,
    ...episodeTable(named, iterations, length),
    '',
    `  touchstone show ${shellWord(bundle)} ${example?.episode_id.slice(0, length) ?? ''}`,
  ];
}

/** Finds the first failure of an entrant that competes. */
function firstFailed(rows: readonly Row[]): Row | undefined {
  return rows.find((row) => !isControl(row) && ran(row) && row.status !== 'passed');
}

/** Chooses the most interesting episode of those that did not fail: an entrant's before a control's. */
function worthALook(rows: readonly Row[]): Row | undefined {
  const ordered = controlsLast(rows);
  return ordered.find(ran) ?? ordered[0];
}

/** Returns the fewest characters, at least eight, that distinguish all episodes. */
function lengthThatTells(rows: readonly Row[]): number {
  const ids = new Set(rows.map(({ episode_id: id }) => id));
  let length = 8;
  while (length < 32 && new Set([...ids].map((id) => id.slice(0, length))).size < ids.size) length += 1;
  return length;
}

/** Adds a column for the iteration if there are several. */
function episodeTable(rows: readonly Row[], iterations: number, idLength = 8): string[] {
  const columns: Column<Row>[] = [
    { head: 'episode', words: true, text: ({ episode_id: id }) => id.slice(0, idLength) },
    { head: 'task', words: true, text: episodeName },
    ...(iterations > 1 ? [{ head: '#', words: true, text: ({ iteration }: Row) => iterationName(iteration) }] : []),
    { head: 'agent', words: true, text: ({ agent }) => agent },
    { head: 'surface', words: true, text: ({ surface }) => surface },
    { head: 'status', words: true, text: statusText },
    { head: 'steps', text: ({ steps }) => steps },
  ];
  return tableOf(columns, controlsLast(rows), {});
}

async function showEpisode(
  { layout, plan }: { layout: BundleLayout; plan: Plan },
  row: Row,
  { json, verbose }: { json: boolean; verbose: boolean },
  terminal: Terminal,
): Promise<void> {
  const read: { at: number; event: EpisodeEvent }[] = [];
  for await (const { at_ms: at, event } of recordedEvents(layout, row)) read.push({ at, event });
  if (json) {
    terminal.out(JSON.stringify({ row, events: read }));
    return;
  }
  const changes = row.guard_verdict === 'fail' ? await changesIn(row, layout) : [];
  const blobs = openBlobs(layout.blobs);
  const sent = await sentRequests({ blobs }, row);
  for (const line of headLines(row, plan, { why: blameText(row, changes), sent })) terminal.out(line);
  const listed = new ListedElements();
  for (const { at, event } of read) {
    if (!verbose && foundNothing(event)) continue;
    const turns = verbose ? await conversation(event, blobs) : [];
    const named = event.type === 'call' ? listed.namedBy(event).map(namedText) : [];
    if (event.type === 'result') listed.take(event);
    const text = verbose ? eventText(event) : withShortHashes(event);
    for (const line of [`${String(at).padStart(7)} ms  ${text}`, ...named, ...details(event, verbose), ...turns]) {
      terminal.out(line);
    }
  }
}

/** Describes the goal and the outcome of an episode. */
function headLines(row: Row, plan: Plan, { why, sent }: { why: string; sent: readonly string[] }): string[] {
  const planned = plan.tasks.find(
    ({ suite, task }) => suite === row.suite && task.id === row.task && instanceName(task) === row.instance,
  );
  const { answer } = row;
  const facts: readonly [string, string | null][] = [
    ['goal', planned?.task.goal.replaceAll(/\s+/g, ' ') ?? null],
    ['why', why || null],
    ['reached', milestonesText(row)],
    ['refused', row.refused?.map(refusedText).join('; ') ?? null],
    ['sent', sent.join('; ') || null],
    ['answer', answer === null ? null : 'value' in answer ? JSON.stringify(answer.value) : 'not possible'],
    ['run', row.run_id],
  ];
  const repetition = plan.iterations > 1 ? ` ${iterationName(row.iteration)}` : '';
  const status = failedAsExpected(row) ? colours.dim(statusText(row)) : paintStatus(row.status);
  return [
    `${episodeName(row)}${repetition} by ${row.agent}/${row.surface}: ${status}`,
    ...facts.flatMap(([label, text]) => (text === null ? [] : [`${label.padEnd(8)}${text}`])),
    '',
  ];
}

/** Whether an event only records the absence of something. */
function foundNothing(event: EpisodeEvent): boolean {
  if (event.type !== 'surroundings') return false;
  const { runtime_version: version, runtime_hash: runtime, manifest_checksum: manifest, off_archive: missed } = event;
  const isEmpty = [version, runtime, manifest, missed].every((each) => each === null);
  return isEmpty && Object.keys(event.violations).length === 0;
}

/** Shortens our hashes in the text of an event, and nothing that agents and pages wrote. */
function withShortHashes(event: EpisodeEvent): string {
  const text = eventText(event);
  const isOurs = ['captured', 'picture', 'surroundings', 'trace'].includes(event.type);
  return isOurs ? text.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…') : text;
}

function namedText(element: ListedElement): string {
  return `${INDENT}${element.ref} is ${elementText(element)}${amongText(element)}, as the reply of step ${element.listedIn} listed it`;
}

/** Most lines of a text. */
const SHOWN_LINES = 40;
const INDENT = ' '.repeat(12);

async function conversation(event: EpisodeEvent, blobs: BlobStore): Promise<string[]> {
  if (event.type !== 'turn' && event.type !== 'turn_ended') return [];
  const isRequest = event.type === 'turn';
  const blob = isRequest ? event.request_blob : event.reply_blob;
  const inline = isRequest ? event.request : event.reply;
  const body = blob === null ? inline : (await blobs.get(blob)).toString('utf8');
  return (isRequest ? requestLines(body) : replyLines(body)).map((line) => `${INDENT}│ ${line}`);
}

function details(event: EpisodeEvent, verbose: boolean): string[] {
  const indent = INDENT;
  if (event.type === 'contract_evaluation') return tree(event.judgement, indent);
  if (event.type === 'gateway') {
    const lines = (counts: Record<string, number>, what: string): string[] =>
      Object.entries(counts).map(([name, n]) => `${indent}│ ${what}${n} × ${name}`);
    return [...lines(event.refused, 'refused: '), ...(verbose ? lines(event.methods, '') : [])];
  }
  if (!('text' in event) || event.text === '') return [];
  const lines = event.text.split('\n');
  // The end of an output matters most, and the beginning of a reply.
  return (event.type === 'printed' ? lines.slice(-SHOWN_LINES) : lines.slice(0, SHOWN_LINES)).map(
    (line) => `${indent}│ ${line}`,
  );
}

function tree({ verdict, kind, expected, observed, why, children }: Judgement, indent: string): string[] {
  const seen = observed === null ? '' : `; observed ${inQuotes(observed.preview, kind)}`;
  const own = `${indent}${verdict.padEnd(12)} ${kind}: ${messageFor(expected)} — ${messageFor(why)}${seen}`;
  return [own, ...children.flatMap((child) => tree(child, `${indent}  `))];
}
