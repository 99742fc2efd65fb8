import type { Template } from './template.ts';

const QUEUE_ADDRESS = 'write it as redis://127.0.0.1:6379, or rediss://host:6380/0 with TLS';
const STORE_ADDRESS = 'write it as s3://bucket/prefix, or name a folder; see docs/scale.md';
const OTHER_WORKER = 'start a worker with everything that the campaign needs';

/** Why a queue, its store or a worker cannot be used. */
export const QUEUE = {
  queue_not_redis: { text: '--queue is not the address of a Redis', remedy: QUEUE_ADDRESS },
  queue_bad_database: {
    text: '--queue may have only the number of a database after its port',
    remedy: QUEUE_ADDRESS,
  },
  queue_bad_escape: {
    text: '--queue has a user or password that is not percent-encoded correctly',
    remedy:
      'percent-encode everything in it but letters and digits, or set TOUCHSTONE_QUEUE_USER and TOUCHSTONE_QUEUE_PASSWORD',
  },
  queue_not_installed: {
    text: '--queue needs bullmq and ioredis, and {package} is not installed',
    remedy: 'run "npm install bullmq ioredis" where Touchstone is installed',
  },
  queue_unreachable: {
    text: '{address} cannot be used: {why}',
    remedy: 'start Redis or Valkey there, and check its user and password; see docs/scale.md',
  },
  queue_refuses: {
    text: '{address} refuses a command: {why}',
    remedy: 'check its memory and what its user may do; see docs/scale.md',
  },
  store_bad_bucket: { text: '--store names no bucket, or one with an impossible name', remedy: STORE_ADDRESS },
  store_bad_prefix: {
    text: 'the prefix in --store has an empty part, ".", ".." or a control character',
    remedy: STORE_ADDRESS,
  },
  store_long_prefix: { text: 'the prefix in --store is too long', remedy: STORE_ADDRESS },
  store_no_region: {
    text: '--store names a bucket, but neither its region nor its address is set',
    remedy: 'set AWS_REGION to the region of the bucket, or AWS_ENDPOINT_URL_S3 to the address of another store',
  },
  store_bad_region: { text: 'AWS_REGION is not the name of a region', remedy: 'write it as us-east-1' },
  store_bad_endpoint: {
    text: '{variable} is not the address of a store',
    remedy: 'write it as https://host:port, without a user or password',
  },
  store_no_keys: {
    text: '--store names a bucket, but the keys to it are not set',
    remedy: 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if they are temporary',
  },
  store_bad_key: {
    text: '{variable} has a space or another character that cannot be in a key',
    remedy: 'copy the key again, and nothing else',
  },
  store_not_installed: {
    text: '--store s3:// needs aws4fetch, which is not installed',
    remedy: 'run "npm install aws4fetch" where Touchstone is installed',
  },
  store_unreachable: {
    text: '{store} cannot be used: {why}',
    remedy: 'start the store there, or set AWS_ENDPOINT_URL_S3 to its address; see docs/scale.md',
  },
  store_no_bucket: {
    text: 'the bucket of {store} does not exist',
    remedy: 'create the bucket, or name another with --store',
  },
  store_clock: { text: '{store} rejects the time of this machine: {answer}', remedy: 'set the clock here' },
  store_elsewhere: {
    text: 'the bucket of {store} is somewhere else: {answer}',
    remedy: 'set AWS_REGION to its region and, if it is not at AWS, AWS_ENDPOINT_URL_S3 to its address',
  },
  store_refuses_keys: {
    text: '{store} refuses the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: {answer}',
    remedy: 'check both, and AWS_SESSION_TOKEN if they are temporary; they must allow list, get and put',
  },
  store_refuses: {
    text: '{store} refuses a request: {answer}',
    remedy: 'check --store and AWS_ENDPOINT_URL_S3; docs/scale.md lists what a store must allow',
  },
  worker_code_differs: {
    text: 'this worker runs different code from its coordinator',
    remedy: 'run the same commit, without changes, on all machines',
  },
  worker_plan_differs: { text: 'the plan of the campaign does not match its hash', remedy: OTHER_WORKER },
  worker_pins_differ: { text: 'this machine differs from the campaign: {changes}', remedy: OTHER_WORKER },
  worker_money_spent: {
    text: 'this worker cannot pay for another episode: {spent}, and one may cost {most} USD',
    remedy: 'start another worker, or this one with a higher --max-usd',
  },
  worker_lacks_surface: { text: 'surface {surface}: {why}', remedy: OTHER_WORKER },
} as const satisfies Record<string, Template>;
