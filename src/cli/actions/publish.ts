import { parsedOr } from '../../contract/json.ts';
import { fact } from '../../messages/messages.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { systemCode } from '../../bundle/errors.ts';
import { campaignOutcomeHash } from '../../bundle/row.ts';
import { readCountedRows } from '../../bundle/sealed-rows.ts';
import { isFaultFree } from '../../claim/faulty-rows.ts';
import { readCampaignFile } from '../../plan/campaign-file.ts';
import { faultFreeTasks, episodeCount } from '../../plan/plan.ts';
import { entrantScores } from '../../claim/scores.ts';
import { CountedRows } from '../../report/counted-rows.ts';
import { section } from '../../report/document.ts';
import { markdownSections } from '../../report/markdown.ts';
import { forReader } from '../terminal-sections.ts';
import { type PublishedReport, publishedSections, scoreBlocks } from '../../report/published-report.ts';
import { instanceName } from '../../task/instance.ts';
import { drawReport, writeNamedFile } from '../drawn-files.ts';
import { openBundle, verifiedBundle } from '../bundles.ts';
import { printResult, type Terminal } from '../terminal.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { resumeAdvice } from '../paste.ts';
import type { Request } from '../command.ts';
import type { PublishOptions } from '../commands/share.ts';

export async function publish(
  { args, options: { to = 'reports', json } }: Request<PublishOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  const report = await publishedReport(args[0] ?? '');
  const place = path.join(to, report.commit);
  await refuseScoresOfAnother(`${place}.json`, report);
  await writeNamedFile(`${place}.json`, `${JSON.stringify(report, null, 2)}\n`);
  await writeNamedFile(`${place}.md`, markdownSections(publishedSections(report), 1));
  printResult(terminal, json, report, () => [
    ...forReader([section('scores', 'Scores', ...scoreBlocks(report))], terminal),
    `${place}.md`,
    `${place}.json`,
  ]);
  return EXIT.done;
}

/** @throws UsageError when the file holds the scores of another campaign at this commit */
async function refuseScoresOfAnother(file: string, { campaign_id: id }: PublishedReport): Promise<void> {
  const there = await readFile(file, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(systemCode(error) ?? '')) return null;
    throw error;
  });
  if (there === null || campaignIn(there) === id) return;
  throw new UsageError(fact('scores_of_another', { file }));
}

/** Returns the campaign of published scores, or null. */
function campaignIn(text: string): string | null {
  return z.looseObject({ campaign_id: z.string() }).safeParse(parsedOr(text, null)).data?.campaign_id ?? null;
}

/**
 * Draws the scores of a bundle at its commit.
 * @throws UsageError when it is not finished, has no commit, or does not verify
 */
export async function publishedReport(bundle: string): Promise<PublishedReport> {
  using opened = await openBundle(bundle);
  const { layout } = opened;
  const campaign = await readCampaignFile(layout);
  const { campaign_id: id, plan, pins } = campaign;
  const rows = await readCountedRows(layout);
  const planned = episodeCount(plan);
  if (rows.length < planned) {
    const advice =
      campaign.shard === undefined ? resumeAdvice(bundle) : 'make one bundle of all parts with "touchstone merge"';
    throw new UsageError(fact('score_of_a_part', { bundle, done: rows.length, planned, advice }));
  }
  if (pins.bench_commit === null) throw new UsageError(fact('no_commit', { bundle }));
  if (rows.some((row) => row.bench_commit !== pins.bench_commit))
    throw new UsageError(fact('rows_of_another_commit', { bundle }));
  const { complete } = await verifiedBundle(layout);
  const { claims } = drawReport(campaign, CountedRows.of(rows), complete);
  const tasks = faultFreeTasks(plan).map(({ suite, task }) => ({
    suite,
    task: task.id,
    instance: instanceName(task),
    isSeed: task.kinds === 'seed',
  }));
  return {
    schema_version: 1,
    commit: pins.bench_commit,
    dirty: pins.bench_dirty ?? false,
    bench_version: pins.bench_version,
    campaign_id: id,
    created_at: campaign.created_at,
    plan_hash: campaign.plan_hash,
    browser: pins.browser,
    outcome_hash: campaignOutcomeHash(rows),
    iterations: plan.iterations,
    suites: [...new Set(tasks.map(({ suite }) => suite))],
    entrants: entrantScores(rows.filter(isFaultFree), tasks, plan.entrants),
    claims,
  };
}
