import { describe, expect, test } from 'vitest';
import { refusedAddress } from '../../src/browser/url-policy.ts';

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
