import { describe, expect, test } from 'vitest';
import { type CassetteExchange, recording, replaying } from '../../src/model/cassette.ts';
import { type Message, type ModelQuestion, withoutPictures } from '../../src/model/conversation.ts';
import type { ProviderName } from '../../src/model/providers.ts';
import { overNetwork } from '../../src/model/patient.ts';
import { ask, CASSETTE_HEADER, providerAt, QUESTION } from './asking.ts';
import { fakeProvider, text } from './fake-provider.ts';
import { WIRE_FORMATS } from './wire-formats.ts';

/** A PNG of one pixel; the number makes it another one. */
function png(number = 1): string {
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');
  return Buffer.concat([head, Buffer.alloc(8, number)]).toString('base64');
}

const call = (id: string): Message => ({
  from: 'model',
  parts: [{ kind: 'call', call: { id, tool: 'look', args: {} } }],
});
const saw = (id: string, number: number): Message => ({
  from: 'tools',
  results: [{ id, tool: 'look', ok: true, text: `seen ${id}`, picture: { base64: png(number) } }],
});
const LOOKED: ModelQuestion = { ...QUESTION, messages: [...QUESTION.messages, call('a'), saw('a', 1)] };

/** The messages that a fake is sent, in the words of its provider. */
async function sent(provider: ProviderName, question: ModelQuestion): Promise<unknown[]> {
  const format = WIRE_FORMATS.find((each) => each.provider === provider);
  if (format === undefined) throw new Error(`${provider} has no wire format`);
  await using fake = await fakeProvider<{ messages?: unknown[]; contents?: unknown[] }>([
    text(format.reply({ text: 'I see.', stop: 'end' })),
  ]);
  const { reply } = await ask(providerAt(provider, `${fake.url}${format.base}`), question);
  expect(reply?.parts).toMatchObject([{ text: 'I see.' }]);
  const { messages, contents } = fake.asked[0]?.body ?? {};
  return messages ?? contents ?? [];
}

const IMAGE_URL = { type: 'image_url', image_url: { url: `data:image/png;base64,${png()}` } };

const BEHIND_RESULT = [
  { role: 'tool', tool_call_id: 'a', content: 'seen a' },
  { role: 'user', content: [IMAGE_URL] },
];

/** The place of a picture: in the result of its call, or in a message behind the results. */
const PLACES: [ProviderName, object[]][] = [
  [
    'anthropic',
    [
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [
              { type: 'text', text: 'seen a' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png() } },
            ],
          },
        ],
      },
    ],
  ],
  ['openai', BEHIND_RESULT],
  ['openai-compatible', BEHIND_RESULT],
  ['deepseek', [{ role: 'tool', tool_call_id: 'a', content: 'seen a' }]],
];

test.each(PLACES)('%s is sent a picture in the place of its API', async (provider, expected) => {
  expect((await sent(provider, LOOKED)).slice(-expected.length)).toMatchObject(expected);
});

test('google is sent a picture as inline data', async () => {
  const said = JSON.stringify((await sent('google', LOOKED)).at(-1));
  expect(said).toContain(JSON.stringify({ inlineData: { mimeType: 'image/png', data: png() } }));
  expect(said).toContain('seen a');
});

describe.each(WIRE_FORMATS.map(({ provider }) => provider))('%s', (provider) => {
  const picturesIn = (messages: unknown[]): string[] =>
    JSON.stringify(messages).match(/iVBORw0KGgo[A-Za-z0-9+/=]+/g) ?? [];
  const isBlind = provider === 'deepseek';

  test('is sent the last three pictures, and the text of all', async () => {
    const looks = ['a', 'b', 'c', 'd', 'e'].flatMap((id, index) => [call(id), saw(id, index)]);
    const messages = await sent(provider, { ...QUESTION, messages: [...QUESTION.messages, ...looks] });
    expect(picturesIn(messages)).toEqual(isBlind ? [] : [png(2), png(3), png(4)]);
    expect(JSON.stringify(messages).match(/seen [a-e]/g)).toEqual(['seen a', 'seen b', 'seen c', 'seen d', 'seen e']);
  });

  test('is sent the picture of the look for a plan', async () => {
    const messages = await sent(provider, {
      ...QUESTION,
      messages: [{ from: 'user', text: 'Plan.', picture: { base64: png() } }],
    });
    expect(picturesIn(messages)).toEqual(isBlind ? [] : [png()]);
  });
});

test('a cassette marks a picture: another one is not drift, and a missing one is', async () => {
  const [format] = WIRE_FORMATS;
  if (format === undefined) throw new Error('there is no wire format');
  const exchanges: CassetteExchange[] = [];
  {
    await using fake = await fakeProvider<unknown>([text(format.reply({ text: 'I see.', stop: 'end' }))]);
    const keep = async (exchange: CassetteExchange) => void exchanges.push(exchange);
    const transport = recording(overNetwork, (each) => each, keep);
    await ask(providerAt('anthropic', `${fake.url}${format.base}`, { transport }), LOOKED);
  }
  expect(JSON.stringify(exchanges)).toContain('<picture>');
  expect(JSON.stringify(exchanges)).not.toContain(png());
  const replay = (last: Message) => {
    const transport = replaying({ header: CASSETTE_HEADER, exchanges }, (each) => each);
    const question = { ...QUESTION, messages: [...QUESTION.messages, call('a'), last] };
    return ask(providerAt('anthropic', 'http://cassette.invalid', { key: 'none', transport }), question);
  };
  expect((await replay(saw('a', 9))).reply?.parts).toMatchObject([{ text: 'I see.' }]);
  const blind: Message = { from: 'tools', results: [{ id: 'a', tool: 'look', ok: true, text: 'seen a' }] };
  expect((await replay(blind)).error).toMatchObject({ name: 'ModelDrift' });
});

test('text that only begins like a picture stays', () => {
  expect(withoutPictures('iVBORw0KGgo is how it begins')).toBe('iVBORw0KGgo is how it begins');
  expect(withoutPictures(`{"data":"${png()}"}`)).toBe('{"data":"<picture>"}');
});
