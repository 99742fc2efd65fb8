import { describe, expect, it } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { type PooledBundle, pooled, sharedEpisode } from '../../src/claim/pooled.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const ENTRANT = { agent: SAMPLE.agent, surface: SAMPLE.surface };

function bundle(name: string, edit: Partial<Row> = {}): PooledBundle {
  const episode_id = Buffer.from(name.padEnd(8)).toString('hex');
  const rows = [finishRow({ ...SAMPLE, episode_id, ...edit })];
  return { name, campaign_id: name, planned: 1, entrants: [ENTRANT], rows };
}

describe('pooled bundles', () => {
  it('have one table', () => {
    const { barred, differences, parts } = pooled([bundle('monday'), bundle('tuesday')]);
    expect({ barred, differences }).toEqual({ barred: [], differences: [] });
    expect(parts).toMatchObject([
      { bundles: ['monday', 'tuesday'], tables: { entrants: [{ ...ENTRANT, passed: { count: 0, of: 2 } }] } },
    ]);
  });

  it.each([
    ['task_hash', 'basics/checkout is another task (task_hash)'],
    ['contract_hash', 'basics/checkout is judged by another contract (contract_hash)'],
  ])('with another %s have a table each, with the reason', (field, why) => {
    const { barred, parts } = pooled([bundle('monday'), bundle('tuesday', { [field]: 'a'.repeat(64) })]);
    expect(barred).toEqual([why]);
    expect(parts.map(({ bundles }) => bundles)).toEqual([['monday'], ['tuesday']]);
    expect(parts.map(({ tables }) => tables.entrants[0]?.passed.of)).toEqual([1, 1]);
  });

  it('in which the same agent means another model have a table each', () => {
    const { barred } = pooled([bundle('monday'), bundle('tuesday', { model_id: 'vendor/model-2' })]);
    expect(barred).toEqual(['model aria is another model (model_id)']);
  });

  it('list all other differences', () => {
    const { barred, differences } = pooled([bundle('monday'), bundle('tuesday', { judge_version: '2' })]);
    expect(barred).toEqual([]);
    expect(differences).toEqual(['judge: 1 in monday; 2 in tuesday']);
  });

  it.each<[string, Partial<Row>, string]>([
    [
      'mode',
      { mode: 'mock', endpoint_kind: 'mock' },
      'mode: live of model through aria in monday; mock of model through aria in tuesday',
    ],
    [
      'model',
      { model_id: 'vendor/model-2' },
      'model: vendor/model-1 of model in monday; vendor/model-2 of model in tuesday',
    ],
    ['model that replied', { model_id_returned: 'model-2' }, 'model-2 of model in tuesday'],
    ['surface', { surface_version: '2.0.0' }, '2.0.0 of aria in tuesday'],
    ['app', { app_hash: 'a'.repeat(64) }, `${'a'.repeat(12)} of basics in tuesday`],
    ['world', { world_kind: 'facsimile', mode: 'facsimile' }, 'facsimile of basics in tuesday'],
  ])('report another %s, and not the same', (field, edit, difference) => {
    const ofField = (second: PooledBundle) =>
      pooled([bundle('monday'), second]).differences.filter((each) => each.startsWith(`${field}: `));
    expect(ofField(bundle('tuesday', edit))).toEqual([expect.stringContaining(difference)]);
    expect(ofField(bundle('tuesday'))).toEqual([]);
  });

  it('report two agents that have swapped their models, and not agents that kept theirs', () => {
    const both = (name: string, one: string, other: string): PooledBundle => {
      const rows = [...bundle(name, { model_id: one }).rows, ...bundle(name, { agent: 'other', model_id: other }).rows];
      return { ...bundle(name), rows };
    };
    const monday = both('monday', 'vendor/model-1', 'vendor/model-2');
    expect(pooled([monday, both('tuesday', 'vendor/model-2', 'vendor/model-1')]).differences).toHaveLength(1);
    expect(pooled([monday, both('tuesday', 'vendor/model-1', 'vendor/model-2')]).differences).toEqual([]);
  });

  it('have no episode in common', () => {
    expect(sharedEpisode([bundle('monday'), bundle('tuesday')])).toBeNull();
    const shared = sharedEpisode([bundle('monday'), { ...bundle('monday'), name: 'copy' }]);
    expect(shared).toMatchObject({ first: 'monday', second: 'copy', row: { task: 'checkout' } });
  });
});
