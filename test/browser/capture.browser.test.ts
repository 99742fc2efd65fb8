import { describe, expect, test } from 'vitest';
import { capturePages, captureScreenshot } from '../../src/browser/capture.ts';
import { capturedFrames } from '../../src/contract/dom/document.ts';
import { renderedText } from '../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../src/contract/dom/select.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import type { PageEvidence } from '../../src/contract/evidence.ts';
import { evidence } from '../contract/evidence-sample.ts';
import { openScene, type TestScene } from './scene.ts';

async function onlyPage(scene: TestScene): Promise<PageEvidence> {
  const { pages } = await scene.capture();
  const [page] = pages;
  if (page === undefined || pages.length > 1) throw new Error(`there are ${pages.length} pages`);
  return page;
}

function texts({ dom }: PageEvidence, selector: string): string[] {
  if (!dom.captured) throw new Error(dom.why);
  return capturedFrames(dom.value).frames.flatMap((frame) => selectAll(frame, selector).map(renderedText));
}

test('a capture has every tab with its address, history and DOM, and names the last active one', async () => {
  await using scene = await openScene({ 'http://a.test/': '<h1>One</h1>', 'http://a.test/b': '<h1>Two</h1>' });
  await scene.page.goto('http://a.test/');
  await scene.page.goto('http://a.test/b');
  const second = await scene.context.newPage();
  await second.goto('http://a.test/');
  const { pages, last_active: active } = await scene.capture();
  const history = ['about:blank', 'http://a.test/'];
  expect(pages).toMatchObject([
    { id: 'page-1', url: { value: 'http://a.test/b' }, history: { value: [...history, 'http://a.test/b'] } },
    { id: 'page-2', url: { value: 'http://a.test/' }, history: { value: history } },
  ]);
  expect(pages.map((page) => texts(page, 'h1'))).toEqual([['Two'], ['One']]);
  expect(active).toBe('page-2');
});

describe.each([
  ['nodes', { text: 1e6, nodes: 300 }],
  ['text', { text: 6_000, nodes: 1e6 }],
])('a limit of %s', (what, most) => {
  const item = '<b>item</b>'.repeat(100) + `<p>${'x'.repeat(2_000)}</p>`;

  async function captured(tabs: number) {
    await using scene = await openScene({ 'http://a.test/': item });
    await scene.page.goto('http://a.test/');
    for (let more = 1; more < tabs; more += 1) await (await scene.context.newPage()).goto('http://a.test/');
    const { pages } = await capturePages(scene.observer, scene.contextId, most);
    return pages.map(({ dom }) => (dom.captured ? 'captured' : dom.why));
  }

  test('leaves out tabs that hold more in all', async () => {
    expect((await captured(3)).filter((each) => each !== 'captured')).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining(what)),
    );
  });

  test('keeps one that holds less', async () => {
    expect(await captured(1)).toEqual(['captured']);
  });
});

test('a text counts each time that it occurs', async () => {
  await using scene = await openScene({ 'http://a.test/': `<p>${'x'.repeat(100)}</p>`.repeat(100) });
  await scene.page.goto('http://a.test/');
  const { pages } = await capturePages(scene.observer, scene.contextId, { text: 6_000, nodes: 1e6 });
  expect(pages.map(({ dom }) => dom.captured)).toEqual([false]);
});

test('a capture without any page is marked', async () => {
  await using scene = await openScene({});
  await scene.page.close();
  await expect.poll(() => scene.capture()).toEqual({ pages: [], last_active: null });
  expect(await captureScreenshot(scene.observer, scene.contextId)).toEqual({ captured: false, why: 'no page is open' });
});

describe('frames', () => {
  const nested = {
    'http://a.test/':
      '<p>main</p><iframe id="first" src="http://b.test/"></iframe><iframe srcdoc="<p>srcdoc</p>"></iframe>',
    'http://b.test/': '<p>in b</p><iframe src="http://c.test/"></iframe><iframe src="/same"></iframe>',
    'http://b.test/same': '<p>same as b</p>',
    'http://c.test/': '<p>in c</p>',
  };

  test('are captured with their owners if they run in other processes, even nested ones', async () => {
    await using scene = await openScene(nested);
    await scene.page.goto('http://a.test/');
    const page = await onlyPage(scene);
    const remote = page.dom.captured ? page.dom.value.remote_frames : [];
    expect(remote).toMatchObject([
      { owner_backend_node_id: expect.any(Number), snapshot: { captured: true } },
      { owner_backend_node_id: expect.any(Number), snapshot: { captured: true } },
    ]);
    expect(texts(page, 'p').toSorted()).toEqual(['in b', 'in c', 'main', 'same as b', 'srcdoc']);
    expect(texts(page, 'p')[0]).toBe('main');
  });

  test('are not captured after they have gone', async () => {
    await using scene = await openScene(nested);
    await scene.page.goto('http://a.test/');
    expect(texts(await onlyPage(scene), 'p')).toContain('in c');
    await scene.page.evaluate('document.getElementById("first").remove()');
    await expect.poll(async () => texts(await onlyPage(scene), 'p')).toEqual(['main', 'srcdoc']);
  });
});

describe('the value of a field', () => {
  const CLOSED = `<script>const host = document.createElement('div');
    host.attachShadow({ mode: 'closed' }).innerHTML = '<input class="in-closed" value="Ada">';
    document.currentScript.replaceWith(host);</script>`;
  const LYING = `<input id="lying"><script>
    for (const [kind, name] of [[HTMLInputElement, 'value'], [HTMLInputElement, 'type'], [Element, 'getAttribute']])
      Object.defineProperty(kind.prototype, name, { get: () => 'Ada', set: () => {}, configurable: true });</script>`;
  const SCRIPTED = `<input id="scripted" value="Grace"><script>document.getElementById('scripted').value = 'Ada';</script>`;

  async function verdicts(page: string, selector: string) {
    const inside = '<input class="in-frame" value="Ada">';
    await using scene = await openScene({ 'http://a.test/': page, 'http://b.test/': inside });
    await scene.page.goto('http://a.test/');
    const { pages, last_active: active } = await scene.capture();
    const captured = evidence({ pages, last_active: active });
    return ['Ada', 'Grace', ''].flatMap((equals) => {
      const { verdict } = evaluate({ kind: 'field_value', selector, equals }, captured);
      return verdict === 'fail' ? [] : [`${verdict} of ${equals}`];
    });
  }

  test.each([
    ['is the one that the page shows, though a script has set it', SCRIPTED, '#scripted', ['pass of Ada']],
    ['is not what the page makes scripts believe', LYING, '#lying', ['pass of ']],
    ['is found in a closed shadow root', CLOSED, '.in-closed', ['pass of Ada']],
    ['is found in a frame of another origin', '<iframe src="http://b.test/"></iframe>', '.in-frame', ['pass of Ada']],
  ])('%s', async (_, page, selector, expected) => {
    expect(await verdicts(page, selector)).toEqual(expected);
  });

  test('is not captured for a password, neither typed nor sent by the page', async () => {
    await using scene = await openScene({
      'http://a.test/': '<input id="p" type="password" value="sent-Harbour"><textarea id="t"></textarea>',
    });
    await scene.page.goto('http://a.test/');
    expect(JSON.stringify(await scene.capture())).not.toContain('Harbour');
    await scene.page.fill('#p', 'tulip-Harbour');
    await scene.page.fill('#t', 'Ada');
    const captured = JSON.stringify(await scene.capture());
    expect(captured).not.toContain('Harbour');
    expect(captured).toContain('Ada');
  });
});

describe('an open dialog', () => {
  test('hides the DOM, with the reason, but not address, history and dialog', async () => {
    await using scene = await openScene({ 'http://a.test/': '<h1>Behind</h1>' });
    await scene.page.goto('http://a.test/');
    const opened = scene.page.waitForEvent('dialog');
    const asked = scene.page.evaluate('confirm("Sure?")');
    const dialog = await opened;
    await expect
      .poll(() => onlyPage(scene))
      .toEqual({
        id: 'page-1',
        dialog: { type: 'confirm', message: 'Sure?' },
        url: { captured: true, value: 'http://a.test/' },
        history: { captured: true, value: ['about:blank', 'http://a.test/'] },
        dom: { captured: false, why: 'a dialog is open, and a page cannot be read behind it' },
      });
    expect(await captureScreenshot(scene.observer, scene.contextId)).toMatchObject({ captured: false });
    await dialog.dismiss();
    await asked;
    await expect.poll(async () => (await onlyPage(scene)).dom.captured).toBe(true);
  });

  test('does not stop the capture of another tab', async () => {
    await using scene = await openScene({ 'http://a.test/': '<h1>Behind</h1>', 'http://b.test/': '<h1>Other</h1>' });
    await scene.page.goto('http://a.test/');
    const second = await scene.context.newPage();
    await second.goto('http://b.test/');
    const opened = scene.page.waitForEvent('dialog');
    scene.page.evaluate('alert("Wait")').catch(() => {});
    const dialog = await opened;
    await expect.poll(async () => (await scene.capture()).pages.map(({ dom }) => dom.captured)).toEqual([false, true]);
    await dialog.dismiss();
  });
});

describe('a missing part has a reason', () => {
  test('when the tab has crashed', async () => {
    await using scene = await openScene({ 'http://a.test/': '<h1>Soon gone</h1>' });
    await scene.page.goto('http://a.test/');
    const session = await scene.context.newCDPSession(scene.page);
    session.send('Page.navigate', { url: 'chrome://crash' }).catch(() => {});
    await expect.poll(() => scene.observer.pages(scene.contextId)).toMatchObject([{ crashed: true }]);
    expect(await onlyPage(scene)).toMatchObject({
      url: { captured: true, value: 'http://a.test/' },
      dom: { captured: false, why: 'the page has crashed' },
    });
    expect(await captureScreenshot(scene.observer, scene.contextId)).toEqual({
      captured: false,
      why: 'the page has crashed',
    });
  });

  test('when the page is busy forever', async () => {
    const begun: string[] = [];
    const noteBegin = (): Response => {
      begun.push('the loop');
      return new Response();
    };
    await using scene = await openScene({ 'http://a.test/': '<h1>Busy</h1>', 'http://a.test/begins': noteBegin });
    await scene.page.goto('http://a.test/');
    scene.page.evaluate('fetch("/begins"); for (;;);').catch(() => {});
    await expect.poll(() => begun).toEqual(['the loop']);
    const capturing = await Promise.all([onlyPage(scene), captureScreenshot(scene.observer, scene.contextId)]);
    expect(capturing).toMatchObject([
      {
        url: { captured: true, value: 'http://a.test/' },
        dom: { captured: false, why: 'the browser did not answer Page.getFrameTree within 8000 ms' },
      },
      { captured: false, why: 'the browser did not answer Page.captureScreenshot within 4000 ms' },
    ]);
  });
});

test('a screenshot is a PNG of the last active tab', async () => {
  await using scene = await openScene({ 'http://a.test/': '<body style="background: red">' });
  await scene.page.goto('http://a.test/');
  const screenshot = await captureScreenshot(scene.observer, scene.contextId);
  if (!screenshot.captured) throw new Error(screenshot.why);
  expect(Buffer.from(screenshot.value.base64, 'base64').subarray(1, 4).toString()).toBe('PNG');
});
