import { describe, expect, test } from 'vitest';
import { openScene, targetOf, type TestScene } from './scene.ts';

function idsAndUrls({ observer, contextId }: TestScene): [string, string][] {
  return observer.pages(contextId).map(({ id, url }) => [id, url]);
}

function dialogsIn({ observer, contextId }: TestScene): unknown[] {
  return observer.pages(contextId).map(({ dialog }) => dialog);
}

const TWO_PAGES = { 'http://a.test/': '<h1>A</h1>', 'http://a.test/b': '<h1>B</h1>', 'http://b.test/': '<h1>C</h1>' };

describe('the pages of a context', () => {
  test('are known with their current address, however they got there', async () => {
    await using scene = await openScene(TWO_PAGES);
    expect(idsAndUrls(scene)).toEqual([['page-1', 'about:blank']]);
    await scene.page.goto('http://a.test/');
    await expect.poll(() => idsAndUrls(scene)).toEqual([['page-1', 'http://a.test/']]);
    await scene.page.evaluate('history.pushState(null, "", "/pushed")');
    await expect.poll(() => idsAndUrls(scene)).toEqual([['page-1', 'http://a.test/pushed']]);
    await scene.page.evaluate('location.hash = "place"');
    await expect.poll(() => idsAndUrls(scene)).toEqual([['page-1', 'http://a.test/pushed#place']]);
    await scene.page.goto('http://b.test/#top');
    await expect.poll(() => idsAndUrls(scene)).toEqual([['page-1', 'http://b.test/#top']]);
  });

  test.each([
    ['a link that opens a tab', '<a href="/b" target="_blank">open</a>'],
    ['a link that opens a tab and keeps its opener', '<a href="/b" target="_blank" rel="opener">open</a>'],
    ['a link to another site', '<a href="http://b.test/" target="_blank">open</a>'],
    ['a script', `<a onclick="window.open('/b')">open</a>`],
    ['a script without an opener', `<a onclick="window.open('/b', '_blank', 'noopener')">open</a>`],
    [
      'a script that wants a window of its own',
      `<a onclick="window.open('/b', '_blank', 'width=300,height=200')">open</a>`,
    ],
  ])('include those opened by %s', async (_, html) => {
    await using scene = await openScene({ ...TWO_PAGES, 'http://a.test/': html });
    await scene.page.goto('http://a.test/');
    await scene.page.click('a');
    const opened = html.includes('b.test') ? 'http://b.test/' : 'http://a.test/b';
    await expect
      .poll(() => idsAndUrls(scene))
      .toEqual([
        ['page-1', 'http://a.test/'],
        ['page-2', opened],
      ]);
  });

  test('are numbered in the order of opening, and no number is reused', async () => {
    await using scene = await openScene(TWO_PAGES);
    const second = await scene.context.newPage();
    const third = await scene.context.newPage();
    await third.goto('http://a.test/b');
    await second.close();
    await scene.context.newPage();
    await expect
      .poll(() => idsAndUrls(scene))
      .toEqual([
        ['page-1', 'about:blank'],
        ['page-3', 'http://a.test/b'],
        ['page-4', 'about:blank'],
      ]);
  });

  test('are not those of another context', async () => {
    await using one = await openScene(TWO_PAGES);
    await using other = await openScene(TWO_PAGES);
    await other.context.newPage();
    await expect.poll(() => idsAndUrls(other)).toHaveLength(2);
    expect(idsAndUrls(one)).toEqual([['page-1', 'about:blank']]);
    expect(idsAndUrls(other)[0]).toEqual(['page-1', 'about:blank']);
  });

  test('do not include frames and workers', async () => {
    await using scene = await openScene({
      ...TWO_PAGES,
      'http://a.test/': `<iframe src="http://b.test/"></iframe><script>new Worker('/worker.js')</script>`,
      'http://a.test/worker.js': () => new Response('0', { headers: { 'content-type': 'text/javascript' } }),
    });
    await scene.page.goto('http://a.test/');
    await expect.poll(() => scene.page.workers()).toHaveLength(1);
    expect(idsAndUrls(scene)).toEqual([['page-1', 'http://a.test/']]);
  });

  test('are known to all waiting for them', async () => {
    await using scene = await openScene(TWO_PAGES);
    const { targetId } = await targetOf(await scene.context.newPage());
    await Promise.all([scene.observer.seen(targetId), scene.observer.seen(targetId)]);
    expect(scene.observer.pages(scene.contextId).map((page) => page.targetId)).toContain(targetId);
  });
});

describe('the last active page', () => {
  const activeUrl =
    ({ observer, contextId }: TestScene) =>
    () =>
      observer.activePage(contextId)?.url;

  test('is the last one opened', async () => {
    await using scene = await openScene({ ...TWO_PAGES, 'http://a.test/': '<a href="/b" target="_blank">open</a>' });
    await scene.page.goto('http://a.test/');
    await scene.page.click('a');
    await expect.poll(activeUrl(scene)).toBe('http://a.test/b');
  });

  test('is the last one that navigated', async () => {
    await using scene = await openScene(TWO_PAGES);
    await scene.context.newPage();
    await scene.page.goto('http://a.test/');
    await expect.poll(activeUrl(scene)).toBe('http://a.test/');
  });

  test('is the last one on which a surface acted', async () => {
    await using scene = await openScene(TWO_PAGES);
    await scene.page.goto('http://a.test/');
    const second = await scene.context.newPage();
    await second.goto('http://a.test/b');
    await expect.poll(activeUrl(scene)).toBe('http://a.test/b');
    scene.observer.touch((await targetOf(scene.page)).targetId);
    expect(activeUrl(scene)()).toBe('http://a.test/');
  });

  test('is not changed by a frame that navigates in another page', async () => {
    await using scene = await openScene({ ...TWO_PAGES, 'http://a.test/': '<iframe src="/b"></iframe>' });
    await scene.page.goto('http://a.test/');
    const second = await scene.context.newPage();
    await second.goto('http://b.test/');
    await expect.poll(activeUrl(scene)).toBe('http://b.test/');
    await scene.page.frames()[1]?.goto('http://a.test/b?again');
    await scene.page.frames()[1]?.goto('http://b.test/');
    expect(activeUrl(scene)()).toBe('http://b.test/');
  });

  test('is the one before, after it is closed', async () => {
    await using scene = await openScene(TWO_PAGES);
    await scene.page.goto('http://a.test/');
    const second = await scene.context.newPage();
    await second.goto('http://a.test/b');
    await second.close();
    await expect.poll(activeUrl(scene)).toBe('http://a.test/');
  });

  test('is null after all are closed', async () => {
    await using scene = await openScene(TWO_PAGES);
    await scene.page.close();
    await expect.poll(() => scene.observer.activePage(scene.contextId)).toBeUndefined();
  });
});

describe('a dialog', () => {
  test.each([
    ['alert', 'alert("Hello")', 'Hello'],
    ['confirm', 'confirm("Really?")', 'Really?'],
    ['prompt', 'prompt("Name?", "Ada")', 'Name?'],
  ])('of type %s is known with its message while it is open, and not after', async (type, script, message) => {
    await using scene = await openScene(TWO_PAGES);
    await scene.page.goto('http://a.test/');
    const opened = scene.page.waitForEvent('dialog');
    const asked = scene.page.evaluate(script);
    const dialog = await opened;
    await expect.poll(() => dialogsIn(scene)).toEqual([{ type, message }]);
    await dialog.dismiss();
    await asked;
    await expect.poll(() => dialogsIn(scene)).toEqual([null]);
  });

  test('of type beforeunload is known when a used page is left', async () => {
    const html = '<button>Use me</button><script>onbeforeunload = (event) => event.preventDefault()</script>';
    await using scene = await openScene({ ...TWO_PAGES, 'http://a.test/': html });
    await scene.page.goto('http://a.test/');
    await scene.page.click('button');
    const opened = scene.page.waitForEvent('dialog');
    const leaving = scene.page.goto('http://a.test/b');
    const dialog = await opened;
    await expect.poll(() => dialogsIn(scene)).toMatchObject([{ type: 'beforeunload' }]);
    await dialog.accept();
    await leaving;
    await expect.poll(() => dialogsIn(scene)).toEqual([null]);
  });

  test.each([
    ['the same site', 'http://a.test/b'],
    ['another site', 'http://b.test/frame'],
  ])('in a frame of %s belongs to the page around it', async (_, address) => {
    const asking = '<script>setTimeout(() => alert("From the frame"))</script>';
    const around = `<iframe src="${address}"></iframe>`;
    await using scene = await openScene({ 'http://a.test/': around, [address]: asking });
    const opened = scene.page.waitForEvent('dialog');
    const loading = scene.page.goto('http://a.test/');
    const dialog = await opened;
    await expect.poll(() => dialogsIn(scene)).toEqual([{ type: 'alert', message: 'From the frame' }]);
    await dialog.dismiss();
    await loading;
    await expect.poll(() => dialogsIn(scene)).toEqual([null]);
  });

  test('belongs to the tab that opened it, which is then active', async () => {
    await using scene = await openScene(TWO_PAGES);
    await scene.page.goto('http://a.test/');
    const second = await scene.context.newPage();
    await second.goto('http://b.test/');
    const opened = scene.page.waitForEvent('dialog');
    const asked = scene.page.evaluate('alert("First tab")');
    const dialog = await opened;
    await expect.poll(() => dialogsIn(scene)).toEqual([{ type: 'alert', message: 'First tab' }, null]);
    expect(scene.observer.activePage(scene.contextId)?.id).toBe('page-1');
    await dialog.dismiss();
    await asked;
  });

  test('stays open: the judge never answers one', async () => {
    await using scene = await openScene(TWO_PAGES);
    await scene.page.goto('http://a.test/');
    const opened = scene.page.waitForEvent('dialog');
    const asked = scene.page.evaluate('confirm("Sure?")');
    const dialog = await opened;
    await scene.capture();
    await scene.capture();
    await dialog.accept();
    expect(await asked).toBe(true);
  });
});

describe('a page that crashes', () => {
  async function crash(scene: TestScene): Promise<void> {
    const session = await scene.context.newCDPSession(scene.page);
    session.send('Page.navigate', { url: 'chrome://crash' }).catch(() => {});
    await expect.poll(() => scene.observer.pages(scene.contextId)).toMatchObject([{ crashed: true }]);
  }

  test('is known to have crashed', async () => {
    await using scene = await openScene(TWO_PAGES);
    await scene.page.goto('http://a.test/');
    expect(scene.observer.pages(scene.contextId)).toMatchObject([{ crashed: false }]);
    await crash(scene);
  });

  test('is well again after it has loaded another page', async () => {
    await using scene = await openScene(TWO_PAGES);
    await scene.page.goto('http://a.test/');
    await crash(scene);
    const [crashed] = scene.observer.pages(scene.contextId);
    const { sessionId } = crashed ?? {};
    await scene.observer.cdp.send('Page.navigate', { url: 'http://a.test/b' }, { sessionId });
    await expect.poll(() => scene.observer.pages(scene.contextId)).toMatchObject([{ crashed: false }]);
    expect(await scene.capture()).toMatchObject({ pages: [{ dom: { captured: true } }] });
  });
});
