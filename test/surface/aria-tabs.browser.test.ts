import { describe, expect, test } from 'vitest';
import { openAria } from './page-session.ts';

const error = (text: string | RegExp) =>
  expect.objectContaining({ ok: false, kind: 'error', text: expect.stringMatching(text) });
const shows = (text: string, tabs: string) =>
  expect.objectContaining({
    ok: true,
    kind: 'snapshot',
    text: expect.stringMatching(new RegExp(`\nTabs: ${tabs.replaceAll(/[().]/g, '\\$&')}\n[^]*${text}`)),
  });

describe('a tab opened by the page is in front in the reply to the call that opened it:', () => {
  test.each([
    ['by a link', '<a href="/b" target="_blank">Open</a>'],
    ['by a link to another site', '<a href="http://b.test/" target="_blank">Open</a>'],
    ['by a script', `<a href="#" onclick="window.open('/b'); return false">Open</a>`],
    ['by a script without an opener', `<a href="#" onclick="window.open('/b', '', 'noopener'); return false">Open</a>`],
    ['by a form', '<form action="/b" target="_blank"><button>Open</button></form>'],
  ])('%s', async (_, html) => {
    const page = '<h1>Second</h1>';
    const pages = { 'http://a.test/b': page, 'http://a.test/b?': page, 'http://b.test/': page };
    await using scene = await openAria({ 'http://a.test/': html, ...pages });
    const { text } = await scene.on('click', 'Open');
    expect(text).toMatch(
      /Tabs: 0: http:\/\/a\.test\/#?, 1 \(current\): http:\/\/(a\.test\/b\??|b\.test\/)\n[^]*Second/,
    );
  });

  test('and a call that opens none does not wait for one', async () => {
    await using scene = await openAria({ 'http://a.test/': '<button>Nothing</button>' });
    expect(await scene.on('click', 'Nothing')).toEqual(shows('Nothing', '0 (current): http://a.test/'));
  });

  test('even when it closes itself at once', async () => {
    const html = `<button onclick="window.open('/b').close()">Blink</button>`;
    await using scene = await openAria({ 'http://a.test/': html, 'http://a.test/b': '' });
    await scene.on('click', 'Blink');
    await expect.poll(() => scene.context.pages().length).toBe(1);
    expect(await scene.call('snapshot')).toEqual(shows('Blink', '0 (current): http://a.test/'));
  });
});

describe('tabs', () => {
  const pages = {
    'http://a.test/': '<h1>First</h1>',
    'http://b.test/': '<h1>Second</h1>',
    'http://c.test/': '<h1>Third</h1>',
  };
  async function openThree() {
    const scene = await openAria(pages);
    for (const url of ['http://b.test/', 'http://c.test/']) await (await scene.context.newPage()).goto(url);
    return scene;
  }

  test('are selected by their number, in the order in which they were opened', async () => {
    await using scene = await openThree();
    expect(await scene.call('tabs', { action: 'select', index: 0 })).toEqual(
      shows('First', '0 (current): http://a.test/, 1: http://b.test/, 2: http://c.test/'),
    );
    expect(await scene.call('tabs', { action: 'select', index: 1 })).toEqual(
      shows('Second', '0: http://a.test/, 1 (current): http://b.test/, 2: http://c.test/'),
    );
  });

  test('take the next call once selected', async () => {
    await using scene = await openThree();
    await scene.call('tabs', { action: 'select', index: 1 });
    await scene.call('navigate', { url: 'http://a.test/' });
    expect(scene.context.pages().map((page) => page.url())).toEqual([
      'http://a.test/',
      'http://a.test/',
      'http://c.test/',
    ]);
  });

  test('give way to the one before when they are closed', async () => {
    await using scene = await openThree();
    expect(await scene.call('tabs', { action: 'close', index: 2 })).toEqual(
      shows('Second', '0: http://a.test/, 1 (current): http://b.test/'),
    );
  });

  test('in the background can be closed', async () => {
    await using scene = await openThree();
    expect(await scene.call('tabs', { action: 'close', index: 0 })).toEqual(
      shows('Third', '0: http://b.test/, 1 (current): http://c.test/'),
    );
  });

  test('are never all closed by the agent', async () => {
    await using scene = await openAria(pages);
    expect(await scene.call('tabs', { action: 'close', index: 0 })).toEqual(
      error('tab 0 is the last one and stays open'),
    );
    expect(await scene.call('snapshot')).toEqual(shows('First', '0 (current): http://a.test/'));
  });

  test('are an error after all have closed themselves', async () => {
    await using scene = await openAria(pages);
    await scene.page.close();
    expect(await scene.call('snapshot')).toEqual(error(/^no tab is open any more; "navigate" opens another tab/));
    expect(await scene.call('tabs', { action: 'select', index: 0 })).toEqual(error(/^no tab is open any more/));
  });

  test('are opened by "navigate" if none is left', async () => {
    await using scene = await openAria(pages);
    await scene.page.close();
    expect(await scene.call('navigate', { url: 'http://b.test/' })).toEqual(
      shows('Second', '0 (current): http://b.test/'),
    );
    expect(scene.touched).toEqual([expect.any(String)]);
  });

  test('are an error after a crash, and "navigate" replaces them', async () => {
    await using scene = await openAria(pages);
    const crashed = scene.page.waitForEvent('crash');
    await scene.page.goto('chrome://crash').catch(() => {});
    await crashed;
    expect(await scene.call('snapshot')).toEqual(error('the page has crashed; "navigate" opens another tab'));
    expect(await scene.call('navigate', { url: 'http://b.test/' })).toEqual(
      shows('Second', '0 (current): http://b.test/'),
    );
  });
});
