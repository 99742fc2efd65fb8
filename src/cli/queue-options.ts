import { z } from 'zod';
import { numeric, PathValue } from './option-values.ts';

/** Those of a campaign whose episodes are run on other machines, and of the workers there. */
export const QUEUE_OPTIONS = {
  queue: PathValue.optional().meta({
    group: 'Where it runs',
    flags: '--queue <address>',
    help: 'the Redis or Valkey through which workers get episodes: redis://host:port, or rediss:// with TLS; user and password from TOUCHSTONE_QUEUE_USER and TOUCHSTONE_QUEUE_PASSWORD',
  }),
  store: PathValue.optional().meta({
    group: 'Where it runs',
    flags: '--store <place>',
    help: 'where coordinator and workers keep the evidence of episodes: a folder that they share, or s3://bucket/prefix with keys, region and endpoint from the variables of AWS (default: the memory of the queue)',
  }),
  lostAfter: numeric(z.int().min(2).max(3_600)).default(30).meta({
    group: 'Where it runs',
    flags: '--lost-after <seconds>',
    help: 'after this long without a sign of life a worker is lost, and its episodes run again',
    shown: '30',
  }),
  idle: numeric(z.int().min(1).max(1_000_000)).optional().meta({
    group: 'Where it runs',
    flags: '--idle <seconds>',
    help: 'end after this long with nothing to run (default: never)',
  }),
};
