import { hashJson } from '../contract/canonical.ts';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { shortened } from '../messages/printable.ts';
import { bundleLayout } from '../bundle/layout.ts';
import { readCountedRows } from '../bundle/sealed-rows.ts';
import { type Row, campaignOutcomeHash, outcomeDifferences } from '../bundle/row.ts';
import { type CampaignFile, readCampaignFile } from '../plan/campaign-file.ts';
import { CampaignError } from '../plan/error.ts';
import type { CampaignListener } from '../run/campaign.ts';
import { otherChanges } from '../plan/pin-changes.ts';
import { runCampaign } from '../run/run-campaign.ts';
import { shuffled } from '../plan/plan.ts';
import type { Redactor } from '../bundle/redact.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { Entrants } from '../plan/entrants.ts';
import { fileProblem, type BundleProblem } from '../verify/finding.ts';
import { AGENTS } from '../agent/built-in.ts';

export interface RerunOptions {
  campaign: CampaignFile;
  /** Counted rows in plan order. */
  rows: readonly Row[];
  /** Share of the episodes that can run again, above 0 and at most 1. */
  share: number;
  seed: number;
  suites: readonly LoadedSuite[];
  entrants: Entrants;
  /** Empty, for the bundle of the new run. */
  folder: string;
  redactor: Redactor;
  listener: CampaignListener;
  signal: AbortSignal;
}

export interface Rerun {
  reproduced: boolean;
  /** Empty if it was reproduced. */
  why_not: readonly Fact[];
  share: number;
  seed: number;
  /** Episodes that can run again. */
  can: number;
  /** Those that cannot, by reason. */
  cannot: NotAgain[];
  drawn: number;
  same: number;
  differences: BundleProblem[];
  /** Outcome hash of the drawn part; null unless all of it ran. */
  outcome_hash: { recorded: string; again: string } | null;
  /** Changes since then that should not matter. */
  elsewhere: string[];
}

/**
 * Runs a part of a campaign again, drawn by the seed, into a bundle of its own, and compares outcomes field by field. If the judge,
 * a world or a surface has changed, runs nothing and reports the changes.
 * @throws BrowserError without a browser, WorldError when an application is not installed
 */
export async function rerun(options: RerunOptions): Promise<Rerun> {
  const { campaign, rows, share, seed, suites, entrants } = options;
  const loaded = new Set(suites.map(({ id }) => id));
  const { candidates, cannot } = candidatesAmong(rows, campaign, { entrants, suites: loaded });
  const drawn = shuffled(candidates, seed)
    .slice(0, Math.ceil(candidates.length * share))
    .toSorted((a, b) => a.plan_index - b.plan_index);
  const base = { share, seed, can: candidates.length, cannot, drawn: drawn.length };
  const nothing = { ...base, reproduced: false, same: 0, differences: [], outcome_hash: null, elsewhere: [] };
  if (drawn.length === 0) return { ...nothing, why_not: [fact('again_none')] };
  try {
    const { rows: again, elsewhere } = await runAgain(drawn, options);
    return { ...base, elsewhere, ...compared(drawn, again) };
  } catch (error) {
    if (!(error instanceof CampaignError) || error.code !== 'cannot_rerun') throw error;
    return { ...nothing, why_not: [fact('again_changed', { why: error.message })] };
  }
}

async function runAgain(
  drawn: readonly Row[],
  { campaign, suites, ...rest }: RerunOptions,
): Promise<{ rows: readonly Row[]; elsewhere: string[] }> {
  const needed = new Set(drawn.map(({ suite }) => suite));
  const { entrants, folder, redactor, listener, signal } = rest;
  await runCampaign({
    plan: campaign.plan,
    suites: suites.filter(({ id }) => needed.has(id)),
    entrants,
    suiteNames: [...needed],
    folder,
    resume: false,
    redactor,
    again: { episodes: new Set(drawn.map((row) => row.episode_id)), pins: campaign.pins },
    listener,
    signal,
  });
  const layout = bundleLayout(folder);
  const { pins } = await readCampaignFile(layout);
  return { rows: await readCountedRows(layout), elsewhere: otherChanges(campaign.pins, pins) };
}

type Compared = Pick<Rerun, 'reproduced' | 'why_not' | 'same' | 'differences' | 'outcome_hash'>;

function compared(drawn: readonly Row[], again: readonly Row[]): Compared {
  const now = new Map(again.map((row) => [row.episode_id, row]));
  const differences: BundleProblem[] = [];
  let [same, missing] = [0, 0];
  for (const row of drawn) {
    const other = now.get(row.episode_id);
    const found = other === undefined ? [] : differencesOf(row, other);
    differences.push(...found);
    if (other === undefined) missing += 1;
    else if (found.length === 0) same += 1;
  }
  const whole = missing === 0;
  const reproduced = whole && same === drawn.length;
  return {
    reproduced,
    why_not: whyNot(drawn.length - same - missing, missing),
    same,
    differences,
    outcome_hash: whole ? { recorded: campaignOutcomeHash(drawn), again: campaignOutcomeHash(again) } : null,
  };
}

function whyNot(different: number, missing: number): Fact[] {
  return [
    ...(different === 0 ? [] : [fact('again_ended_differently', { count: different })]),
    ...(missing === 0 ? [] : [fact('again_not_run', { count: missing })]),
  ];
}

/** Most characters of a value. */
const SHOWN = 160;

function differencesOf(row: Row, again: Row): BundleProblem[] {
  const place = `episodes/${row.episode_id}/${row.attempt}/row.json`;
  const why = again.status === row.status ? '' : (again.detail ?? '');
  return outcomeDifferences(row, again).map(({ field, was, is }) =>
    fileProblem(
      place,
      fact('rerun_differs', { field, was: shown(was), is: shown(is), why: field === 'status' ? why : '' }),
    ),
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return shortened(text, SHOWN);
}

interface Means {
  entrants: Entrants;
  /** Ids of the suites that are loaded. */
  suites: ReadonlySet<string>;
}

interface NotAgain {
  why: Fact;
  episodes: number;
}

/** Splits rows into those whose episodes can run again here, and the others, counted by reason. */
function candidatesAmong(
  rows: readonly Row[],
  campaign: CampaignFile,
  means: Means,
): { candidates: Row[]; cannot: NotAgain[] } {
  const cannot = new Map<string, NotAgain>();
  const candidates = rows.filter((row) => {
    const why = whyNotAgain(row, campaign, means);
    if (why === null) return true;
    const key = hashJson(why);
    cannot.set(key, { why, episodes: (cannot.get(key)?.episodes ?? 0) + 1 });
    return false;
  });
  return { candidates, cannot: [...cannot.values()] };
}

/** Only an agent without a model, in a world and through a surface that are here, can be expected to repeat its outcome. */
function whyNotAgain(row: Row, { plan }: CampaignFile, { entrants, suites }: Means): Fact | null {
  const { agent, suite, status } = row;
  if (status === 'not_applicable' || status === 'unavailable') return fact('again_never_ran', { status });
  if (status === 'infra_error') return fact('again_broke_down');
  if (plan.live) return fact('again_live');
  if (row.browser?.ours === false) return fact('again_other_browser');
  if (row.decider === 'model') return fact('again_model', { agent });
  if (row.decider === 'process') return fact('again_command', { agent });
  if (!AGENTS.some(({ id }) => id === agent)) return fact('again_other_agent', { agent });
  if (!suites.has(suite)) return fact('again_other_suite', { suite });
  const surface = entrants.surfaces.find(({ id }) => id === row.surface);
  if (surface === undefined) return fact('again_other_surface', { surface: row.surface });
  const { unavailable: why } = surface;
  return why === null ? null : fact('again_surface_unavailable', { surface: row.surface, why });
}
