import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import type { CampaignFile } from '../../src/plan/campaign-file.ts';
import { pinFindings } from '../../src/verify/verify.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { committedBundle } from '../committed-bundle.ts';
import { findingsOf, forge, forgeCampaign } from './forge.ts';
import { PASSED, SENT, START, TASK } from './sample-attempt.ts';
import { rejudged, stagedBundle } from './staged-bundle.ts';

const WEBVOYAGER = await committedBundle('webvoyager');
const REPLAYED = { bundle: WEBVOYAGER, of: { decider: 'transcript' } } as const;

test.each<[string, Partial<Row>]>([
  ['endpoint_kind', { endpoint_kind: 'provider' }],
  ['world_kind', { world_kind: 'live_web' }],
  ['model_id', { model_id: 'claude-sonnet-4-6' }],
])('a replay whose row claims another %s is named', async (field, change) => {
  const { layout } = await forge({ row: () => change, ...REPLAYED });
  expect(await findingsOf(layout)).toContainEqual(expect.stringMatching(new RegExp(`row\\.json: .*${field}`)));
});

test('stand-ins presented as the live web, in rows and pins alike, are named by the plan', async () => {
  const { layout } = await forge({ row: () => ({ world_kind: 'live_web' }), ...REPLAYED });
  await forgeCampaign(layout, ({ pins }) => {
    for (const name of Object.keys(pins.world_kinds)) pins.world_kinds[name] = 'live_web';
  });
  expect(await findingsOf(layout)).toContainEqual(
    expect.stringMatching(/campaign\.json: world_kinds states live_web for webvoyager\/.* the plan is not live/),
  );
});

test('the success of one episode, copied under another, is named', async () => {
  const rows = (await readFile(`${WEBVOYAGER}/rows.jsonl`, 'utf8')).trim().split('\n');
  const passed = rows.map((line) => JSON.parse(line)).filter(({ status }) => status === 'passed');
  const [good] = passed;
  const { task, episode_id: _id, plan_index: _place, run_id: _run, ...copied } = good;
  const other = passed.find((row) => row.task !== task);
  const { layout, place } = await forge({
    row: ({ task: own, instance }) => ({ ...copied, task: own, instance }),
    bundle: WEBVOYAGER,
    of: { episode_id: other.episode_id },
  });
  expect(await findingsOf(layout)).toContainEqual(expect.stringContaining(place));
});

describe('a model that was not asked at its provider, with all hashes recomputed, is named if', () => {
  const SENT_IT = { task: TASK, start: START, end: SENT, row: PASSED };
  const REPLAYED_IT = { type: 'replayed', model_id: 'claude-sonnet-4-6', model_endpoint: 'api.anthropic.com' } as const;
  const pinning =
    (model: Partial<CampaignFile['pins']['models'][string]>, transcripts: Record<string, string> = {}) =>
    ({ pins, ...campaign }: CampaignFile): CampaignFile => {
      const models = Object.entries(pins.models).map(([agent, pin]) => [agent, { ...pin, ...model }]);
      return {
        ...campaign,
        pins: { ...pins, models: Object.fromEntries(models), transcript_hashes: transcripts },
      };
    };
  const found = async (...staged: Parameters<typeof stagedBundle>): Promise<string[]> => {
    const { campaign } = await stagedBundle(...staged);
    const [again] = await rejudged(...staged);
    return [
      ...pinFindings(campaign).map(({ problem }) => problem.code),
      ...(again?.problems ?? []).map(({ code }) => code),
    ];
  };
  const CASSETTE = { [`suite.send.aria.${SAMPLE.agent}.0.jsonl`]: 'a'.repeat(64) };
  const MOCK = { model_id: 'custom:model-1@127.0.0.1', model_endpoint: '127.0.0.1:4010' };

  test('its events record cassette replies', async () => {
    const events = (honest: EpisodeEvent[]): EpisodeEvent[] => [REPLAYED_IT, ...honest];
    expect(await found(SENT_IT, { events })).toEqual(['events_replayed']);
  });

  test('only a cassette is pinned, and its events record none', async () => {
    const events = (honest: EpisodeEvent[]): EpisodeEvent[] => [...honest, { type: 'agent_begun' }];
    const campaign = pinning({ model_endpoint: null, endpoint_kind: 'cassette' }, CASSETTE);
    expect(await found(SENT_IT, { events, campaign })).toContain('events_not_replayed');
  });

  test.each<[string, Partial<CampaignFile['pins']['models'][string]>, Record<string, string>, string]>([
    ['the hash of its cassette is there', {}, CASSETTE, 'model_has_cassette'],
    ['its host is this machine', { model_endpoint: '127.0.0.1:4010' }, {}, 'model_not_of_endpoint'],
    ['its host is a fake’s', { ...MOCK, endpoint_kind: 'custom' }, {}, 'model_not_of_endpoint'],
    ['it has the name of another host’s', { model_id: 'custom:model-1@llm.example' }, {}, 'model_not_of_endpoint'],
    ['no host is known', { model_endpoint: null }, {}, 'model_not_of_endpoint'],
  ])('%s', async (_where, model, transcripts, code) => {
    const { campaign } = await stagedBundle(SENT_IT, { campaign: pinning(model, transcripts) });
    expect(pinFindings(campaign)).toMatchObject([{ problem: { code } }]);
  });

  test.each<[string, Partial<CampaignFile['pins']['models'][string]>, Record<string, string>]>([
    ['its provider', {}, {}],
    ['a fake', { ...MOCK, endpoint_kind: 'mock' }, {}],
    ['a cassette', { model_endpoint: null, endpoint_kind: 'cassette' }, CASSETTE],
  ])('and %s is genuine', async (_what, model, transcripts) => {
    const events = (honest: EpisodeEvent[]): EpisodeEvent[] =>
      model.endpoint_kind === 'cassette' ? [REPLAYED_IT, ...honest] : honest;
    const { campaign } = await stagedBundle(SENT_IT, { campaign: pinning(model, transcripts), events });
    expect(pinFindings(campaign)).toEqual([]);
  });
});
