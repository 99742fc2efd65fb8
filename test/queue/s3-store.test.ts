import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BlobStore } from '../../src/bundle/blobs.ts';
import { sha256Hex } from '../../src/contract/canonical.ts';
import { portOf } from '../../src/process/listening-port.ts';
import { s3Address } from '../../src/queue/s3-address.ts';
import { openS3Store, type S3Options } from '../../src/queue/s3-store.ts';
import { BUCKET, startS3 } from './s3-server.ts';

const HASH = sha256Hex('seen');
/** Asked for when a store is opened. */
const NOTHING = '0'.repeat(64);

type Variables = Readonly<Record<string, string>>;

function open(variables: Variables, options: Partial<S3Options> = {}, prefix = '/run'): Promise<BlobStore> {
  return openS3Store(s3Address(`s3://${BUCKET}${prefix}`, variables), { note: () => {}, ...options });
}

function heard() {
  const lines: string[] = [];
  return {
    note: (line: string) => void lines.push(line),
    says: async (text: string) => {
      await expect.poll(() => lines.join('\n')).toContain(text);
    },
  };
}

async function startOther(answer: RequestListener): Promise<Variables> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${portOf(server)}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'hush-4711',
  };
}

describe('a store in a bucket', () => {
  test('returns its content, under its hash', async () => {
    const { variables } = await startS3();
    const store = await open(variables);
    expect(await store.has(HASH)).toBe(false);
    expect(await store.put('seen')).toBe(HASH);
    expect(await store.has(HASH)).toBe(true);
    expect((await store.get(HASH)).toString()).toBe('seen');
  });

  test('returns bytes of all kinds, and empty content', async () => {
    const { variables } = await startS3();
    const store = await open(variables);
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    expect((await store.get(await store.put(bytes))).equals(bytes)).toBe(true);
    expect(await store.get(await store.put(''))).toHaveLength(0);
  });

  test.each(['', '/a/b', "/a b/ü+%41&=?#/~$,;:@(!)*'"])('keeps all under the prefix %j', async (prefix) => {
    const { variables, folder } = await startS3();
    const store = await open(variables, {}, prefix);
    await store.put('seen');
    expect((await store.get(HASH)).toString()).toBe('seen');
    const names = await readdir(path.join(folder, prefix));
    expect(names.filter((name) => name.startsWith(HASH)).length).toBeGreaterThan(0);
  });

  test('never changes an existing object', async () => {
    const { variables, folder } = await startS3();
    const store = await open(variables);
    await store.put('seen');
    const object = path.join(folder, 'run', `${HASH}._S3rver_object`);
    await writeFile(object, 'other');
    await store.put('seen');
    expect(await readFile(object, 'utf8')).toBe('other');
  });

  test('refuses bytes that do not match their hash', async () => {
    const { variables, folder } = await startS3();
    const store = await open(variables);
    await mkdir(path.join(folder, 'run'), { recursive: true });
    await writeFile(path.join(folder, 'run', `${HASH}._S3rver_object`), 'other');
    await expect(store.get(HASH)).rejects.toMatchObject({ code: 'store_blob_corrupt' });
  });

  test('reports what is missing', async () => {
    const { variables } = await startS3();
    await expect((await open(variables)).get(HASH)).rejects.toMatchObject({ code: 'store_lacks_blob' });
  });

  test('refuses a name that is no hash before any request', async () => {
    const { variables } = await startS3();
    await expect((await open(variables)).get('../other/object')).rejects.toMatchObject({ code: 'bad_sha256' });
  });

  test('takes and returns no more than one blob may hold', async () => {
    const { variables } = await startS3();
    const [large, small] = [await open(variables), await open(variables, { maxBytes: 3 })];
    await expect(small.put('seen')).rejects.toMatchObject({ code: 'blob_too_large' });
    expect(await small.has(HASH)).toBe(false);
    await large.put('seen');
    await expect(small.get(HASH)).rejects.toMatchObject({ code: 'store_blob_too_large' });
  });

  test('reads no more of a store that sends without end', async () => {
    let isClosed = false;
    const store = await open(
      await startOther((request, response) => {
        if (request.url?.endsWith(NOTHING) === true) return response.end();
        const send = (): void => {
          while (response.write(Buffer.alloc(64 * 1_024)));
        };
        response.on('drain', send).on('close', () => {
          isClosed = true;
        });
        send();
      }),
      { maxBytes: 1_024 * 1_024 },
    );
    await expect(store.get(HASH)).rejects.toMatchObject({ code: 'store_blob_too_large' });
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe('a store that cannot be used', () => {
  test.each([
    ['an id that nobody has', { AWS_ACCESS_KEY_ID: 'NOBODY' }],
    ['a secret that is another', { AWS_SECRET_ACCESS_KEY: 'hush-0815' }],
  ])('names for %s the variables to check, without their values', async (_, other) => {
    const { variables } = await startS3();
    const opening = open({ ...variables, ...other });
    await expect(opening).rejects.toMatchObject({
      code: 'store_refuses_keys',
      params: { answer: expect.stringMatching(/^403/) },
    });
    await expect(opening).rejects.toThrow(expect.not.stringContaining('hush'));
  });

  test('reports a missing bucket', async () => {
    const { variables } = await startS3();
    const opening = openS3Store(s3Address('s3://nowhere', variables), { note: () => {} });
    await expect(opening).rejects.toMatchObject({ code: 'store_no_bucket' });
  });

  test('reports at once that there is no answer, if there never was one', async () => {
    const { variables, stop } = await startS3();
    await stop();
    await expect(open(variables)).rejects.toMatchObject({
      code: 'store_unreachable',
      params: { why: 'ECONNREFUSED' },
    });
  });

  test('is not followed to a redirect', async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = await startOther((request, response) => {
      asked.push(request.headers.authorization);
      response.end();
    });
    const opening = open(
      await startOther((_, response) => response.writeHead(307, { Location: elsewhere['AWS_ENDPOINT_URL'] }).end()),
    );
    await expect(opening).rejects.toMatchObject({ code: 'store_elsewhere' });
    expect(asked).toEqual([]);
  });

  test.each([
    [400, 'ExpiredToken', 'store_refuses_keys'],
    [400, 'AuthorizationHeaderMalformed', 'store_elsewhere'],
    [403, 'RequestTimeTooSkewed', 'store_clock'],
    [400, 'Strange', 'store_refuses'],
    [404, 'NotFound', 'store_refuses'],
  ])('has a code of ours for %i %s: %s', async (status, name, code) => {
    const variables = await startOther((_, response) =>
      response
        .writeHead(status)
        .end(`<?xml version="1.0"?><Error><Code>${name}</Code><Message>hush-4711</Message></Error>`),
    );
    await expect(open(variables)).rejects.toMatchObject({
      code,
      params: { answer: `${status} ${name}` },
    });
  });
});

describe('a store that goes away', () => {
  test('is awaited, and reports its return', async () => {
    const { variables, stop, start } = await startS3();
    const { note, says } = heard();
    const store = await open(variables, { note });
    await store.put('seen');
    await stop();
    const [read, written] = [store.get(HASH), store.put('seen later')];
    await says('is away (ECONNREFUSED); it is tried again');
    await start();
    expect((await read).toString()).toBe('seen');
    expect((await store.get(await written)).toString()).toBe('seen later');
    await says('is back');
  });

  test('is awaited when it answers that it is too busy', async () => {
    const statuses = [503, 429];
    const store = await open(
      await startOther((request, response) => {
        if (request.url?.endsWith(NOTHING) === true) return response.end();
        response.writeHead(statuses.shift() ?? 200).end('seen');
      }),
    );
    expect((await store.get(HASH)).toString()).toBe('seen');
    expect(statuses).toEqual([]);
  });

  test('is asked again when it goes away during an answer', async () => {
    let asked = 0;
    const store = await open(
      await startOther((request, response) => {
        if (request.url?.endsWith(NOTHING) === true) return response.end();
        asked += 1;
        response.writeHead(200, { 'Content-Length': 4 }).write('se');
        if (asked === 1) response.destroy();
        else response.end('en');
      }),
    );
    expect((await store.get(HASH)).toString()).toBe('seen');
  });

  test('is not awaited for ever', async () => {
    const { variables, stop } = await startS3();
    const store = await open(variables, { patienceMs: 400 });
    await stop();
    await expect(store.put('seen')).rejects.toMatchObject({ code: 'store_unreachable' });
  });

  test('is not asked again after a refusal', async () => {
    let asked = 0;
    const refusing = await open(
      await startOther((request, response) => {
        if (request.url?.endsWith(NOTHING) === true) return response.end();
        asked += 1;
        response.writeHead(403).end();
      }),
    );
    await expect(refusing.put('seen')).rejects.toMatchObject({ code: 'store_refuses_keys' });
    expect(asked).toBe(1);
  });
});
