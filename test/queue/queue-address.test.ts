import { describe, expect, test } from 'vitest';
import { queueAddress } from '../../src/queue/queue-address.ts';

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

  test('says as whom, escaped as it is in an address, and is printed without', () => {
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
