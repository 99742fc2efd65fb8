import { describe, expect, test } from 'vitest';
import { AttemptJob, AttemptResult, OpenCampaign } from '../../src/queue/messages.ts';

const HASH = 'a'.repeat(64);
const JOB = { schema_version: 1, campaign: HASH, episode_id: '0123456789abcdef', attempt: 1 };
const RESULT = { ...JOB, events: HASH, transcript: HASH };
const OPEN = {
  schema_version: 1,
  campaign_id: '20260101T120000Z-12345678',
  campaign: HASH,
  code: HASH,
  session: '3b0e3f6e-51b2-4f0c-9d0e-0d6c8a2f4b11',
};

describe('a message', () => {
  test('is read in each kind', () => {
    expect(AttemptJob.parse(JOB)).toEqual(JOB);
    expect(AttemptResult.parse(RESULT)).toEqual(RESULT);
    expect(OpenCampaign.parse(OPEN)).toEqual(OPEN);
  });

  test.each([
    ['a field that nobody knows', { ...JOB, command: 'rm -rf /' }],
    ['a path for an episode', { ...JOB, episode_id: '../../etc/passwd' }],
    ['an attempt that is no number', { ...JOB, attempt: '1/..' }],
    ['an attempt of which there are none', { ...JOB, attempt: 0 }],
    ['a campaign that is no hash', { ...JOB, campaign: '/tmp/campaign.json' }],
    ['another version', { ...JOB, schema_version: 2 }],
  ])('is refused as a job with %s', (_, message) => {
    expect(AttemptJob.safeParse(message).success).toBe(false);
  });

  test.each([
    ['a path in the place of a hash', { ...RESULT, events: '../../row.json' }],
    ['a row of its own', { ...RESULT, row: { status: 'passed' } }],
  ])('is refused as a result with %s', (_, message) => {
    expect(AttemptResult.safeParse(message).success).toBe(false);
  });

  test.each([
    ['a name that is a path', { ...OPEN, campaign_id: '../x' }],
    ['a suite to load', { ...OPEN, suites: ['/tmp/evil'] }],
  ])('is refused if it opens a campaign with %s', (_, message) => {
    expect(OpenCampaign.safeParse(message).success).toBe(false);
  });
});
