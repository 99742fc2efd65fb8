import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRedactor, FOREIGN_FIELDS, secretsFromEnvironment } from '../../src/bundle/redact.ts';
import { Evidence, missing, present } from '../../src/contract/evidence.ts';
import { Json } from '../../src/contract/json.ts';
import { isRecord } from '../../src/contract/validation/record.ts';
import { evidence, page } from '../contract/evidence-sample.ts';

const KEY = { name: 'API_KEY', value: 'sk+ant/"p&ss" wörd\\<7>=?' };

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const lowerHex = (text: string) => text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
const jsonInside = (text: string) => JSON.stringify(text).slice(1, -1);
const form = (text: string) => new URLSearchParams({ q: text }).toString().slice(2);

/** Every encoding that must not let a secret through, written independently of the redactor. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  'raw text': (text) => text,
  JSON: jsonInside,
  'JSON inside JSON': (text) => jsonInside(jsonInside(text)),
  'JSON with \\u escapes': (text) =>
    jsonInside(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  encodeURIComponent,
  'encodeURIComponent in lower case': (text) => lowerHex(encodeURIComponent(text)),
  'encodeURIComponent twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'a URL with every byte escaped': (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'hexadecimal in upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'a form field': form,
  'a form field in lower case': (text) => lowerHex(form(text)),
  HTML: (text) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character),
  'HTML in numbers': (text) => text.replace(/[&<>"']/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`),
  'HTML inside JSON': (text) => jsonInside(text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)),
};

/** Keeps text that UTF-8 can hold, long enough to be a secret. */
const secretValue = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 }),
  fc.string({ unit: 'grapheme', minLength: 8, maxLength: 20 }),
  fc.stringMatching(/^[A-Za-z0-9_\-+/=]{8,60}$/),
);
const around = fc.string({ unit: 'grapheme-ascii', maxLength: 30 });

describe('a secret', () => {
  const { text } = createRedactor([KEY]);

  for (const [name, encode] of Object.entries(ENCODINGS)) {
    test(`is replaced in ${name}`, () => {
      expect(text(`key=${encode(KEY.value)};`)).toBe('key=[secret:API_KEY];');
    });
  }

  test.each(['base64', 'base64url'] as const)('is replaced in %s at any alignment', (encoding) => {
    for (const user of ['', 'u', 'us', 'use', 'user:']) {
      const header = Buffer.from(`${user}${KEY.value}, and more`).toString(encoding);
      expect(text(`Basic ${header}`)).toMatch(/^Basic [A-Za-z0-9+/_-]{0,8}\[secret:API_KEY\][A-Za-z0-9+/_=-]*$/);
    }
  });

  test('is replaced in base64 that a URL or JSON has escaped', () => {
    const secret = { name: 'S', value: '>>>???>>>???>>>???' };
    const header = Buffer.from(secret.value).toString('base64');
    expect(header).toMatch(/[+/]/);
    for (const escaped of [encodeURIComponent(header), header.replaceAll('/', '\\/')]) {
      expect(createRedactor([secret]).text(escaped)).toBe('[secret:S]');
    }
  });

  test('is replaced wherever it occurs, each time', () => {
    expect(text(`${KEY.value}${KEY.value} and ${KEY.value}`)).toBe(
      '[secret:API_KEY][secret:API_KEY] and [secret:API_KEY]',
    );
  });

  test('is replaced whole if it contains another', () => {
    const secrets = [
      { name: 'SHORT', value: 'correct-horse' },
      { name: 'LONG', value: 'correct-horse-battery' },
    ];
    expect(createRedactor(secrets).text('correct-horse-battery correct-horse')).toBe('[secret:LONG] [secret:SHORT]');
  });

  test('is replaced in every string of a JSON value, and nothing else changes', () => {
    const value = { list: [1, null, true, { header: `Bearer ${KEY.value}` }], other: 'text' };
    expect(createRedactor([KEY]).json(value)).toEqual({
      list: [1, null, true, { header: 'Bearer [secret:API_KEY]' }],
      other: 'text',
    });
  });
});

describe('a secret of digits that occurs as a number', () => {
  const { json } = createRedactor([{ name: 'PIN', value: '12345678' }]);

  test("is replaced in an app's state, a call's arguments and an answer", () => {
    const state = { user: { pin: 12_345_678, pins: [1, 12_345_678, -12_345_678] } };
    const whole = evidence({ app_state: present({ start: 12_345_678, now: state }), answer: { value: 12_345_678 } });
    const redacted = json(whole);
    expect(Evidence.parse(redacted)).toEqual(redacted);
    expect(redacted).toMatchObject({
      app_state: {
        value: {
          start: '[secret:PIN]',
          now: { user: { pin: '[secret:PIN]', pins: [1, '[secret:PIN]', '-[secret:PIN]'] } },
        },
      },
      answer: { value: '[secret:PIN]' },
    });
    expect(json({ tool: 'fill', args: { text: 12_345_678 } }).args).toEqual({ text: '[secret:PIN]' });
    expect(json({ value: 12_345_678 })).toEqual({ value: '[secret:PIN]' });
  });

  test('is replaced, but our own numbers and any others stay', () => {
    const ours = { seq: 12_345_678, list: [12_345_678], args: { other: 1234, half: 0.5 }, value: 1234 };
    expect(json(ours)).toEqual(ours);
  });
});

describe('keys', () => {
  const hostile = [
    { name: 'A', value: 'captured' },
    { name: 'B', value: 'snapshot' },
    { name: 'C', value: 'app_state' },
    { name: 'D', value: 'not_possible' },
    { name: 'E', value: 'last_tool_call' },
  ];

  test('stay if they are ours, whatever the secret, so that evidence stays valid', () => {
    const frame = {
      frame_id: 'snapshot',
      parent_frame_id: null,
      owner_backend_node_id: null,
      snapshot: missing('captured'),
    };
    const whole = evidence({ pages: [page({ frames: [frame] })], answer: { not_possible: true } });
    const redacted = createRedactor(hostile).json(whole);
    expect(Evidence.parse(redacted)).toEqual(redacted);
    expect(redacted.answer).toEqual({ not_possible: true });
    expect(redacted.pages[0]?.dom).toMatchObject({
      value: { remote_frames: [{ frame_id: '[secret:B]', snapshot: { captured: false, why: '[secret:A]' } }] },
    });
  });

  test('are redacted in the state of an app, at any depth, even with a name that we use too', () => {
    const state = { captured: 1, users: [{ snapshot: { 'my captured': 'snapshot' } }] };
    const whole = evidence({ app_state: present({ start: null, now: state }) });
    const redacted = createRedactor(hostile).json(whole);
    expect(Evidence.parse(redacted).app_state).toEqual({
      captured: true,
      value: { start: null, now: { '[secret:A]': 1, users: [{ '[secret:B]': { 'my [secret:A]': '[secret:B]' } }] } },
    });
  });

  test("of a tool call's arguments are redacted, and its own stay", () => {
    const secrets = [KEY, { name: 'TOOL', value: 'click_it' }];
    const call = { tool: 'click_it', args: { [KEY.value]: { deep: [{ [KEY.value]: 1 }] } } };
    expect(createRedactor(secrets).json(call)).toEqual({
      tool: '[secret:TOOL]',
      args: { '[secret:API_KEY]': { deep: [{ '[secret:API_KEY]': 1 }] } },
    });
  });

  test('keep both their values if they become equal', () => {
    const args = { [KEY.value]: 1, [encodeURIComponent(KEY.value)]: 2 };
    expect(Object.values(createRedactor([KEY]).json({ args }).args)).toEqual([1, 2]);
  });

  test('are redacted in evidence only where the redactor looks for them, unless they are ours', () => {
    expect(fieldsOfOpenMaps(Evidence).filter((field) => !FOREIGN_FIELDS.has(field))).toEqual([]);
    expect(fieldsOfOpenMaps(Evidence)).toEqual(expect.arrayContaining(['start', 'now']));
    expect(fieldsOfOpenMaps(z.object({ mine: z.record(z.string(), z.string()) }))).toEqual(['mine']);
    expect(fieldsOfOpenMaps(z.strictObject({ mine: z.array(Json) }))).toEqual(['mine']);
  });
});

function fieldsOfOpenMaps(schema: z.ZodType): string[] {
  return openFields(z.toJSONSchema(schema, { unrepresentable: 'any' }), '');
}

function openFields(schema: unknown, field: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => openFields(each, field));
  if (!isRecord(schema)) return [];
  const { properties, additionalProperties, ...rest } = schema;
  // An empty schema takes any JSON.
  const isOpen = Object.keys(schema).length === 0 || isRecord(additionalProperties);
  const below = isRecord(properties) ? Object.entries(properties) : [];
  return [
    ...(isOpen ? [field] : []),
    ...below.flatMap(([name, each]) => openFields(each, name)),
    ...Object.values(rest).flatMap((each) => openFields(each, field)),
  ];
}

describe('for any secret', () => {
  test('no encoding of it survives, whatever surrounds it', () => {
    fc.assert(
      fc.property(secretValue, around, around, fc.constantFrom(...Object.values(ENCODINGS)), (value, a, b, encode) => {
        const { text } = createRedactor([{ name: 'S', value }]);
        const redacted = text(`${a}${encode(value)}${b}`);
        expect(redacted).toContain('[secret:S]');
        expect(redacted).not.toContain(encode(value));
      }),
      { numRuns: 400 },
    );
  });

  test('no base64 of text that contains it survives', () => {
    const encoding = fc.constantFrom('base64' as const, 'base64url' as const);
    fc.assert(
      fc.property(secretValue, around, around, encoding, (value, a, b, base64) => {
        const redacted = createRedactor([{ name: 'S', value }]).text(Buffer.from(`${a}${value}${b}`).toString(base64));
        expect(redacted).toContain('[secret:S]');
        for (const piece of redacted.split('[secret:S]')) {
          expect(Buffer.from(piece, 'base64').toString()).not.toContain(value);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('redacting again changes nothing', () => {
    const pieces = fc.array(fc.oneof(around, fc.constant('<SECRET>'), fc.constant('[secret:S]')), { maxLength: 8 });
    const endsLikePlaceholder = fc.constantFrom('abcdefg[', ']abcdefg', 'secret:S', '[secret:S]', 'x[secret:S]x');
    fc.assert(
      fc.property(fc.oneof(secretValue, endsLikePlaceholder), pieces, (value, parts) => {
        const { text } = createRedactor([
          { name: 'S', value },
          { name: 'OTHER', value: 'other-secret' },
        ]);
        const once = text(parts.join('').replaceAll('<SECRET>', () => `${value}other-secret`));
        expect(text(once)).toBe(once);
      }),
      { numRuns: 300 },
    );
  });
});

describe('text without secrets', () => {
  const { text } = createRedactor([KEY]);

  test('is unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.json(), (anything, json) => {
        expect(text(anything)).toBe(anything);
        expect(text(json)).toBe(json);
      }),
    );
  });

  test('keeps a part of a secret, and a secret with one wrong character', () => {
    const redactor = createRedactor([{ name: 'S', value: 'correct-horse' }]);
    expect(redactor.text('correct-hors correct_horse')).toBe('correct-hors correct_horse');
  });

  test('is unchanged when there are no secrets at all', () => {
    expect(createRedactor([]).json({ a: 'correct-horse' })).toEqual({ a: 'correct-horse' });
  });
});

describe('a secret that cannot be redacted', () => {
  test('because it is too short is refused without being shown', () => {
    expect(() => createRedactor([{ name: 'PIN', value: '12z45' }])).toThrow(/^(?!.*12z45).*PIN.*too short/);
  });

  test('because its name would not stay a placeholder is refused', () => {
    expect(() => createRedactor([{ name: 'a]b', value: 'correct-horse' }])).toThrow(/cannot name a secret/);
  });
});

describe('the secrets of an environment', () => {
  const long = 'long enough';

  test.each(
    `
    OPENAI_API_KEY GITHUB_TOKEN CLIENT_SECRET DB_PASSWORD SIGNING_KEY AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
    TOUCHSTONE_SECRET_LOGIN
  `
      .trim()
      .split(/\s+/),
  )('include %s', (name) => {
    expect(secretsFromEnvironment({ [name]: long })).toEqual([{ name, value: long }]);
  });

  test('leave out other variables, and values that are too short to distinguish from text', () => {
    expect(
      secretsFromEnvironment({ PATH: long, KEYBOARD: long, TOKENS: long, MY_TOKEN: 'short', NO_KEY: undefined }),
    ).toEqual([]);
  });

  test('include a declared secret that is too short, so that it is refused and not leaked', () => {
    const secrets = secretsFromEnvironment({ TOUCHSTONE_SECRET_PIN: '1234' });
    expect(() => createRedactor(secrets)).toThrow(/TOUCHSTONE_SECRET_PIN/);
  });
});
