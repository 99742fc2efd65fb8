import { fact } from '../messages/messages.ts';
import { existsSync } from 'node:fs';
import { type CampaignSeal, campaignSealOf, readCampaignSeal } from '../bundle/campaign-seal.ts';
import { BundleError, isMissing } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { eachLedgerRecord, ledgerHead } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import { type CampaignFile, readCampaignFile } from '../plan/campaign-file.ts';
import { CampaignError } from '../plan/error.ts';
import { drawnFindings } from './against-secret.ts';
import { ledgerFindings, partFindings } from './against-ledger.ts';
import { sealFindings, unlistedFindings } from './bundle-files.ts';
import { type BundleProblem, factIn, fileProblem, incomplete } from './finding.ts';
import { InPlanOrder } from './in-plan-order.ts';
import { PlannedEpisodes } from '../plan/part-of-plan.ts';
import { AGENTS } from '../agent/built-in.ts';
import { modelPinProblems } from '../plan/pins.ts';
import type { PlannedTask } from '../plan/plan.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { mutantsOf } from '../contract/mutants.ts';
import { type Semantics, semanticsOf } from '../contract/semantics.ts';
import { taskName } from '../task/instance.ts';
import { isProofOf } from '../task/schema.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { SealedRow } from '../bundle/sealed-rows.ts';
import { type ReadAttempt, readAttempts, type UnreadAttempt } from './read-attempts.ts';
import { rejudgeBundle, type Rejudgement } from './rejudge.ts';

export type TakeSealed = (sealed: SealedRow) => Promise<void>;

/** Compares each row with its record; judges each row that counts again, and passes it to `take`. */
export async function* rowFindings(
  layout: BundleLayout,
  campaign: CampaignFile,
  { records, episodes }: { records: AsyncIterable<LedgerRecord>; episodes: PlannedEpisodes },
  take: TakeSealed,
): AsyncGenerator<BundleProblem> {
  const found: BundleProblem[] = [];
  const read = async function* (): AsyncGenerator<ReadAttempt | UnreadAttempt> {
    for await (const each of readAttempts(layout, campaign, { records, episodes })) {
      const { episode_id: episodeId, attempt } = 'row' in each ? each.row : { ...each, episode_id: each.episodeId };
      found.push(...each.problems.map((problem) => fileProblem(rowFile(episodeId, attempt), problem)));
      if ('row' in each && each.row.counts) await take(each);
      yield each;
    }
  };
  for await (const again of rejudgeBundle(layout, campaign, read(), { episodes })) {
    yield* found.splice(0);
    if (!again.agrees && again.problems.length === 0) yield* disagreement(again);
  }
  yield* found;
}

function disagreement({ attempt, episodeId, why, task, agent, surface }: Rejudgement): BundleProblem[] {
  if (attempt === null)
    return [
      incomplete(
        'ledger.jsonl',
        fact('ledger_no_row', { task: String(task), agent: String(agent), surface: String(surface) }),
      ),
    ];
  const reasons = why.length === 0 ? [fact('row_not_from_evidence')] : why;
  return reasons.map((each) => fileProblem(rowFile(episodeId, attempt), each));
}

function rowFile(episodeId: string, attempt: number): string {
  return `episodes/${episodeId}/${attempt}/row.json`;
}

export type TakeRow = (row: Row) => void | Promise<void>;

/**
 * Verifies everything from which figures are derived, without trust, network or browser: every byte against seals, ledger and root; the
 * ledger against the plan; rows against plan, pins, events and evidence. Yields the problems, and returns the campaign, or null if it
 * could not be read. Passes counted rows to `take` in plan order, and holds few at a time; a row out of order, which is a problem,
 * is not passed on.
 * @throws CampaignError when the folder is not a bundle
 */
export async function* verifyRecords(
  layout: BundleLayout,
  take: TakeRow,
): AsyncGenerator<BundleProblem, CampaignFile | null> {
  const campaign = await campaignOrProblem(layout);
  if ('problem' in campaign) {
    yield campaign;
    return null;
  }
  const problem = await ledgerProblem(layout);
  if (problem !== null) {
    yield problem;
    return null;
  }
  yield* proofFindings(campaign);
  yield* pinFindings(campaign);
  yield* drawnFindings(campaign);
  const episodes = new PlannedEpisodes(campaign);
  const records = () => eachLedgerRecord(layout.ledger);
  yield* ledgerFindings(records(), campaign, episodes);
  yield* unlistedFindings(layout, records());
  yield* campaignSealFindings(layout);
  yield* sealFindings(layout, records());
  const counted = new InPlanOrder(take, campaign);
  yield* rowFindings(layout, campaign, { records: records(), episodes }, (sealed) => counted.take(sealed));
  await counted.end();
  const seals = counted.seals();
  if (seals.length === episodes.inOrder.length)
    yield* rootFindings(
      layout,
      seals.map(({ hash }) => hash),
    );
  yield* partFindings(campaign, records(), seals);
  return campaign;
}

async function campaignOrProblem(layout: BundleLayout): Promise<CampaignFile | BundleProblem> {
  try {
    return await readCampaignFile(layout);
  } catch (error) {
    if (!existsSync(layout.campaign)) throw error;
    // A bundle of another format may be sound.
    if (error instanceof CampaignError && error.code === 'other_format') throw error;
    if (error instanceof BundleError || error instanceof CampaignError)
      return fileProblem('campaign.json', factIn(error));
    throw error;
  }
}

async function ledgerProblem(layout: BundleLayout): Promise<BundleProblem | null> {
  try {
    await ledgerHead(layout.ledger);
    return null;
  } catch (error) {
    if (error instanceof BundleError) return fileProblem('ledger.jsonl', error.fact);
    throw error;
  }
}

/** Checks the seal's hashes of two files; its root is checked once all rows are read. */
async function* campaignSealFindings(layout: BundleLayout): AsyncGenerator<BundleProblem> {
  const seal = await sealOrProblem(layout);
  if ('problem' in seal) {
    yield seal;
    return;
  }
  const now = await campaignSealOf(layout, []);
  if (seal.campaign_hash !== now.campaign_hash) yield fileProblem('campaign.json', fact('other_campaign_hash'));
  if (seal.ledger_head !== now.ledger_head) yield fileProblem('ledger.jsonl', fact('other_ledger_head'));
}

async function* rootFindings(layout: BundleLayout, sealHashes: readonly string[]): AsyncGenerator<BundleProblem> {
  const seal = await sealOrProblem(layout);
  if ('problem' in seal) return;
  const now = await campaignSealOf(layout, sealHashes);
  if (seal.episodes !== now.episodes) yield fileProblem('seal.json', fact('other_episode_count'));
  if (seal.root !== now.root) yield fileProblem('seal.json', fact('other_root'));
}

async function sealOrProblem(layout: BundleLayout): Promise<CampaignSeal | BundleProblem> {
  try {
    return (await readCampaignSeal(layout)).seal;
  } catch (error) {
    if (isMissing(error)) return incomplete('seal.json', fact('seal_missing'));
    if (error instanceof BundleError) return fileProblem('seal.json', error.fact);
    throw error;
  }
}

/** Finds pins that contradict the plan or each other: the modes of rows are derived from them. */
export function pinFindings({ plan, pins }: CampaignFile): BundleProblem[] {
  const live = plan.live ? [] : Object.entries(pins.world_kinds).filter(([, kind]) => kind === 'live_web');
  const deciders = Object.entries(pins.deciders).filter(([agent, decider]) => {
    const builtIn = AGENTS.find(({ id }) => id === agent)?.decider ?? decider;
    return decider !== builtIn || (decider === 'model') !== Object.hasOwn(pins.models, agent);
  });
  return [
    ...live.map(([name]) => fact('world_not_live', { name })),
    ...deciders.map(([agent, decider]) => fact('decider_differs', { decider, agent })),
    ...modelPinProblems(pins),
  ].map((problem) => fileProblem('campaign.json', problem));
}

/** Finds proofs that do not belong to the planned task of their name. The `qualification_hash` of rows ties them to a proof. */
function proofFindings({ plan, pins }: CampaignFile): BundleProblem[] {
  const planned = new Map(plan.tasks.map((each) => [`${each.suite}/${taskName(each.task)}`, each]));
  return Object.entries(pins.qualifications).flatMap(([name, proof]) => {
    const own = planned.get(name);
    if (own === undefined) return [fileProblem('campaign.json', fact('proof_not_planned', { task: name }))];
    const differences = [
      ...partsNotOf(own, proof).map((what) => fact('proof_differs', { task: name, what })),
      ...(hasPinnedSemantics(own, proof, pins.semantics) ? [] : [fact('proof_other_semantics', { task: name })]),
    ];
    return differences.map((problem) => fileProblem('campaign.json', problem));
  });
}

/** Names the parts of a proof that are not of its task. It must have exactly the task's mutants and near-misses. */
function partsNotOf({ task, contract_hash: contractHash }: PlannedTask, proof: TaskQualification) {
  const mutants = mutantsOf(task).map(({ name }) => name);
  const misses = (task.nearMisses ?? []).map(({ why }) => why);
  const isOther = {
    task_hash: !isProofOf(proof.task_hash, task),
    contract_hash: proof.contract_hash !== contractHash,
    // If the solution never passed, mutants have no correct end state to be tried on, and the task does not qualify.
    mutants:
      !(proof.reference.passed === 0 && proof.mutants.length === 0) &&
      !isSame(
        proof.mutants.map(({ mutant }) => mutant),
        mutants,
      ),
    'near-misses': !isSame(
      proof.near_misses.map(({ why }) => why),
      misses,
    ),
  };
  return Object.entries(isOther).flatMap(([what, is]) => (is ? [what] : []));
}

/** Whether a proof has the same versions of the task's assertion kinds as the campaign. */
function hasPinnedSemantics({ task }: PlannedTask, { semantics }: TaskQualification, pinned: Semantics): boolean {
  const now = Object.entries(semanticsOf(task)).map(([kind, version]) => {
    const of = pinned[kind];
    // A later judge may have raised the kind since, and a node may mean what it did at an earlier version.
    return [kind, of === undefined ? null : Math.min(of, version)] as const;
  });
  return canonicalJson(semantics ?? null) === canonicalJson(Object.fromEntries(now));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
