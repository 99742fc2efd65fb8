import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ALLOWED_METHODS } from '../../../src/browser/gateway/allowed-methods.ts';
import { ContextLens } from '../../../src/browser/gateway/context-lens.ts';
import { aimed, denialOf, MEANING_DEFAULT } from '../../../src/browser/gateway/lens-rules.ts';

const Parameter = z.looseObject({ name: z.string(), $ref: z.string().optional(), optional: z.boolean().optional() });
const Command = z.looseObject({ name: z.string(), parameters: z.array(Parameter).optional() });
const Protocol = z.object({
  domains: z.array(z.looseObject({ domain: z.string(), commands: z.array(Command).optional() })),
});
const file = createRequire(import.meta.url).resolve('devtools-protocol/json/browser_protocol.json');
const { domains } = Protocol.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Parameters of this type, as `Domain.command` and name, of all commands that a client may send. */
function parametersOf(type: RegExp) {
  return domains.flatMap(({ domain, commands = [] }) =>
    commands.flatMap(({ name: command, parameters = [] }) => {
      const method = `${domain}.${command}`;
      const found = ALLOWED_METHODS.has(method) ? parameters.filter(({ $ref = '' }) => type.test($ref)) : [];
      return found.map(({ name, optional = false }) => ({ method, name, optional }));
    }),
  );
}

const PROXY = { server: 'http://127.0.0.1:1', bypass: '<-loopback>' };
const led: string[] = [];
const lens = new ContextLens({
  observer: { lead: async (contextId) => void led.push(contextId), pages: () => [] },
  contextId: 'HOME',
  proxy: PROXY,
  viewport: { width: 1, height: 1 },
});
const BROWSER = { isToBrowser: true };

test('each command whose context may be left out names that of the lens', () => {
  const optional = parametersOf(/BrowserContextID$/).filter((each) => each.optional);
  expect(optional.length).toBeGreaterThan(5);
  for (const { method } of optional) {
    expect(aimed({ id: 1, method }, lens, BROWSER).params).toMatchObject({ browserContextId: 'HOME' });
  }
  expect(optional.map(({ method }) => method).toSorted()).toEqual([...MEANING_DEFAULT].toSorted());
});

describe('a command that names somebody else’s', () => {
  test.each([
    ['context', /BrowserContextID$/, 'THEIRS'],
    ['target', /TargetID$/, 'THEIRS'],
    ['window', /WindowID$/, 7],
  ])('%s is answered as if there were none', (_what, type, value) => {
    const naming = parametersOf(type);
    expect(naming.length).toBeGreaterThan(2);
    for (const { method, name } of naming) {
      const command = { id: 1, method, params: { [name]: value } };
      expect({ command, denial: denialOf(command, lens, BROWSER) }).toMatchObject({
        denial: { code: expect.any(Number) },
      });
    }
  });
});

test('a context that a client makes leads into the world whatever it asks for, and ends with the client', () => {
  const asked = { proxyBypassList: '*', disposeOnDetach: false };
  expect(aimed({ id: 1, method: 'Target.createBrowserContext', params: asked }, lens, BROWSER).params).toEqual({
    proxyServer: PROXY.server,
    proxyBypassList: PROXY.bypass,
    disposeOnDetach: true,
  });
  lens.add('MADE');
  expect(led).toEqual(['MADE']);
  expect(
    denialOf({ id: 1, method: 'Target.createTarget', params: { browserContextId: 'MADE' } }, lens, BROWSER),
  ).toBeNull();
});

test('whatever is neither of contexts, cookies nor targets is none of the browser’s commands', () => {
  const others = [...ALLOWED_METHODS].filter((method) => !/^(Browser|Storage|Target)\./.test(method));
  expect(others.filter((method) => denialOf({ id: 1, method }, lens, BROWSER) === null)).toEqual([]);
  expect(denialOf({ id: 1, method: 'Fetch.enable' }, lens, { isToBrowser: false })).toBeNull();
});

test.each(['chrome-extension://pdf/index.html', 'chrome://settings/', 'devtools://devtools/inspector.html'])(
  'a page of the browser itself is none of the client’s targets: %s',
  (url) => {
    expect(lens.sees({ targetId: url, type: 'iframe', url, browserContextId: 'HOME' })).toBe(false);
    expect(lens.hasTarget(url)).toBe(false);
    expect(lens.sees({ targetId: url, type: 'iframe', url: 'http://a.test/', browserContextId: 'HOME' })).toBe(true);
  },
);

test.each(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior'])(
  'no download is kept, whatever %s asks for',
  (method) => {
    for (const behavior of ['default', 'allow', 'allowAndName']) {
      const params = { behavior, downloadPath: '/tmp', eventsEnabled: true };
      expect(aimed({ id: 1, method, params }, lens, BROWSER).params).toEqual({
        behavior: 'deny',
        browserContextId: 'HOME',
        eventsEnabled: true,
      });
    }
  },
);
