import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, describe } from 'vitest';
import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import { proofOfTrials, type TaskQualification } from '../../src/plan/task-qualification.ts';
import { SEMANTICS, type Semantics, semanticsOf } from '../../src/contract/semantics.ts';
import { copyOf } from '../committed-bundle.ts';
import { findingsOf, forgeCampaign, TOOL_SERVERS } from './forge.ts';
import { smallBundle } from './small-bundle.ts';

const TRIVIAL = 'basics/example-h1';
const PROVED = 'basics/late-order';

const small = smallBundle({ source: TOOL_SERVERS, tasks: ['example-h1', 'late-order'], surfaces: ['aria'] });

async function verifyWith(
  name: string,
  edit: (proof: TaskQualification) => TaskQualification,
  { as = name, semantics, bundle = small() }: { as?: string; semantics?: Semantics; bundle?: string } = {},
): Promise<string[]> {
  const layout = await copyOf(bundle);
  await forgeCampaign(layout, ({ pins }) => {
    const proof = pins.qualifications[name];
    if (proof === undefined) throw new Error(`${name} has no proof`);
    pins.qualifications[as] = edit(proof);
    if (semantics !== undefined) pins.semantics = semantics;
  });
  return await findingsOf(layout);
}

function withoutStanding({ verdict: _v, reasons: _r, ...trials }: TaskQualification) {
  return trials;
}

const honest = (proof: TaskQualification) => proof;

describe('the proofs in a bundle, with all hashes recomputed:', () => {
  it('unchanged, they hold', async () => {
    expect(await verifyWith(TRIVIAL, honest)).toEqual([]);
  });

  it('a trivial task marked as qualified is named', async () => {
    const [first] = await verifyWith(TRIVIAL, (proof) => ({ ...proof, verdict: 'qualified', reasons: [] }));
    expect(first).toContain(`pins.qualifications."${TRIVIAL}".verdict does not follow from the trials next to it`);
  });

  it('one whose controls are marked as failed does not match its rows', async () => {
    const found = await verifyWith(TRIVIAL, ({ controls, ...proof }) => {
      const failed = Object.fromEntries(Object.keys(controls).map((id) => [id, 'failed']));
      const perturbed = { ...proof.perturbed, false_passes: [] };
      return { ...proof, controls: failed, perturbed, verdict: 'qualified', reasons: [] };
    });
    expect(found.join('\n')).toContain('qualification_hash is not what was recorded');
  });

  it.each<[string, Parameters<typeof verifyWith>, string]>([
    [
      'one that nobody planned',
      [TRIVIAL, honest, { as: 'basics/another' }],
      'has a proof of basics/another, which is not planned',
    ],
    [
      'one without a mutant that its task has',
      [PROVED, (proof) => ({ ...proof, mutants: proof.mutants.slice(1) })],
      `the proof of ${PROVED} has other mutants than the plan`,
    ],
    [
      'one without its near-misses',
      [PROVED, (proof) => ({ ...proof, near_misses: [] })],
      `the proof of ${PROVED} has other near-misses than the plan`,
    ],
    [
      'one of another task',
      [TRIVIAL, (proof) => ({ ...proof, task_hash: 'a'.repeat(64) })],
      `the proof of ${TRIVIAL} has another task_hash than the plan`,
    ],
    [
      'one of another contract',
      [TRIVIAL, (proof) => ({ ...proof, contract_hash: 'a'.repeat(64) })],
      `the proof of ${TRIVIAL} has another contract_hash than the plan`,
    ],
    [
      'one of another task, in a committed bundle, whole',
      [TRIVIAL, (proof) => ({ ...proof, task_hash: 'a'.repeat(64) }), { bundle: TOOL_SERVERS }],
      `the proof of ${TRIVIAL} has another task_hash than the plan`,
    ],
  ])('%s is named', async (_what, forgery, problem) => {
    expect(await verifyWith(...forgery)).toContain(`campaign.json: ${problem}`);
  });

  it('one without any mutants is named, unless its solution never passed: then there was no correct end to try them on', async () => {
    const problem = `campaign.json: the proof of ${PROVED} has other mutants than the plan`;
    const without = (proof: TaskQualification) => proofOfTrials({ ...withoutStanding(proof), mutants: [] });
    expect(await verifyWith(PROVED, without)).toContain(problem);
    const never = await verifyWith(PROVED, (proof) =>
      proofOfTrials({ ...withoutStanding(proof), mutants: [], reference: { passed: 0, of: 3 } }),
    );
    expect(never).not.toContain(problem);
    expect(never.join('\n')).not.toContain('does not follow');
  });

  it('one judged by another version of a kind than the campaign, or by undeclared kinds, is named', async () => {
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
});
