import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { cp, link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import { nameOfBlob, openBlobs } from '../src/bundle/blobs.ts';
import { sealCampaign } from '../src/bundle/campaign-seal.ts';
import { bundleLayout, type BundleLayout } from '../src/bundle/layout.ts';
import { GENESIS } from '../src/bundle/ledger-record.ts';
import { type Row, rowHashes } from '../src/bundle/row.ts';
import { readCountedRows } from '../src/bundle/sealed-rows.ts';
import { type CampaignFile, readCampaignFile, writeCampaignFile } from '../src/plan/campaign-file.ts';
import { episodesIn } from '../src/plan/part-of-plan.ts';
import { type PlannedEpisode, planHash } from '../src/plan/plan.ts';
import type { Shard } from '../src/plan/shard.ts';
import { canonicalJson, sha256Hex } from '../src/contract/canonical.ts';
import { taskName } from '../src/task/instance.ts';

export interface LargeBundle {
  /** A bundle whose attempts are repeated; it has one row for each cell. */
  source: string;
  /** An empty folder. */
  folder: string;
  /** Only attempts of these agents; absent: of all. */
  agents?: readonly string[];
  /** Only attempts through these surfaces; absent: through all. */
  surfaces?: readonly string[];
  /** Only attempts at these tasks; absent: at all. */
  tasks?: readonly string[];
  /** Only this part of the plan. */
  shard?: Shard;
  /** At least so many episodes: whole iterations of the source's plan. */
  episodes: number;
  /** Bytes of the screenshot that each episode has for itself, which no compression makes smaller; 0: all share the source's. */
  screenshotBytes?: number;
  /** By how much each row is longer than in the source; 0: by nothing. */
  rowBytes?: number;
}

/** An attempt of the source, as it is repeated. */
interface Template {
  row: Row;
  events: string;
  files: { name: string; sha256: string; size: number; path: string }[];
  /** Of the end, without its screenshot. */
  evidence: string | null;
}

/**
 * Makes a bundle of many episodes out of a small one: each is an attempt of the source in another iteration, with a row, an id
 * and a seal of its own. It verifies, but for the reports, which "touchstone report" draws. Returns how many there are.
 */
export async function makeLargeBundle(options: LargeBundle): Promise<number> {
  const { source, folder, episodes, shard, ...sizes } = options;
  const [from, to] = [bundleLayout(source), bundleLayout(folder)];
  const campaign = partOf(await readCampaignFile(from), options);
  const templates = await templatesIn(from);
  const cells = campaign.plan.tasks.length * campaign.plan.entrants.length;
  const plan = { ...campaign.plan, iterations: Math.ceil(episodes / cells) };
  const hash = planHash(plan);
  await writeCampaignFile(to, { ...campaign, plan, plan_hash: hash, ...(shard === undefined ? {} : { shard }) });
  const planned = episodesIn({ plan, shard });
  const ledger = new LedgerFile(to.ledger);
  const rows = createWriteStream(to.rows);
  await ledger.append({ at: campaign.created_at, kind: 'planned', plan_hash: hash, episodes: planned.length });
  const seals: string[] = [];
  let after = Date.parse(campaign.created_at);
  const blobs = new Set<string>();
  for (const [place, episode] of planned.entries()) {
    const template = templates.get(nameOf(episode));
    if (template === undefined) throw new Error(`${source} has no attempt of ${nameOf(episode)}`);
    const { row, seal } = await repeat(template, episode, to, { ...sizes, place, after });
    seals.push(seal);
    after = Math.max(after, Date.parse(row.ended_at ?? campaign.created_at));
    for (const name of Object.values(row.artifacts)) blobs.add(name);
    const name = { episode_id: row.episode_id, attempt: row.attempt };
    await ledger.append({ at: row.started_at, kind: 'started', ...name, run_id: row.run_id });
    await ledger.append({ at: row.ended_at, kind: 'sealed', ...name, seal_hash: seal });
    if (!rows.write(`${canonicalJson(row)}\n`)) await once(rows, 'drain');
  }
  await ledger.close();
  rows.end();
  await once(rows, 'close');
  await copyBlobs(from, to, blobs);
  await sealCampaign(to, seals);
  return planned.length;
}

/** The campaign as if these cells alone had been planned, with no proof of a task that is not. */
function partOf(campaign: CampaignFile, { agents, surfaces, tasks }: LargeBundle): CampaignFile {
  const plan = {
    ...campaign.plan,
    tasks: campaign.plan.tasks.filter(({ task }) => tasks?.includes(task.id) ?? true),
    entrants: campaign.plan.entrants.filter(
      ({ agent, surface }) => (agents?.includes(agent) ?? true) && (surfaces?.includes(surface) ?? true),
    ),
  };
  const planned = new Set(plan.tasks.map(({ suite, task }) => `${suite}/${taskName(task)}`));
  const qualifications = Object.fromEntries(
    Object.entries(campaign.pins.qualifications).filter(([name]) => planned.has(name)),
  );
  return { ...campaign, plan, pins: { ...campaign.pins, qualifications } };
}

/** Those of the source that rows still name: an unnamed blob is a fault. */
async function copyBlobs(from: BundleLayout, to: BundleLayout, names: ReadonlySet<string>): Promise<void> {
  await mkdir(to.blobs, { recursive: true });
  for (const file of await readdir(from.blobs)) {
    if (names.has(nameOfBlob(file))) await cp(path.join(from.blobs, file), path.join(to.blobs, file));
  }
}

async function templatesIn(layout: BundleLayout): Promise<Map<string, Template>> {
  const blobs = openBlobs(layout.blobs);
  const templates = new Map<string, Template>();
  for (const row of await readCountedRows(layout)) {
    const attempt = layout.attempt(row.episode_id, row.attempt);
    const files = [];
    for (const [name, file] of [
      ['events.jsonl', attempt.events],
      ['transcript.jsonl', attempt.transcript],
    ] as const) {
      const bytes = await readFile(file).catch(() => null);
      if (bytes !== null) files.push({ name, sha256: sha256Hex(bytes), size: bytes.length, path: file });
    }
    const events = await readFile(attempt.events, 'utf8').catch(() => '');
    const end = row.artifacts['evidence_end'];
    const evidence = end === undefined ? null : (await blobs.get(end)).toString('utf8');
    templates.set(`${row.task} ${row.agent} ${row.surface}`, { row, events, files, evidence });
  }
  return templates;
}

function nameOf({ planned, agent, surface }: PlannedEpisode): string {
  return `${taskName(planned.task)} ${agent} ${surface}`;
}

/** The times of an attempt that begins when the one before it has ended. */
function timesOf({ started_at: started, ended_at: ended }: Row, after: number): Pick<Row, 'started_at' | 'ended_at'> {
  if (started === null || ended === null) return { started_at: started, ended_at: ended };
  const end = new Date(after + Date.parse(ended) - Date.parse(started));
  return { started_at: new Date(after).toISOString(), ended_at: end.toISOString() };
}

function runIdAfter(id: string, after: number): string {
  return id.replace(/^[^_]*/, new Date(after).toISOString().replaceAll(/[-:.]/g, ''));
}

async function repeat(
  template: Template,
  { episodeId, planIndex, iteration }: PlannedEpisode,
  to: BundleLayout,
  {
    place,
    after,
    screenshotBytes = 0,
    rowBytes = 0,
  }: Pick<LargeBundle, 'screenshotBytes' | 'rowBytes'> & { place: number; after: number },
): Promise<{ row: Row; seal: string }> {
  const own = screenshotBytes === 0 ? null : await ownEvidence(template, to, screenshotBytes);
  const draft: Row = {
    ...template.row,
    episode_id: episodeId,
    plan_index: planIndex,
    executed_index: template.row.executed_index === null ? null : place,
    iteration,
    ...timesOf(template.row, after),
    run_id: runIdAfter(template.row.run_id, after).replace(/\d+$/, String(iteration)),
    artifacts: { ...template.row.artifacts, ...own, ...paddingOf(template.row, episodeId, rowBytes) },
  };
  const row = { ...draft, ...rowHashes(draft) };
  const attempt = to.attempt(episodeId, row.attempt);
  await mkdir(attempt.folder, { recursive: true });
  const files = [];
  for (const file of template.files) {
    if (file.name === 'events.jsonl' && own !== null) {
      files.push(await written(attempt.folder, file.name, eventsOf(template, own)));
    } else {
      // A name for the same bytes: on the disk there is one copy of them.
      await link(file.path, path.join(attempt.folder, file.name)).catch(async () =>
        cp(file.path, path.join(attempt.folder, file.name)),
      );
      files.push({ name: file.name, sha256: file.sha256, size: file.size });
    }
  }
  files.push(await written(attempt.folder, 'row.json', `${canonicalJson(row)}\n`));
  const seal = {
    schema_version: 1,
    files: files.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    blobs: [...new Set(Object.values(row.artifacts))].toSorted(),
  };
  const text = `${canonicalJson(seal)}\n`;
  await writeFile(attempt.seal, text);
  return { row, seal: sha256Hex(text) };
}

/** One of its blobs under another, long name, which no other row has. */
function paddingOf({ artifacts }: Row, id: string, bytes: number): Row['artifacts'] {
  const [blob] = Object.values(artifacts);
  return bytes === 0 || blob === undefined ? {} : { [id.padEnd(bytes, '_')]: blob };
}

async function written(folder: string, name: string, text: string) {
  await writeFile(path.join(folder, name), text);
  return { name, sha256: sha256Hex(text), size: Buffer.byteLength(text) };
}

/** The same evidence with another picture: it begins as a PNG does, and is noise. */
async function ownEvidence({ row, evidence }: Template, to: BundleLayout, bytes: number) {
  const before = row.artifacts['screenshot_end'];
  if (evidence === null || before === undefined) return null;
  const blobs = openBlobs(to.blobs);
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(bytes)]);
  const screenshot = await blobs.put(png);
  const evidenceEnd = await blobs.put(evidence.replaceAll(before, screenshot));
  const end = { evidence_end: evidenceEnd, screenshot_end: screenshot };
  const { evidence_start: atStart, evidence_end: atEnd } = row.artifacts;
  // Where nothing happened, the end is the start.
  return atStart === atEnd ? { ...end, evidence_start: evidenceEnd, screenshot_start: screenshot } : end;
}

/** The events of a template, whose end was captured with these. */
function eventsOf(
  { row: { artifacts }, events }: Template,
  own: { evidence_end: string; screenshot_end: string },
): string {
  const { evidence_end: evidence = '', screenshot_end: screenshot = '' } = artifacts;
  const captured = (line: string) =>
    line.replaceAll(evidence, own.evidence_end).replaceAll(screenshot, own.screenshot_end);
  // The picture at the start may be the same, and stays with its evidence.
  const lines = events.split('\n').map((line) => (line.includes(evidence) ? captured(line) : line));
  return lines.join('\n');
}

/** A ledger that is written at one go. */
class LedgerFile {
  readonly #file: ReturnType<typeof createWriteStream>;
  #seq = 0;
  #prev = GENESIS;

  constructor(file: string) {
    this.#file = createWriteStream(file);
  }

  async append(entry: object): Promise<void> {
    this.#seq += 1;
    const line = canonicalJson({ ...entry, seq: this.#seq, prev: this.#prev });
    this.#prev = sha256Hex(line);
    if (!this.#file.write(`${line}\n`)) await once(this.#file, 'drain');
  }

  async close(): Promise<void> {
    this.#file.end();
    await once(this.#file, 'close');
  }
}
