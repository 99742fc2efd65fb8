import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { CdpConnection } from '../../src/browser/cdp.ts';
import { pipeWire } from '../../src/browser/wire.ts';

function connect() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  return { input, cdp: new CdpConnection(pipeWire(input, output)) };
}

test('a reply in pieces is one reply', async () => {
  const { input, cdp } = connect();
  const reply = cdp.send('Browser.getVersion');
  const text = Buffer.from('{"id":1,"result":{"product":"Chromé/1"}}\0');
  for (const byte of text) input.write(Buffer.from([byte]));
  expect(await reply).toEqual({ product: 'Chromé/1' });
});

test('a reply that is too long is an error, and does not end the connection', async () => {
  const { input, cdp } = connect();
  const [long, next] = [cdp.send('Browser.getVersion'), cdp.send('Browser.getVersion')];
  long.catch(() => {});
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  input.write('{"id":1,"result":{"product":"');
  for (let written = 0; written <= 64; written += 1) {
    input.write(megabyte);
    await new Promise(setImmediate);
  }
  input.write('"}}\0{"id":2,"result":{"product":"Chrome/1"}}\0');
  await expect(long).rejects.toMatchObject({
    code: 'browser_refuses',
    params: { why: expect.stringContaining('longer') },
  });
  expect(await next).toEqual({ product: 'Chrome/1' });
});

test('a reply with too many values is an error, and neither it nor a late one is parsed', async () => {
  const { input, cdp } = connect();
  const late = cdp.send('Browser.getVersion', undefined, { timeoutMs: 1 });
  await expect(late).rejects.toMatchObject({ code: 'browser_silent' });
  const [large, next] = [cdp.send('Browser.getVersion'), cdp.send('Browser.getVersion')];
  const parsed = vi.spyOn(JSON, 'parse');
  input.write('{"id":1,"result":{"product":"late"}}\0');
  input.write(`{"id":2,"result":[${'1,'.repeat(4_000_000)}1]}\0{"id":3,"result":{"product":"Chrome/1"}}\0`);
  await expect(large).rejects.toMatchObject({
    code: 'browser_refuses',
    params: { why: expect.stringContaining('values') },
  });
  expect(await next).toEqual({ product: 'Chrome/1' });
  expect(
    parsed.mock.calls.map(([text]) => text).filter((text) => text.includes('late') || text.length > 1_000),
  ).toEqual([]);
  parsed.mockRestore();
});

test.each(['hello', 'null', '7'])('a program without the protocol is no browser: %s', async (text) => {
  const { input, cdp } = connect();
  const reply = cdp.send('Browser.getVersion');
  input.write(`${text}\0`);
  await expect(reply).rejects.toMatchObject({ code: 'browser_cut_off' });
});
