import { expect, test } from 'vitest';
import { CampaignError } from '../../src/plan/error.ts';

test('an error with a remedy has the name of its class, its code, and what it came from', () => {
  const cause = new Error('deep down');
  const error = new CampaignError('bad_plan', 'it is broken', 'fetch it again', cause);
  expect(error).toMatchObject({ name: 'CampaignError', code: 'bad_plan', message: 'it is broken', cause });
  expect(error.remedy).toBe('fetch it again');
});

test('an error that came from nothing has no cause', () => {
  expect(new CampaignError('bad_plan', 'no', 'do')).not.toHaveProperty('cause');
});
