import { describe, expect, test } from 'vitest';
import {
  discoveryOf,
  endpointAddress,
  isEndpointAddress,
  secretsIn,
  webSocketOf,
} from '../../src/browser/endpoint-address.ts';

const OPEN = 'http://user:hunter2222@127.0.0.1:9222/?token=sesame-4711';

test.each(['http://127.0.0.1:9222', 'https://localhost', 'ws://127.0.0.1:1/devtools/browser/1', 'wss://[::1]:9'])(
  '%s is an address of a browser',
  (text) => {
    expect(isEndpointAddress(text)).toBe(true);
    expect(endpointAddress(text).url.href).toBe(new URL(text).href);
  },
);

test.each(['ftp://127.0.0.1:9222', '127.0.0.1:9222', 'here', 'file:///tmp/browser', ''])('%s is none', (text) => {
  expect(isEndpointAddress(text)).toBe(false);
  expect(() => endpointAddress(text)).toThrow(expect.objectContaining({ code: 'endpoint_bad' }));
});

test('an address is shown without its secrets', () => {
  expect(endpointAddress(OPEN).shown).toBe('http://127.0.0.1:9222');
  expect(endpointAddress('ws://127.0.0.1:9222/devtools/browser/0123-4567').shown).toBe('ws://127.0.0.1:9222');
  const elsewhere = 'wss://user:hunter2222@browser.example:9222/?token=sesame-4711';
  expect(() => endpointAddress(elsewhere)).toThrow(
    expect.objectContaining({ code: 'endpoint_elsewhere', params: { shown: 'wss://browser.example:9222' } }),
  );
});

test('the WebSocket is requested at the given address, with its secrets', () => {
  const { address, headers } = discoveryOf(endpointAddress(OPEN));
  expect(address.href).toBe('http://127.0.0.1:9222/json/version?token=sesame-4711');
  expect(headers).toEqual({ authorization: `Basic ${Buffer.from('user:hunter2222').toString('base64')}` });
  expect(discoveryOf(endpointAddress('http://127.0.0.1:9222')).headers).toEqual({});
});

describe('the WebSocket is opened', () => {
  const named = 'ws://127.0.0.1:4444/devtools/browser/abc';

  test('at the port of the request', () => {
    const found = webSocketOf(endpointAddress('http://127.0.0.1:9222'), named);
    expect(found.href).toBe('ws://127.0.0.1:9222/devtools/browser/abc');
  });

  test('at the usual port, if that was requested', () => {
    const found = webSocketOf(endpointAddress('http://127.0.0.1'), named);
    expect(found.href).toBe('ws://127.0.0.1/devtools/browser/abc');
  });

  test('with TLS if the request had TLS', () => {
    const found = webSocketOf(endpointAddress('https://127.0.0.1:9222'), named);
    expect(found.href).toBe('wss://127.0.0.1:9222/devtools/browser/abc');
  });

  test('with user, password and token', () => {
    const found = webSocketOf(endpointAddress(OPEN), named);
    expect(found.href).toBe('ws://user:hunter2222@127.0.0.1:9222/devtools/browser/abc?token=sesame-4711');
  });

  test('with a query of its own', () => {
    const found = webSocketOf(endpointAddress(OPEN), `${named}?token=for-this-one`);
    expect(found.search).toBe('?token=for-this-one');
  });
});

test('passwords, tokens and long parts of a path are secrets; names and short values are not', () => {
  expect(secretsIn(OPEN)).toEqual(['hunter2222', 'sesame-4711']);
  expect(secretsIn('ws://token%2Fin-user@127.0.0.1/')).toEqual(['token/in-user']);
  expect(secretsIn('ws://127.0.0.1:9/devtools/browser/0f3a-4711-0f3a-4711')).toEqual(['0f3a-4711-0f3a-4711']);
  expect(secretsIn('http://administrator:x@127.0.0.1/?debug=1&stealth=true')).toEqual([]);
  expect(secretsIn('')).toEqual([]);
});
