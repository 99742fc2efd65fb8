import { describe, expect, it } from 'vitest';
import { finishRow, type RowDraft } from '../../src/bundle/row.ts';
import { type PooledBundle, pooled, sharedEpisode } from '../../src/claim/pooled.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const ENTRANT = { agent: SAMPLE.agent, surface: SAMPLE.surface };

function bundle(name: string, edit: Partial<RowDraft> = {}): PooledBundle {
  const episode_id = Buffer.from(name.padEnd(8)).toString('hex');
  const rows = [finishRow({ ...SAMPLE, episode_id, ...edit })];
  return { name, campaign_id: name, planned: 1, entrants: [ENTRANT], rows };
}

describe('bundles that stand beside each other', () => {
  it('have one table', () => {
    const { barred, differences, parts } = pooled([bundle('monday'), bundle('tuesday')]);
    expect({ barred, differences }).toEqual({ barred: [], differences: [] });
    expect(parts).toMatchObject([
      { bundles: ['monday', 'tuesday'], tables: { entrants: [{ ...ENTRANT, passed: { count: 0, of: 2 } }] } },
    ]);
  });

  it.each([
    ['task_hash', 'basics/checkout/default is another task (task_hash)'],
    ['contract_hash', 'basics/checkout/default is judged by another contract (contract_hash)'],
  ])('of which one has another %s have a table each, and say why', (field, why) => {
    const { barred, parts } = pooled([bundle('monday'), bundle('tuesday', { [field]: 'a'.repeat(64) })]);
    expect(barred).toEqual([why]);
    expect(parts.map(({ bundles }) => bundles)).toEqual([['monday'], ['tuesday']]);
    expect(parts.map(({ tables }) => tables.entrants[0]?.passed.of)).toEqual([1, 1]);
  });

  it('of which one means another model by the same agent have a table each', () => {
    const { barred } = pooled([bundle('monday'), bundle('tuesday', { model_id: 'vendor/model-2' })]);
    expect(barred).toEqual(['model aria is another model (model_id)']);
  });

  it('say what else is not the same', () => {
    const { barred, differences } = pooled([bundle('monday'), bundle('tuesday', { judge_version: '2' })]);
    expect(barred).toEqual([]);
    expect(differences).toEqual(['judge: 1 in monday; 2 in tuesday']);
  });

  it('have no episode in common', () => {
    expect(sharedEpisode([bundle('monday'), bundle('tuesday')])).toBeNull();
    const shared = sharedEpisode([bundle('monday'), { ...bundle('monday'), name: 'copy' }]);
    expect(shared).toMatchObject({ first: 'monday', second: 'copy', row: { task: 'checkout' } });
  });
});
