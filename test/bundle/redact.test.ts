import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, secretsFromEnvironment } from '../../src/bundle/redact.ts';

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

  test('is replaced wherever it stands, each time', () => {
    expect(text(`${KEY.value}${KEY.value} and ${KEY.value}`)).toBe(
      '[secret:API_KEY][secret:API_KEY] and [secret:API_KEY]',
    );
  });

  test('that holds another is replaced whole', () => {
    const secrets = [
      { name: 'SHORT', value: 'correct-horse' },
      { name: 'LONG', value: 'correct-horse-battery' },
    ];
    expect(createRedactor(secrets).text('correct-horse-battery correct-horse')).toBe('[secret:LONG] [secret:SHORT]');
  });

  test('is replaced in every string of a JSON value, keys included, and nothing else changes', () => {
    const value = { [KEY.value]: [1, null, true, { header: `Bearer ${KEY.value}` }], other: 'text' };
    expect(createRedactor([KEY]).json(value)).toEqual({
      '[secret:API_KEY]': [1, null, true, { header: 'Bearer [secret:API_KEY]' }],
      other: 'text',
    });
  });

  test('in two keys of one object loses neither of their values', () => {
    const value = { [KEY.value]: 1, [encodeURIComponent(KEY.value)]: 2 };
    expect(Object.values(createRedactor([KEY]).json(value))).toEqual([1, 2]);
  });

  test('is replaced in bytes, whether they are UTF-8 or not', () => {
    const { bytes } = createRedactor([KEY]);
    const binary = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(KEY.value), Buffer.from([0x80])]);
    expect(Buffer.from(bytes(Buffer.from(`é${KEY.value}`))).toString()).toBe('é[secret:API_KEY]');
    expect(Buffer.from(bytes(binary)).toString('latin1')).toBe('\u00ff\u00fe[secret:API_KEY]\u0080');
  });
});

describe('for any secret', () => {
  test('no encoding of it survives, whatever stands around it', () => {
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

  test('no base64 of text that holds it survives', () => {
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
  const { text, bytes: redactBytes } = createRedactor([KEY]);

  test('is unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.json(), (anything, json) => {
        expect(text(anything)).toBe(anything);
        expect(text(json)).toBe(json);
      }),
    );
  });

  test('is unchanged as bytes, also where they are no UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(redactBytes(bytes)).toBe(bytes);
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

  test.each([
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'CLIENT_SECRET',
    'DB_PASSWORD',
    'SIGNING_KEY',
    'TOUCHSTONE_SECRET_LOGIN',
  ])('include %s', (name) => {
    expect(secretsFromEnvironment({ [name]: long })).toEqual([{ name, value: long }]);
  });

  test('leave out other variables, and values too short to be told from text', () => {
    expect(
      secretsFromEnvironment({ PATH: long, KEYBOARD: long, TOKENS: long, MY_TOKEN: 'short', NO_KEY: undefined }),
    ).toEqual([]);
  });

  test('include a declared secret that is too short, so that it is refused and not leaked', () => {
    const secrets = secretsFromEnvironment({ TOUCHSTONE_SECRET_PIN: '1234' });
    expect(() => createRedactor(secrets)).toThrow(/TOUCHSTONE_SECRET_PIN/);
  });
});
