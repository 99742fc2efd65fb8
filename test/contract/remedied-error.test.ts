import { expect, test } from 'vitest';
import { BundleError } from '../../src/bundle/errors.ts';
import { CampaignError } from '../../src/plan/error.ts';

test('an error with a remedy has the name of its class, its code, and what it came from', () => {
  const cause = new Error('deep down');
  const error = new BundleError('malformed', 'it is broken', 'fetch it again', cause);
  expect(error).toMatchObject({ name: 'BundleError', code: 'malformed', message: 'it is broken', cause });
  expect(error.remedy).toBe('fetch it again');
});

test('an error that came from nothing has no cause', () => {
  expect(new CampaignError('bad_plan', 'no', 'do')).not.toHaveProperty('cause');
});
