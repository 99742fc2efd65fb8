import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../src/browser/gateway/command-policy.ts';

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
    ['Target.sendMessageToTarget', { message: '{"id":1,"method":"Page.reload"}' }],
    ['toString', {}],
  ])('%s %j', (method, params) => {
    expect(ofCommand(method, params)).toBeNull();
  });
});

describe('a command is refused as a violation', () => {
  test.each([
    ['Fetch.fulfillRequest', { requestId: '1', responseCode: 200 }],
    ['Fetch.continueResponse', { requestId: '1' }],
    ['Network.continueInterceptedRequest', { rawResponse: '' }],
    ['Page.navigate', { url: 'file:///etc/passwd' }],
    ['Target.createTarget', { url: 'data:text/html,<h1>Done</h1>' }],
    ['Target.createTarget', { url: 'chrome://settings' }],
    ['Target.createBrowserContext', { proxyServer: 'http://127.0.0.1:1' }],
    ['Target.exposeDevToolsProtocol', { targetId: '1' }],
    ['Browser.crash', {}],
    ['Target.sendMessageToTarget', { message: '{"id":1,"method":"Fetch.fulfillRequest"}' }],
  ])('%s %j', (method, params) => {
    expect(ofCommand(method, params)).toMatchObject({ isViolation: true });
  });
});

describe('a command is refused, and no violation', () => {
  test.each([
    ['Browser.close', {}],
    ['Target.sendMessageToTarget', { message: 'hello' }],
  ])('%s %j', (method, params) => {
    expect(ofCommand(method, params)).toMatchObject({ isViolation: false });
  });
});
