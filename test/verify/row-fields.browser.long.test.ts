import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type AttemptLayout, bundleLayout, type BundleLayout } from '../../src/bundle/layout.ts';
import { readLedger } from '../../src/bundle/ledger.ts';
import type { LedgerRecord } from '../../src/bundle/ledger-record.ts';
import { deriveMode } from '../../src/bundle/row-words.ts';
import { finishRow, MEASURED_FIELDS, ROW_HASHES, Row } from '../../src/bundle/row.ts';
import { readAttemptSeal } from '../../src/bundle/seal.ts';
import { readSealedRows, sealRow } from '../../src/bundle/sealed-rows.ts';
import { type CampaignFile, readCampaignFile } from '../../src/plan/campaign-file.ts';
import { RecordedEvent } from '../../src/episode/events.ts';
import { PlannedEpisodes } from '../../src/plan/part-of-plan.ts';
import { startedAtIn } from '../../src/row/attempt.ts';
import { nothingRecorded, take } from '../../src/row/recorded.ts';
import { rowOf } from '../../src/row/row-of.ts';
import { rowFindings } from '../../src/verify/verify.ts';
import { canonicalJson, sha256Hex } from '../../src/contract/canonical.ts';
import { touchstone } from '../cli/touchstone.ts';
import { calls, fakeAnthropic } from '../model/fake-anthropic.ts';

const Fields = z.record(z.string(), z.unknown());

/**
 * A bundle with rows of a model, of a reference, of a control that does nothing and of an agent that drives the browser itself,
 * through surfaces of ours and of others, in an app and an archive.
 */
async function bundleOfManyKinds(folder: string): Promise<BundleLayout> {
  const turns = [calls(['navigate', { url: 'https://example.com/' }]), calls(['done', { answer: 'Example Domain' }])];
  await using fake = await fakeAnthropic([...turns, ...turns, ...turns, ...turns, ...turns]);
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-test-0123456789');
  vi.stubEnv('ANTHROPIC_BASE_URL', fake.url);
  const place = path.join(folder, 'bundle');
  const tasks = 'T1_add_monitor,task-01-example-com-title';
  const agents = 'reference,claude-sonnet-4-6,null,examples/exec/agent.mjs';
  const entrants = ['--agent', agents, '--surface', 'nac3,app-mcp,playwright-mcp,own'];
  // The fake answers in the order of its script.
  await touchstone('run', 'protocols', 'webvoyager', '--task', tasks, ...entrants, '--times', '--out', place);
  vi.unstubAllEnvs();
  expect(await touchstone('verify', place)).toMatchObject({ exit: 0 });
  return bundleLayout(place);
}

const ANY: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  'x',
  'f'.repeat(64),
  'f'.repeat(12),
  '2026-01-01T12:00:00.000Z',
  {},
  { x: 1 },
  { value: 'x' },
  [],
];

function near(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1, value + 0.5, value - 1, value * 2];
  if (typeof value === 'string') {
    const time = z.iso.datetime().safeParse(value).success ? Date.parse(value) : null;
    return [
      `${value}x`,
      ...(time === null ? [] : [-50_000, -1, 1, 50_000].map((ms) => new Date(time + ms).toISOString())),
    ];
  }
  if (Array.isArray(value)) return value.flatMap((each, at) => near(each).map((other) => value.with(at, other)));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    { ...value, x: part },
    Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)),
    ...[...ANY, ...near(part)].map((other) => ({ ...value, [name]: other })),
  ]);
}

function wordsIn(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, part]) =>
    key === 'enum' && Array.isArray(part) ? part.map((word: unknown) => word) : wordsIn(part),
  );
}

/** The row with another value, and with what the schema derives from it; null if that is not a row, or the value is the same. */
function edited(row: Row, field: string, value: unknown): Row | null {
  if (canonicalJson(value) === canonicalJson(new Map<string, unknown>(Object.entries(row)).get(field))) return null;
  const { [field]: _why, ...reasons } = row.null_reasons;
  const null_reasons = value === null && MEASURED_FIELDS.includes(field) ? { ...reasons, [field]: 'unknown' } : reasons;
  const draft = { ...row, null_reasons, [field]: value };
  const follows = { mode: deriveMode({ ...draft, dry_run: false }), declared_done: draft.stop === 'done' };
  const parsed = Row.safeParse({ ...draft, ...follows, [field]: value });
  return parsed.success ? finishRow(parsed.data) : null;
}

/** A third of the values, another one at each turn, and all where there are fewer than three: so each kind of row tries each field. */
function thirdOf<Value>(values: readonly Value[], turn: number): Value[] {
  return values.length < 3 ? [...values] : values.filter((_, at) => (at + turn) % 3 === 0);
}

/** Tries each row that a forger might substitute, and returns whether verify names it; every hash is recomputed. */
class Forger {
  readonly #layout: BundleLayout;
  readonly #campaign: CampaignFile;
  readonly #records: readonly LedgerRecord[];

  private constructor(layout: BundleLayout, campaign: CampaignFile, records: readonly LedgerRecord[]) {
    this.#layout = layout;
    this.#campaign = campaign;
    this.#records = records;
  }

  static async in(layout: BundleLayout): Promise<Forger> {
    return new Forger(layout, await readCampaignFile(layout), (await readLedger(layout.ledger)).records);
  }

  /** @param events what to write in place of the events, where these are forged, too */
  async isNamed({ episode_id: id, attempt }: Row, forged: Row, events?: string): Promise<boolean> {
    const seal_hash = await sealForged(this.#layout.attempt(id, attempt), forged, events);
    const own = this.#records
      .filter((record) => record.kind === 'started' || ('episode_id' in record && record.episode_id === id))
      .map((record) => (record.kind === 'sealed' ? { ...record, seal_hash } : record));
    const records = async function* () {
      yield* await Promise.resolve(own);
    };
    const episodes = new PlannedEpisodes(this.#campaign);
    const findings = rowFindings(this.#layout, this.#campaign, { records: records(), episodes }, () =>
      Promise.resolve(),
    );
    for await (const { kind } of findings) if (kind === 'broken') return true;
    return false;
  }
}

/** As `sealAttempt`, of the files that have changed alone, and without waiting for the disk: there are thousands of forgeries. */
async function sealForged(place: AttemptLayout, row: Row, events?: string): Promise<string> {
  const changed = new Map([[place.row, `${canonicalJson(row)}\n`]]);
  if (events !== undefined) changed.set(place.events, events);
  const { seal } = await readAttemptSeal(place.folder);
  for (const [file, text] of changed) {
    await writeFile(file, text);
    const entry = seal.files.find(({ name }) => name === path.basename(file));
    if (entry === undefined) throw new Error(`the seal knows nothing of ${file}`);
    Object.assign(entry, { sha256: sha256Hex(text), size: Buffer.byteLength(text) });
  }
  const text = `${canonicalJson(seal)}\n`;
  await writeFile(place.seal, text);
  return sha256Hex(text);
}

async function oneOfEachKind(layout: BundleLayout): Promise<Row[]> {
  const rows = (await readSealedRows(layout)).map(({ row }) => row);
  const ran = rows.filter(({ decider, stop }) => decider !== 'control' || stop !== null);
  return [...new Map(ran.map((row) => [kindOf(row), row])).values()];
}

/** Controls do the same in every world, and what did not run has in every world the same for all but a model. */
function kindOf({ world_kind: world, decider, status }: Row): string {
  if (decider === 'control') return decider;
  return status === 'not_applicable' ? `${status} ${decider === 'model'}` : `${world} ${decider} ${status}`;
}

async function namedAsUnfound(): Promise<string[]> {
  const page = await readFile('docs/verify.md', 'utf8');
  const section = page.slice(page.indexOf('## What it cannot find'));
  return [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, field = '']) => field),
  );
}

/** Words that some event has for something. */
const WORDS = ['none', 'user', 'shared', 'gateway', 'pass', 'fail', 'inconclusive', 'gave_up', 'stuck'];

/** The event with one value in it changed, each in turn. */
function editedEvents(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1, value / 2];
  if (value === null) return ['x', 1, true];
  if (typeof value === 'string')
    return [`${value}x`, value.replace(/^[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0')), ...WORDS];
  if (typeof value === 'boolean') return [!value];
  if (Array.isArray(value))
    return value.flatMap((each, at) => editedEvents(each).map((other) => value.with(at, other)));
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) =>
    editedEvents(part).map((other) => ({ ...value, [name]: other })),
  );
}

/** The row that edited events come to; null where they are none, or come to no row. */
function rowOfEdited(campaign: CampaignFile, row: Row, lines: readonly unknown[]): Row | null {
  const episode = new PlannedEpisodes(campaign).byId(row.episode_id);
  const startedAt = startedAtIn(row.run_id);
  if (episode === null || startedAt === null) throw new Error('the row is of no episode');
  const recorded = nothingRecorded();
  for (const line of lines) {
    const parsed = RecordedEvent.safeParse(line);
    if (!parsed.success) return null;
    take(recorded, parsed.data);
  }
  const known = { campaign, episode, attempt: row.attempt, startedAt, executedIndex: row.executed_index ?? 0 };
  try {
    return rowOf({ ...known, errorsBefore: 0, interruptionsBefore: 0 }, recorded);
  } catch {
    return null;
  }
}

function changedIn(before: Row, now: Row): string[] {
  const was = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(now).filter(
    ([field, value]) => canonicalJson(was.get(field) ?? null) !== canonicalJson(value),
  );
  return changed.map(([field]) => field).filter((field) => !ROW_HASHES.has(field));
}

const made: { layout?: BundleLayout } = {};
beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  made.layout = await bundleOfManyKinds(folder);
  return async () => rm(folder, { recursive: true });
}, 300_000);

function bundle(): BundleLayout {
  if (made.layout === undefined) throw new Error('there is no bundle');
  return made.layout;
}

test('no field of a row can be changed unnoticed without its events', async () => {
  const forger = await Forger.in(bundle());
  const schema = Fields.parse(Fields.parse(JSON.parse(await readFile('schemas/row.json', 'utf8')))['properties']);
  const unfound = new Map<string, string>();
  const forgeEach = async (row: Row, turn: number): Promise<void> => {
    expect(await forger.isNamed(row, row)).toBe(false);
    for (const [field, was] of Object.entries(row)) {
      if (ROW_HASHES.has(field)) continue;
      const values = [...ANY, ...wordsIn(schema[field]), ...near(was)];
      const forged = values.flatMap((value) => edited(row, field, value) ?? []);
      for (const each of thirdOf(forged, turn)) {
        if (unfound.has(field) || (await forger.isNamed(row, each))) continue;
        unfound.set(field, `${row.run_id}: ${JSON.stringify(was)} as ${JSON.stringify({ ...each }[field])}`);
      }
    }
    await sealRow(bundle().attempt(row.episode_id, row.attempt), row);
  };
  await Promise.all((await oneOfEachKind(bundle())).map(forgeEach));
  expect([...unfound]).toEqual([]);
});

test('each field that can be changed unnoticed with its events is listed as undetectable, and no other', async () => {
  const forger = await Forger.in(bundle());
  const campaign = await readCampaignFile(bundle());
  const unfound = new Map<string, string>();
  const forgeEach = async (row: Row): Promise<void> => {
    const place = bundle().attempt(row.episode_id, row.attempt);
    const text = await readFile(place.events, 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => RecordedEvent.parse(JSON.parse(line)));
    for (const [at, line] of lines.entries()) {
      for (const event of editedEvents(line.event)) {
        const others = lines.map((each, index) => (index === at ? { ...line, event } : each));
        const forged = rowOfEdited(campaign, row, others);
        const changed = forged === null ? [] : changedIn(row, forged);
        if (forged === null || changed.every((field) => unfound.has(field))) continue;
        if (await forger.isNamed(row, forged, others.map((each) => `${JSON.stringify(each)}\n`).join(''))) continue;
        for (const field of changed) unfound.set(field, JSON.stringify(event).slice(0, 200));
      }
    }
    await writeFile(place.events, text);
    await sealRow(place, row);
  };
  await Promise.all((await oneOfEachKind(bundle())).map(forgeEach));
  // Why a field is null follows from the fields.
  unfound.delete('null_reasons');
  expect([...unfound.keys()].toSorted()).toEqual((await namedAsUnfound()).toSorted());
});
