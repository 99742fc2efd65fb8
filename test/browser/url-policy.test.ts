import { describe, expect, test } from 'vitest';
import { isOfWorld, refusedAddress } from '../../src/browser/url-policy.ts';

test.each(['http://basics.localhost/', 'https://example.com', 'HTTPS://EXAMPLE.COM/#a', 'about:blank'])(
  'an agent may navigate to %s',
  (address) => {
    expect(refusedAddress(address)).toBeNull();
  },
);

describe('an agent may not navigate to', () => {
  test.each([
    ['a file of this machine', 'file:///etc/passwd', 'file: addresses are refused'],
    ['the source of a page', 'view-source:http://a.test/', 'view-source: addresses are refused'],
    ['a page of the browser', 'chrome://version', 'chrome: addresses are refused'],
    ['a page of the browser by its other name', 'about:version', 'about: addresses are refused'],
    ['the developer tools', 'devtools://devtools/bundled/inspector.html', 'devtools: addresses are refused'],
    ['a page that it writes itself', 'data:text/html,<h1>Done</h1>', 'data: addresses are refused'],
    ['a script', 'javascript:document.body.append("Done")', 'javascript: addresses are refused'],
    ['a script, however it is written', ' JavaScript:alert(1)', 'javascript: addresses are refused'],
    ['a blob', 'blob:http://a.test/0', 'blob: addresses are refused'],
    ['a socket', 'ws://a.test/', 'ws: addresses are refused'],
    ['no address at all', 'example.com', '"example.com" is not an address'],
  ])('%s', (_, address, message) => {
    expect(refusedAddress(address)).toContain(message);
  });
});

test.each([
  ['page', ''],
  ['page', 'about:blank'],
  ['page', 'about:blank#blocked'],
  ['page', 'http://a.test/'],
  ['page', 'https://outside.test/'],
  ['page', 'chrome-error://chromewebdata/'],
  ['page', 'blob:http://a.test/0'],
  ['iframe', 'about:srcdoc'],
  ['iframe', 'data:text/html,a'],
  ['worker', 'blob:null/0'],
  ['shared_worker', 'data:text/javascript,a'],
  ['service_worker', 'https://a.test/worker.js'],
  ['tab', 'http://a.test/'],
  ['browser', ''],
])('a target of the world may be a %s at "%s"', (type, url) => {
  expect(isOfWorld({ type, url })).toBe(true);
});

test.each([
  ['other', 'devtools://devtools/bundled/devtools_app.html'],
  ['page', 'chrome://newtab/'],
  ['page', 'chrome-untrusted://print/'],
  ['page', 'chrome-search://local-ntp/'],
  ['page', 'chrome-error://other/'],
  ['background_page', 'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/page.html'],
  ['service_worker', 'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/worker.js'],
  ['page', 'view-source:http://a.test/'],
  ['page', 'file:///etc/passwd'],
  ['iframe', 'file:///etc/passwd'],
  ['page', 'data:text/html,a'],
  ['page', 'blob:chrome://settings/0'],
  ['page', 'blob:file:///0'],
  ['page', 'filesystem:http://a.test/temporary/a'],
  ['page', 'about:version'],
  ['page', 'about:blankets'],
  ['page', 'javascript:1'],
  ['tab', 'view-source:http://a.test/'],
])('no %s at "%s" is a target of the world', (type, url) => {
  expect(isOfWorld({ type, url })).toBe(false);
});
