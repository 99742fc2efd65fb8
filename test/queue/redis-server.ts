import { onTestFinished } from 'vitest';
import { type RedisOptions, type RedisServer, startRedisServer } from '../../bench/redis-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export async function startRedis(options: Omit<RedisOptions, 'folder'> = {}): Promise<RedisServer> {
  const redis = await startRedisServer({ ...options, folder: await temporaryFolder() });
  onTestFinished(async () => redis.stop('SIGKILL'));
  return redis;
}
