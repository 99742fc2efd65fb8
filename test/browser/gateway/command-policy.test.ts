import { describe, expect, test } from 'vitest';
import { refusalOf, withoutDownloads } from '../../../src/browser/gateway/command-policy.ts';

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
    ['Target.sendMessageToTarget', { message: '{"id":1,"method":"Page.reload"}' }],
    ['DOM.setAttributeValue', { nodeId: 1, name: 'value', value: 'metadata: none' }],
    ['toString', {}],
  ])('%s %j', (method, params) => {
    expect(ofCommand(method, params)).toBeNull();
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
    ['Target.createBrowserContext', { proxyServer: 'http://127.0.0.1:1' }],
    ['Target.exposeDevToolsProtocol', { targetId: '1' }],
    ['Browser.crash', {}],
    ['Page.crash', {}],
    ['Memory.prepareForLeakDetection', {}],
    ['DOM.setNodeValue', { nodeId: 1, value: 'Done' }],
    ['DOM.setAttributeValue', { nodeId: 1, name: 'src', value: ' da\nta:text/html,<h1>Done</h1>' }],
    ['CSS.addRule', { ruleText: 'h1::after{content:"Done"}' }],
    ['CSS.setStyleSheetText', { styleSheetId: '1', text: '' }],
    ['DOM.setFileInputFiles', { files: ['/etc/passwd'], nodeId: 1 }],
    ['DOM.setFileInputFiles', { files: '/etc/passwd', nodeId: 1 }],
    ['Input.dispatchDragEvent', { data: { items: [], files: ['/etc/passwd'] } }],
    ['Input.dispatchDragEvent', { data: { items: [{ mimeType: 'text/uri-list', data: '#\nfile:///etc/passwd' }] } }],
    ['Target.openDevTools', { targetId: '1' }],
    ['Browser.executeBrowserCommand', { commandId: 'openTabSearch' }],
    ['Extensions.loadUnpacked', { path: '/tmp' }],
    ['Tethering.bind', { port: 8000 }],
    ['Target.setRemoteLocations', { locations: [{ host: '127.0.0.1', port: 9222 }] }],
    ['Target.sendMessageToTarget', { message: '{"id":1,"method":"Target.setRemoteLocations"}' }],
    ['Target.sendMessageToTarget', { message: '{"id":1,"method":"DOM.setFileInputFiles","params":{"files":["/a"]}}' }],
    ['Target.sendMessageToTarget', { message: '{"id":1,"method":"Fetch.fulfillRequest"}' }],
  ])('%s %j', (method, params) => {
    expect(ofCommand(method, params)).toMatchObject({ isViolation: true });
  });
});

describe('a command is refused, and no violation', () => {
  test.each([
    ['Browser.close', {}],
    ['Target.sendMessageToTarget', { message: 'hello' }],
    ['Target.sendMessageToTarget', { message: '{"id":1,"method":"Page.setDownloadBehavior","params":{}}' }],
    ['Page.navigate', { url: 'example.com' }],
    ['Target.createTarget', { url: '/path' }],
  ])('%s %j', (method, params) => {
    expect(ofCommand(method, params)).toMatchObject({ isViolation: false });
  });
});

describe('downloads', () => {
  const asked = (behavior: string) => ({
    id: 7,
    method: 'Browser.setDownloadBehavior',
    sessionId: 'S',
    params: { behavior, downloadPath: '/suites', browserContextId: 'C', eventsEnabled: true },
  });

  test.each(['allow', 'allowAndName'])('are cancelled and told of where a client asks for %s', (behavior) => {
    const params = { behavior: 'deny', browserContextId: 'C', eventsEnabled: true };
    expect(withoutDownloads(asked(behavior))).toEqual({ ...asked(behavior), params });
  });

  test.each(['deny', 'default'])('are left to a client that asks for %s', (behavior) => {
    expect(withoutDownloads(asked(behavior))).toBeNull();
  });

  test('are no matter of any other command', () => {
    expect(withoutDownloads({ id: 1, method: 'Page.reload' })).toBeNull();
  });
});
