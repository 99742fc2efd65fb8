import { describe, expect, test } from 'vitest';
import { s3Address } from '../../src/queue/s3-address.ts';
import { queueAddress } from '../../src/queue/queue-address.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'hush-4711' };
const AT_AWS = { ...KEYS, AWS_REGION: 'eu-central-1' };
const ELSEWHERE = { ...KEYS, AWS_ENDPOINT_URL_S3: 'https://store.example:9000/s3/' };

describe('the address of a bucket', () => {
  test('is a host of AWS in the region that the environment names', () => {
    expect(s3Address('s3://evidence/campaign-1', AT_AWS)).toEqual({
      bucket: 'https://evidence.s3.eu-central-1.amazonaws.com',
      prefix: 'campaign-1/',
      region: 'eu-central-1',
      keys: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hush-4711' },
      shown: 's3://evidence/campaign-1/',
    });
  });

  test('has the bucket in its path if the name cannot be part of a host for a certificate', () => {
    expect(s3Address('s3://my.evidence', AT_AWS).bucket).toBe('https://s3.eu-central-1.amazonaws.com/my.evidence');
  });

  test('has the bucket in its path behind an endpoint, and needs no region there', () => {
    expect(s3Address('s3://evidence', ELSEWHERE)).toMatchObject({
      bucket: 'https://store.example:9000/s3/evidence',
      prefix: '',
      region: 'us-east-1',
      shown: 's3://evidence/ at store.example:9000',
    });
  });

  test('is taken from the more specific of two variables, as AWS’s tools do, and an empty one is not set', () => {
    const both = { ...ELSEWHERE, AWS_ENDPOINT_URL: 'http://other.example' };
    expect(s3Address('s3://evidence', both).bucket).toContain('store.example');
    expect(s3Address('s3://evidence', { ...both, AWS_ENDPOINT_URL_S3: '' }).bucket).toContain('other.example');
    const regions = { ...KEYS, AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-north-1' };
    expect(s3Address('s3://evidence', regions).region).toBe('eu-north-1');
  });

  test('includes a session token if the keys are temporary', () => {
    const { keys } = s3Address('s3://evidence', { ...AT_AWS, AWS_SESSION_TOKEN: 'for-an-hour' });
    expect(keys).toMatchObject({ sessionToken: 'for-an-hour' });
  });

  test.each(['', '/', '//', '/a/', '/a b/ü+%41&?#/c'])('uses the prefix %j unchanged', (prefix) => {
    const bare = prefix.replaceAll(/^\/+|\/+$/g, '');
    expect(s3Address(`s3://evidence${prefix}`, AT_AWS).prefix).toBe(bare === '' ? '' : `${bare}/`);
  });

  test.each<[string, Record<string, string>, string, object?]>([
    ['s3://', AT_AWS, 'store_bad_bucket'],
    ['s3:///prefix', AT_AWS, 'store_bad_bucket'],
    ['s3://user:hush-4711@evidence', AT_AWS, 'store_bad_bucket'],
    ['s3://evidence/a//b', AT_AWS, 'store_bad_prefix'],
    ['s3://evidence/a/../b', AT_AWS, 'store_bad_prefix'],
    ['s3://evidence/a\nb', AT_AWS, 'store_bad_prefix'],
    [`s3://evidence/${'x'.repeat(1_000)}`, AT_AWS, 'store_long_prefix'],
    ['s3://evidence', KEYS, 'store_no_region'],
    ['s3://evidence', { ...KEYS, AWS_REGION: 'evil.example/' }, 'store_bad_region'],
    [
      's3://evidence',
      { ...KEYS, AWS_ENDPOINT_URL: 'store.example' },
      'store_bad_endpoint',
      { variable: 'AWS_ENDPOINT_URL' },
    ],
    [
      's3://evidence',
      { ...KEYS, AWS_ENDPOINT_URL_S3: 'https://u:hush-4711@store.example' },
      'store_bad_endpoint',
      { variable: 'AWS_ENDPOINT_URL_S3' },
    ],
    ['s3://evidence', { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE' }, 'store_no_keys'],
    [
      's3://evidence',
      { ...AT_AWS, AWS_SECRET_ACCESS_KEY: 'hush-4711\n' },
      'store_bad_key',
      { variable: 'AWS_SECRET_ACCESS_KEY' },
    ],
    [
      's3://evidence',
      { ...AT_AWS, AWS_SESSION_TOKEN: 'hush-4711 ' },
      'store_bad_key',
      { variable: 'AWS_SESSION_TOKEN' },
    ],
  ])('%j with %j is refused, and no key is repeated', (text, env, code, params = {}) => {
    const read = () => s3Address(text, env);
    expect(read).toThrow(expect.objectContaining({ code, params }));
    expect(read).not.toThrow('hush');
  });
});

describe('the address of a queue', () => {
  test('has a host, a port and the number of a database', () => {
    expect(queueAddress('redis://queue.example:7000/2', {})).toMatchObject({
      host: 'queue.example',
      port: 7000,
      db: 2,
      tls: false,
      username: undefined,
      password: undefined,
    });
    expect(queueAddress('rediss://queue.example', {})).toMatchObject({ port: 6379, db: 0, tls: true });
    expect(queueAddress('redis://[::1]:7000', {})).toMatchObject({ host: '::1' });
  });

  test('names the user, escaped as in an address, and is printed without', () => {
    const address = queueAddress('redis://ada:p%40ss@queue.example', {});
    expect(address).toMatchObject({ username: 'ada', password: 'p@ss', shown: 'redis://queue.example:6379' });
  });

  test('takes user and password from the environment before its own', () => {
    const env = { TOUCHSTONE_QUEUE_USER: 'worker', TOUCHSTONE_QUEUE_PASSWORD: 'from-env' };
    expect(queueAddress('redis://ada:own@queue.example', env)).toMatchObject({
      username: 'worker',
      password: 'from-env',
    });
  });

  test.each([
    ['http://queue.example:6379', 'queue_not_redis'],
    ['queue.example:6379', 'queue_not_redis'],
    ['redis://', 'queue_not_redis'],
    ['redis://u:hush@host/prefix', 'queue_bad_database'],
    ['redis://u:hush@host/0?db=2', 'queue_bad_database'],
    ['redis://u:hush%@host', 'queue_bad_escape'],
  ])('%s is refused, and no password is repeated', (text, code) => {
    const read = () => queueAddress(text, {});
    expect(read).toThrow(expect.objectContaining({ code }));
    expect(read).not.toThrow('hush');
  });
});
