import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, describe } from 'vitest';
import { sealCampaign } from '../../src/bundle/campaign-seal.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { eachSealedRow } from '../../src/bundle/sealed-rows.ts';
import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import { proofOfTrials, type TaskQualification } from '../../src/plan/task-qualification.ts';
import { SEMANTICS, type Semantics, semanticsOf } from '../../src/contract/semantics.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TOOL_SERVERS } from './forge.ts';
import { smallBundle } from './small-bundle.ts';

/** Its only trivial task. */
const TRIVIAL = 'basics/example-h1';
const PROVED = 'basics/late-order';

const small = smallBundle({ source: TOOL_SERVERS, tasks: ['example-h1', 'late-order'], surfaces: ['aria'] });

/** Edits the proof of a task in a bundle, seals it anew, and says what `verify` finds. */
async function verifyWith(
  name: string,
  edit: (proof: TaskQualification) => TaskQualification,
  { as = name, semantics, bundle = small() }: { as?: string; semantics?: Semantics; bundle?: string } = {},
): Promise<string[]> {
  const layout = bundleLayout(path.join(await temporaryFolder(), 'bundle'));
  await cp(bundle, layout.root, { recursive: true });
  const campaign: CampaignFile = JSON.parse(await readFile(layout.campaign, 'utf8'));
  const proof = campaign.pins.qualifications[name];
  if (proof === undefined) throw new Error(`${name} has no proof`);
  campaign.pins.qualifications[as] = edit(proof);
  if (semantics !== undefined) campaign.pins.semantics = semantics;
  await writeFile(layout.campaign, `${JSON.stringify(campaign, null, 2)}\n`);
  const sealed: { at: number; hash: string }[] = [];
  for await (const each of eachSealedRow(layout)) {
    if ('row' in each) sealed.push({ at: each.row.plan_index, hash: each.sealHash });
  }
  await sealCampaign(
    layout,
    sealed.toSorted((a, b) => a.at - b.at).map(({ hash }) => hash),
  );
  const { findings } = JSON.parse((await touchstone('verify', layout.root, '--json')).out);
  return findings.map(({ file, problem }: { file: string; problem: string }) => `${file}: ${problem}`);
}

function withoutStanding({ verdict: _v, reasons: _r, ...trials }: TaskQualification) {
  return trials;
}

const honest = (proof: TaskQualification) => proof;

describe('the proofs in a bundle, with all hashes made anew:', () => {
  it('as they were written, they hold', async () => {
    expect(await verifyWith(TRIVIAL, honest)).toEqual([]);
  });

  it('as they were written, they hold in a committed bundle, whole, and an edited one is named there', async () => {
    const whole = { bundle: TOOL_SERVERS };
    expect(await verifyWith(TRIVIAL, honest, whole)).toEqual([]);
    const other = await verifyWith(TRIVIAL, (proof) => ({ ...proof, task_hash: 'a'.repeat(64) }), whole);
    expect(other).toContain(`campaign.json: the proof of ${TRIVIAL} has another task_hash than the plan`);
  });

  it('a trivial task that is called qualified is named', async () => {
    const [first] = await verifyWith(TRIVIAL, (proof) => ({ ...proof, verdict: 'qualified', reasons: [] }));
    expect(first).toContain(`pins.qualifications."${TRIVIAL}".verdict is not what follows from the trials beside it`);
  });

  it('one in which the controls are said to have failed is not the one of its rows', async () => {
    const found = await verifyWith(TRIVIAL, ({ controls, ...proof }) => {
      const failed = Object.fromEntries(Object.keys(controls).map((id) => [id, 'failed']));
      const perturbed = { ...proof.perturbed, false_passes: [] };
      return { ...proof, controls: failed, perturbed, verdict: 'qualified', reasons: [] };
    });
    expect(found.join('\n')).toContain('qualification_hash is not what was recorded');
  });

  it('one that nobody planned is named', async () => {
    const found = await verifyWith(TRIVIAL, honest, { as: 'basics/another' });
    expect(found).toContain('campaign.json: has a proof of basics/another, which is not planned');
  });

  it('one without the mutants or near-misses that its task has is named', async () => {
    const fewer = await verifyWith(PROVED, ({ mutants, ...proof }) => ({ ...proof, mutants: mutants.slice(1) }));
    expect(fewer).toContain(`campaign.json: the proof of ${PROVED} has other mutants than the plan`);
    const without = await verifyWith(PROVED, (proof) => ({ ...proof, near_misses: [] }));
    expect(without).toContain(`campaign.json: the proof of ${PROVED} has other near-misses than the plan`);
  });

  it('one without any mutants is named, unless its solution never passed: then there was no right end to hold them against', async () => {
    const problem = `campaign.json: the proof of ${PROVED} has other mutants than the plan`;
    const without = (proof: TaskQualification) => proofOfTrials({ ...withoutStanding(proof), mutants: [] });
    expect(await verifyWith(PROVED, without)).toContain(problem);
    const never = await verifyWith(PROVED, (proof) =>
      proofOfTrials({ ...withoutStanding(proof), mutants: [], reference: { passed: 0, of: 3 } }),
    );
    expect(never).not.toContain(problem);
    expect(never.join('\n')).not.toContain('is not what follows');
  });

  it('one that was judged by another version of a kind than the campaign, or by kinds that are not told, is named', async () => {
    const campaign: CampaignFile = JSON.parse(await readFile(path.join(small(), 'campaign.json'), 'utf8'));
    const task = campaign.plan.tasks.find((each) => each.task.id === 'late-order')?.task;
    if (task === undefined) throw new Error('the bundle has other tasks now');
    const semantics = semanticsOf(task);
    const problem = `campaign.json: the proof of ${PROVED} used other versions of assertions than the pins`;
    const verified = (own: Semantics | undefined, pinned: Semantics) =>
      verifyWith(
        PROVED,
        ({ semantics: _old, ...proof }) => ({ ...proof, ...(own === undefined ? {} : { semantics: own }) }),
        { semantics: pinned },
      );
    expect(await verified(semantics, { ...SEMANTICS })).not.toContain(problem);
    expect(await verified({ ...semantics, app_state: 9 }, { ...SEMANTICS })).toContain(problem);
    expect(await verified({ contract: 1 }, { ...SEMANTICS })).toContain(problem);
    expect(await verified(undefined, { ...SEMANTICS })).toContain(problem);
    expect(await verified(semantics, {})).toContain(problem);
  });

  it('one of another task is named', async () => {
    const other = await verifyWith(TRIVIAL, (proof) => ({ ...proof, task_hash: 'a'.repeat(64) }));
    expect(other).toContain(`campaign.json: the proof of ${TRIVIAL} has another task_hash than the plan`);
    const contract = await verifyWith(TRIVIAL, (proof) => ({ ...proof, contract_hash: 'a'.repeat(64) }));
    expect(contract).toContain(`campaign.json: the proof of ${TRIVIAL} has another contract_hash than the plan`);
  });
});
