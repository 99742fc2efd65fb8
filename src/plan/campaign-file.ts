import { existsSync } from 'node:fs';
import { z } from 'zod';
import { rule } from '../contract/validation/wording.ts';
import { writeFileAtomically } from '../bundle/atomic-file.ts';
import { fact } from '../messages/messages.ts';
import { BundleError, isMissing } from '../bundle/errors.ts';
import { readJsonFile } from '../bundle/json-file.ts';
import { type BundleLayout, strangeEntries } from '../bundle/layout.ts';
import { MAX_BYTES } from '../bundle/limits.ts';
import { Name } from '../bundle/name.ts';
import { rowFields } from '../bundle/row-fields.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { CampaignError } from './error.ts';
import { Pins } from './pins.ts';
import { Plan, planHash } from './plan.ts';
import { Shard } from './shard.ts';

/** The format of bundles: 2 since rows are folded from events, and surfaces are pinned with their traits. */
const FORMAT = 2;

const entrantFiles = z.strictObject({ agents: z.array(z.string()), surfaces: z.array(z.string()) });

/** Fields in which the parts of a merged bundle may differ. */
const Part = z.strictObject({
  campaign_id: Name,
  created_at: z.iso.datetime(),
  cpu: z.string(),
  max_usd: z.number().positive().optional(),
  suites: z.array(z.string()),
  entrant_files: entrantFiles,
  seal_hash: Sha256,
});
export type Part = z.infer<typeof Part>;

/** `campaign.json`: the plan and the pins, written before the first episode. */
export const CampaignFile = z
  .strictObject({
    schema_version: z.literal(FORMAT),
    campaign_id: Name,
    created_at: z.iso.datetime(),
    plan_hash: Sha256,
    plan: Plan,
    pins: Pins,
    /** Cap on all episodes together, in USD; a resume may name another. Absent: only the caps of each episode hold. */
    max_usd: z.number().positive().optional(),
    /** As named on the command line: built-in ones, or folders. */
    suites: z.array(z.string()),
    /** As named on the command line. */
    entrant_files: entrantFiles,
    /** Absent: all of the plan was run. */
    shard: Shard.optional(),
    /** In order. Absent: not merged. */
    parts: z.array(Part).min(1).optional(),
  })
  .refine(({ shard, parts }) => shard === undefined || parts === undefined, rule('part_and_merged'));
export type CampaignFile = z.infer<typeof CampaignFile>;

export async function writeCampaignFile(layout: BundleLayout, campaign: CampaignFile): Promise<void> {
  await writeFileAtomically(layout.campaign, campaignText(campaign));
}

/** The text of `campaign.json`, independent of the order of fields. */
export function campaignText(campaign: CampaignFile): string {
  return `${JSON.stringify(CampaignFile.parse(campaign), null, 2)}\n`;
}

/**
 * Reads the campaign of a bundle, before anything else is read. A bundle with a link in it, which could lead out of it, is
 * refused.
 * @throws CampaignError when the folder is not a bundle, or its plan does not match its hash; BundleError when it is broken.
 */
export async function readCampaignFile(layout: BundleLayout): Promise<CampaignFile> {
  const campaign = await readIfBundle(layout);
  if (planHash(campaign.plan) !== campaign.plan_hash) {
    throw new CampaignError(fact('not_a_bundle', { folder: layout.root, why: 'other_plan' }));
  }
  const [strange] = await strangeEntries(layout.root);
  if (strange !== undefined) {
    throw new BundleError(fact('link_in_bundle', { folder: layout.root, name: JSON.stringify(strange) }));
  }
  return campaign;
}

async function readIfBundle(layout: BundleLayout): Promise<CampaignFile> {
  try {
    return await readJsonFile(layout.campaign, CampaignFile, 'a campaign', { maxBytes: MAX_BYTES.campaign });
  } catch (error) {
    if (isMissing(error)) {
      const why = existsSync(layout.root) ? 'unreadable' : 'missing';
      throw new CampaignError(fact('not_a_bundle', { folder: layout.root, why }));
    }
    await refuseOtherFormat(layout);
    throw error;
  }
}

/** In every format of bundles. */
const AnyFormat = z.looseObject({
  schema_version: z.int(),
  pins: z.looseObject({ bench_version: rowFields.bench_version, bench_commit: rowFields.bench_commit }),
});

/** @throws CampaignError naming the version that reads another format. */
async function refuseOtherFormat(layout: BundleLayout): Promise<void> {
  const read = await readJsonFile(layout.campaign, AnyFormat, 'a campaign', { maxBytes: MAX_BYTES.campaign }).catch(
    () => null,
  );
  if (read === null || read.schema_version === FORMAT) return;
  const { bench_version: version, bench_commit: commit } = read.pins;
  const writer = `Touchstone ${version}${commit === null ? '' : ` at commit ${commit.slice(0, 12)}`}`;
  const { schema_version: format } = read;
  throw new CampaignError(fact('other_format', { folder: layout.root, format, writer, own: FORMAT }));
}
