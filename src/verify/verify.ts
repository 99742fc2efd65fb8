import { existsSync } from 'node:fs';
import { type CampaignSeal, campaignSealOf, readCampaignSeal } from '../bundle/campaign-seal.ts';
import { BundleError, isMissing } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { eachLedgerRecord, ledgerHead } from '../bundle/ledger.ts';
import type { Row } from '../bundle/row.ts';
import { type CampaignFile, readCampaignFile } from '../plan/campaign-file.ts';
import { CampaignError } from '../plan/error.ts';
import { ledgerFindings } from './against-ledger.ts';
import { partFindings } from './against-parts.ts';
import { sealFindings, strangerFindings } from './bundle-files.ts';
import { fileProblem, type BundleProblem, incomplete } from './finding.ts';
import { InPlanOrder } from './in-plan-order.ts';
import { PlannedEpisodes } from '../plan/planned-episodes.ts';
import { rowFindings } from './row-findings.ts';
import { AGENTS } from '../agent/built-in.ts';
import { modelPinProblems } from '../plan/model-pins.ts';
import type { PlannedTask } from '../plan/plan.ts';
import type { TaskQualification } from '../plan/task-qualification.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { mutantsOf } from '../contract/mutants.ts';
import { type Semantics, semanticsOf } from '../contract/semantics.ts';
import { taskName } from '../task/instance.ts';
import { isProofOf } from '../task/schema.ts';

/** Takes each counted row as it comes. */
export type TakeRow = (row: Row) => void | Promise<void>;

/**
 * Verifies all that figures are drawn from, without trust, network or browser: every byte against seals, ledger and root;
 * the ledger against the plan; rows against plan, pins, events and evidence. Yields what is off, and returns the campaign;
 * null when it could not be read on. Hands each counted row to `take`, in plan order, and holds one row and its evidence at a
 * time, and the rows that ran beside one that is still to come; a row out of that order, which a finding tells of, is not handed on.
 * @throws CampaignError when the folder holds no bundle at all.
 */
export async function* verifyRecords(
  layout: BundleLayout,
  take: TakeRow,
): AsyncGenerator<BundleProblem, CampaignFile | null> {
  const campaign = await campaignOr(layout);
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
  const episodes = new PlannedEpisodes(campaign);
  const records = () => eachLedgerRecord(layout.ledger);
  yield* ledgerFindings(records(), campaign, episodes);
  yield* strangerFindings(layout, records());
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

async function campaignOr(layout: BundleLayout): Promise<CampaignFile | BundleProblem> {
  try {
    return await readCampaignFile(layout);
  } catch (error) {
    if (!existsSync(layout.campaign)) throw error;
    // Nothing of it is off: it is not for this version to say.
    if (error instanceof CampaignError && error.code === 'other_format') throw error;
    if (error instanceof BundleError || error instanceof CampaignError)
      return fileProblem('campaign.json', error.message);
    throw error;
  }
}

async function ledgerProblem(layout: BundleLayout): Promise<BundleProblem | null> {
  try {
    await ledgerHead(layout.ledger);
    return null;
  } catch (error) {
    if (error instanceof BundleError) return fileProblem('ledger.jsonl', error.message);
    throw error;
  }
}

/** Checks what the bundle's seal says of two files; its root is checked when all rows were read. */
async function* campaignSealFindings(layout: BundleLayout): AsyncGenerator<BundleProblem> {
  const seal = await sealOr(layout);
  if ('problem' in seal) {
    yield seal;
    return;
  }
  const now = await campaignSealOf(layout, []);
  if (seal.campaign_hash !== now.campaign_hash)
    yield fileProblem('campaign.json', 'is not what campaign_hash of seal.json says');
  if (seal.ledger_head !== now.ledger_head)
    yield fileProblem('ledger.jsonl', 'does not end as ledger_head of seal.json says');
}

async function* rootFindings(layout: BundleLayout, sealHashes: readonly string[]): AsyncGenerator<BundleProblem> {
  const seal = await sealOr(layout);
  if ('problem' in seal) return;
  const now = await campaignSealOf(layout, sealHashes);
  if (seal.episodes !== now.episodes) yield fileProblem('seal.json', 'episodes is not how many rows count');
  if (seal.root !== now.root) yield fileProblem('seal.json', 'root is not that of the sealed attempts in plan order');
}

async function sealOr(layout: BundleLayout): Promise<CampaignSeal | BundleProblem> {
  try {
    return (await readCampaignSeal(layout)).seal;
  } catch (error) {
    if (isMissing(error)) return incomplete('seal.json', 'is missing: the run was ended early, or it was taken away');
    if (error instanceof BundleError) return fileProblem('seal.json', error.message);
    throw error;
  }
}

/** Returns what the pins say that cannot be: modes follow from it. */
export function pinFindings({ plan, pins }: CampaignFile): BundleProblem[] {
  const live = plan.live ? [] : Object.entries(pins.world_kinds).filter(([, kind]) => kind === 'live_web');
  const deciders = Object.entries(pins.deciders).filter(([agent, decider]) => {
    const builtIn = AGENTS.find(({ id }) => id === agent)?.decider ?? decider;
    return decider !== builtIn || (decider === 'model') !== Object.hasOwn(pins.models, agent);
  });
  return [
    ...live.map(([name]) => `world_kinds says live_web of ${name}, and the plan is not live`),
    ...deciders.map(([agent, decider]) => `deciders says ${decider} of ${agent}, which it is not`),
    ...modelPinProblems(pins),
  ].map((problem) => fileProblem('campaign.json', problem));
}

/**
 * Proofs in campaign.json that are of another task than the plan has under that name. What a proof comes to is derived from its
 * own trials where it is read; that it is of these rows, their qualification_hash says.
 */
function proofFindings({ plan, pins }: CampaignFile): BundleProblem[] {
  const planned = new Map(plan.tasks.map((each) => [`${each.suite}/${taskName(each.task)}`, each]));
  return Object.entries(pins.qualifications).flatMap(([name, proof]) => {
    const own = planned.get(name);
    if (own === undefined) return [fileProblem('campaign.json', `has a proof of ${name}, which is not planned`)];
    const others = [
      ...otherThan(own, proof).map((what) => `has ${what} than the plan`),
      ...(isJudgedAs(own, proof, pins.semantics) ? [] : ['is of other versions of assertions than the pins']),
    ];
    return others.map((what) => fileProblem('campaign.json', `the proof of ${name} ${what}`));
  });
}

/** A proof that leaves out what stands against its task, or has made up another, is of no task that is planned. */
function otherThan({ task, contract_hash: contractHash }: PlannedTask, proof: TaskQualification) {
  const mutants = mutantsOf(task).map(({ name }) => name);
  const misses = (task.nearMisses ?? []).map(({ why }) => why);
  const isOther = {
    'another task_hash': !isProofOf(proof.task_hash, task),
    'another contract_hash': proof.contract_hash !== contractHash,
    // Where the solution never passed, there was no right end to hold a mutant against, and the task does not qualify.
    'other mutants':
      !(proof.reference.passed === 0 && proof.mutants.length === 0) &&
      !isSame(
        proof.mutants.map(({ mutant }) => mutant),
        mutants,
      ),
    'other near-misses': !isSame(
      proof.near_misses.map(({ why }) => why),
      misses,
    ),
  };
  return Object.entries(isOther).flatMap(([what, is]) => (is ? [what] : []));
}

/** A proof counts for the kinds of assertions that its task has, at the versions at which the campaign judges. */
function isJudgedAs({ task }: PlannedTask, { semantics }: TaskQualification, pinned: Semantics): boolean {
  const now = Object.keys(semanticsOf(task)).map((kind) => [kind, pinned[kind] ?? null] as const);
  return canonicalJson(semantics ?? null) === canonicalJson(Object.fromEntries(now));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
