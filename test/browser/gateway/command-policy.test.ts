import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ALLOWED_METHODS } from '../../../src/browser/gateway/allowed-methods.ts';
import { passedOn, refusalOf } from '../../../src/browser/gateway/command-policy.ts';
import { committedBundles } from '../../../scripts/draw-bundles.ts';
import { committedBundle } from '../../committed-bundle.ts';

const Gateway = z.object({ event: z.object({ methods: z.record(z.string(), z.int()) }) });
const Protocol = z.object({
  domains: z.array(
    z.object({
      domain: z.string(),
      commands: z
        .array(z.object({ name: z.string(), parameters: z.array(z.object({ name: z.string() })).default([]) }))
        .default([]),
    }),
  ),
});
const WORDING = 'edits keyText name outerHTML propertyName ruleText selector text value'.split(' ');

function ofCommand(method: string, params: Record<string, unknown> = {}) {
  return refusalOf({ id: 1, method, params });
}

describe('a command is passed on', () => {
  test.each([
    ['Page.navigate', { url: 'https://example.com/' }],
    ['Page.navigate', { url: 'about:blank' }],
    ['Target.createTarget', { url: '' }],
    ['Target.createTarget', { url: 'http://nobody.test/' }],
    ['Target.createBrowserContext', {}],
    ['Runtime.evaluate', { expression: 'document.title' }],
    ['Fetch.continueRequest', { requestId: '1' }],
    ['Fetch.continueRequest', { requestId: '1', method: 'POST', postData: 'eA==', headers: [] }],
    ['DOM.setFileInputFiles', { files: [], nodeId: 1 }],
    ['Input.dispatchDragEvent', { data: { items: [{ mimeType: 'text/plain', data: 'file:///etc/passwd' }] } }],
    ['Input.dispatchDragEvent', { data: { items: [{ mimeType: 'text/uri-list', data: '# a\nhttp://a.test/' }] } }],
    ['Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: '/tmp' }],
    ['Network.loadNetworkResource', { url: 'http://a.test/a.js.map' }],
  ])('%s %j', (method, params) => {
    expect(ofCommand(method, params)).toBeNull();
  });
});

describe('of the files that a task gives', () => {
  const lent = new Map([['/home/files-1/a.txt', '/profile/files-2/a.txt']]);
  const set = (files: unknown) => ({ id: 1, method: 'DOM.setFileInputFiles', params: { files, nodeId: 1 } });

  test('one is passed on as our copy', () => {
    const command = set(['/home/files-1/a.txt']);
    expect(refusalOf(command, lent)).toBeNull();
    expect(passedOn(command, lent).params).toEqual({ files: ['/profile/files-2/a.txt'], nodeId: 1 });
  });

  test.each([
    [['/home/files-1/b.txt']],
    [['/home/files-1/a.txt', '/etc/passwd']],
    [['/home/files-1/../files-1/a.txt']],
    [['/home/files-1//a.txt']],
    [['a.txt']],
    [['/profile/files-2/a.txt']],
    [[['/home/files-1/a.txt']]],
    ['/home/files-1/a.txt'],
    [{ 0: '/home/files-1/a.txt', length: 1 }],
  ])('none is %j', (files) => {
    expect(refusalOf(set(files), lent)).toMatchObject({ isViolation: true });
  });

  test('none is dropped on a page', () => {
    const params = { data: { items: [], files: ['/home/files-1/a.txt'] } };
    expect(refusalOf({ id: 1, method: 'Input.dispatchDragEvent', params }, lent)).toMatchObject({ isViolation: true });
  });
});

describe('a command is refused as a violation', () => {
  test.each([
    ['Fetch.fulfillRequest', { requestId: '1', responseCode: 200 }],
    ['Fetch.continueResponse', { requestId: '1' }],
    ['Fetch.continueRequest', { requestId: '1', url: 'http://b.test/' }],
    ['Network.continueInterceptedRequest', { rawResponse: '' }],
    ['Page.navigate', { url: 'file:///etc/passwd' }],
    ['Target.createTarget', { url: 'data:text/html,<h1>Done</h1>' }],
    ['Target.createTarget', { url: 'chrome://settings' }],
    ['Target.createTarget', { url: 'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/page.html' }],
    ['Page.navigate', { url: 'devtools://devtools/bundled/inspector.html' }],
    ['Target.createBrowserContext', { proxyServer: 'http://127.0.0.1:1' }],
    ['Target.createBrowserContext', { originsWithUniversalNetworkAccess: ['http://a.test'] }],
    ['Target.exposeDevToolsProtocol', { targetId: '1' }],
    ['Browser.crash', {}],
    ['Page.crash', {}],
    ['Memory.prepareForLeakDetection', {}],
    ['DOM.setNodeValue', { nodeId: 1, value: 'Done' }],
    ['DOM.setAttributeValue', { nodeId: 1, name: 'src', value: 'data:text/html,<h1>Done</h1>' }],
    ['DOM.setOuterHTML', { nodeId: 1, outerHTML: '<h1>Done</h1>' }],
    ['Page.setDocumentContent', { frameId: '1', html: '<h1>Done</h1>' }],
    ['Network.loadNetworkResource', { url: 'file:///etc/passwd' }],
    ['CSS.addRule', { ruleText: 'h1::after{content:"Done"}' }],
    ['CSS.setStyleSheetText', { styleSheetId: '1', text: '' }],
    ['DOM.setFileInputFiles', { files: ['/etc/passwd'], nodeId: 1 }],
    ['DOM.setFileInputFiles', { files: '/etc/passwd', nodeId: 1 }],
    ['Input.dispatchDragEvent', { data: { items: [], files: ['/etc/passwd'] } }],
    ['Input.dispatchDragEvent', { data: { items: [{ mimeType: 'text/uri-list', data: '#\nfile:///etc/passwd' }] } }],
    ['Input.dispatchDragEvent', { data: { items: [{ mimeType: 'Text/URI-List', data: 'a\rfile:///etc/passwd' }] } }],
    ['Target.openDevTools', { targetId: '1' }],
    ['Browser.executeBrowserCommand', { commandId: 'openTabSearch' }],
    ['Extensions.loadUnpacked', { path: '/tmp' }],
    ['Tethering.bind', { port: 8000 }],
    ['Target.setRemoteLocations', { locations: [{ host: '127.0.0.1', port: 9222 }] }],
  ])('%s %j', (method, params) => {
    expect(ofCommand(method, params)).toMatchObject({ isViolation: true });
  });
});

describe('a command is refused, and no violation', () => {
  test.each([
    ['Browser.close', {}],
    ['Page.navigate', { url: 'example.com' }],
    ['Target.createTarget', { url: '/path' }],
    ['Emulation.setVirtualTimePolicy', { policy: 'pause' }],
    ['Debugger.pause', {}],
    ['Target.sendMessageToTarget', { message: '{"id":1,"method":"Page.reload"}' }],
    ['ServiceWorker.deliverPushMessage', {}],
    ['Nothing.known', {}],
    ['toString', {}],
  ])('%s %j', (method, params) => {
    expect(ofCommand(method, params)).toMatchObject({ isViolation: false });
  });
});

const known: string[] = [];
const rewriting: string[] = [];

beforeAll(async () => {
  const { resolve } = createRequire(import.meta.url);
  for (const name of ['browser', 'js']) {
    const file = await readFile(resolve(`devtools-protocol/json/${name}_protocol.json`), 'utf8');
    for (const { domain, commands } of Protocol.parse(JSON.parse(file)).domains) {
      for (const command of commands) {
        const method = `${domain}.${command.name}`;
        const names = command.parameters.map((each) => each.name);
        known.push(method);
        const isWording = (domain === 'DOM' || domain === 'CSS') && names.some((each) => WORDING.includes(each));
        if (isWording && /\.(?:set|add)/.test(method)) rewriting.push(method);
      }
    }
  }
});

describe('the list of allowed commands', () => {
  test('names commands that the protocol has', () => {
    expect(known.length).toBeGreaterThan(600);
    expect([...ALLOWED_METHODS].filter((method) => !known.includes(method))).toEqual([]);
  });

  test('has nothing that puts text into document or style without a script: all of that is a violation', () => {
    expect(rewriting.length).toBeGreaterThan(15);
    expect(rewriting.filter((method) => ofCommand(method)?.isViolation !== true)).toEqual([]);
  });

  test('lets none of the others pass', () => {
    const passed = known.filter((method) => !ALLOWED_METHODS.has(method) && ofCommand(method) === null);
    expect(passed).toEqual([]);
    expect(known.length - ALLOWED_METHODS.size).toBeGreaterThan(400);
  });

  test('has every command that tools and libraries sent in the bundles of this repository', async () => {
    const sent = new Set<string>();
    for (const bundle of await Promise.all(committedBundles().map(committedBundle))) {
      const files = await readdir(bundle, { recursive: true });
      for (const file of files.filter((name) => name.endsWith('.jsonl'))) {
        for (const line of (await readFile(path.join(bundle, file), 'utf8')).split('\n')) {
          if (!line.includes('"type":"gateway"')) continue;
          for (const method of Object.keys(Gateway.parse(JSON.parse(line)).event.methods)) sent.add(method);
        }
      }
    }
    expect(sent.size).toBeGreaterThan(50);
    expect([...sent].filter((method) => ofCommand(method)?.isViolation === false)).toEqual([]);
  });
});

describe('the parameters of a command that is passed on', () => {
  const passed = (method: string, params: Record<string, unknown>) => passedOn({ id: 1, method, params }).params;

  test('are those on its list, and no others', () => {
    const key = { type: 'rawKeyDown', key: 'F12', code: 'F12', windowsVirtualKeyCode: 123, modifiers: 0 };
    const toWindow = { nativeVirtualKeyCode: 123, isSystemKey: true, commands: ['Paste'], keyIdentifier: 'F12' };
    expect(passed('Input.dispatchKeyEvent', { ...key, ...toWindow })).toEqual(key);
    expect(passed('Target.createTarget', { url: '', hidden: true, forTab: true })).toEqual({ url: '' });
    expect(passed('Page.reload', { toString: 'own', ['__proto__']: { ignoreCache: true } })).toEqual({});
  });

  test('are as few within a parameter', () => {
    const data = { items: [{ mimeType: 'text/plain', data: 'a' }], dragOperationsMask: 1 };
    expect(passed('Input.dispatchDragEvent', { type: 'drop', x: 1, y: 1, data: { ...data, files: [] } })).toEqual({
      type: 'drop',
      x: 1,
      y: 1,
      data,
    });
  });

  test('leave a command to its session and number', () => {
    const command = { id: 7, method: 'Page.reload', sessionId: 'S', params: { ignoreCache: true } };
    expect(passedOn(command)).toEqual(command);
    expect(passedOn({ id: 7, method: 'Page.stopLoading' })).toEqual({ id: 7, method: 'Page.stopLoading' });
  });
});

test('a folder for downloads is not passed on', () => {
  const params = { behavior: 'allow', eventsEnabled: true };
  const command = { id: 7, method: 'Browser.setDownloadBehavior', params: { ...params, downloadPath: '/suites' } };
  expect(passedOn(command)).toEqual({ ...command, params });
});
