import { expect, test } from 'vitest';
import { anthropicEndpoint, modelIdAt } from '../../src/model/endpoint.ts';

test.each([
  [undefined, 'https://api.anthropic.com/v1', 'provider', 'm'],
  ['https://api.anthropic.com', 'https://api.anthropic.com/v1', 'provider', 'm'],
  ['https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1', 'provider', 'm'],
  ['http://api.anthropic.com', 'http://api.anthropic.com/v1', 'custom', 'custom:m@api.anthropic.com'],
  [
    'https://api.anthropic.com.evil.test',
    'https://api.anthropic.com.evil.test/v1',
    'custom',
    'custom:m@api.anthropic.com.evil.test',
  ],
  ['https://llm.example:8443/proxy', 'https://llm.example:8443/proxy/v1', 'custom', 'custom:m@llm.example'],
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/v1', 'mock', 'custom:m@127.0.0.1'],
  ['http://localhost:4010/v1', 'http://localhost:4010/v1', 'mock', 'custom:m@localhost'],
  ['http://[::1]:4010', 'http://[::1]:4010/v1', 'mock', 'custom:m@[::1]'],
])('%s is asked at %s, is %s, and its model is %s', (named, url, kind, id) => {
  const endpoint = anthropicEndpoint(named);
  expect(endpoint).toMatchObject({ url, kind });
  expect(endpoint === null ? null : modelIdAt('m', endpoint)).toBe(id);
});

test.each(['nowhere', 'file:///etc/passwd', 'https://user:secret@llm.example'])('%s is no endpoint', (named) => {
  expect(anthropicEndpoint(named)).toBeNull();
});
