import { createServer, type Server } from 'node:http';
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { present } from '../../../src/contract/evidence.ts';
import { capturedFrames } from '../../../src/contract/dom/document.ts';
import { renderedText } from '../../../src/contract/dom/rendered-text.ts';
import { selectAll } from '../../../src/contract/dom/select.ts';
import { Snapshot } from '../../../src/contract/dom/snapshot.ts';
import { machineBrowser } from '../../shared-browser.ts';
import { captureSession, openPage } from './capture.ts';

let server: Server;
let port: number;
let context: BrowserContext;

/** Each path is a page: its body is the query. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><body>${url.searchParams.get('body') ?? ''}`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  port = z.object({ port: z.number() }).parse(server.address()).port;
  // Past the proxy: the pages of this test are served on loopback.
  context = await (
    await (await machineBrowser()).playwright()
  ).newContext({ proxy: { server: 'http://127.0.0.1:1', bypass: '127.0.0.1,localhost' } });
});
afterAll(async () => {
  await context.close();
  server.close();
});

const urlOf = (host: string, body: string) => `http://${host}:${port}/?body=${encodeURIComponent(body)}`;
const framing = (url: string) => `<iframe src="${url.replaceAll('"', '&quot;')}"></iframe>`;
const textsOf = (frames: Parameters<typeof selectAll>[0][]) =>
  frames.map((frame) => selectAll(frame, 'body').map(renderedText).join());

test('frames of the same process are found at their owners, nested ones too', async () => {
  const captured = await openPage(`a<iframe srcdoc="b<iframe srcdoc=c></iframe>"></iframe><iframe srcdoc=d></iframe>`);
  await expect.poll(() => captured.page.frames().length).toBe(4);
  const { frames, uncaptured } = await captured.frames();
  expect(textsOf([...frames])).toEqual(['a', 'b', 'c', 'd']);
  expect(uncaptured).toEqual([]);
  await captured.page.context().close();
});

async function remoteFrame(page: Page, frame: Frame, parent: CDPSession) {
  const session = await page.context().newCDPSession(frame);
  const { frameTree } = await session.send('Page.getFrameTree');
  const owner = await parent.send('DOM.getFrameOwner', { frameId: frameTree.frame.id });
  return {
    frame_id: frameTree.frame.id,
    parent_frame_id: null,
    owner_backend_node_id: owner.backendNodeId,
    snapshot: present(Snapshot.parse(await captureSession(session))),
  };
}

test.each([
  ['visible', 'far'],
  ['hidden', ''],
])('a frame of another process whose owner is %s has the text %j', async (visibility, text) => {
  const page = await context.newPage();
  const other = urlOf('localhost', '<p>far</p>');
  await page.goto(urlOf('127.0.0.1', `<div style="visibility:${visibility}">${framing(other)}</div>`));
  const main = await context.newCDPSession(page);
  await main.send('DOM.enable');
  const far = page.frames().find((frame) => frame.url() === other);
  if (far === undefined) throw new Error('the frame is not there');
  const dom = {
    main: Snapshot.parse(await captureSession(main)),
    remote_frames: [await remoteFrame(page, far, main)],
    loading: false,
  };
  expect(textsOf([...capturedFrames(dom).frames])).toEqual(['', text]);
  await page.close();
});

test('a frame of another site is a process of its own, and is found at its owner', async () => {
  const page = await context.newPage();
  const other = urlOf('localhost', '<p class=there>far</p>');
  await page.goto(
    urlOf('127.0.0.1', `${framing(urlOf('127.0.0.1', 'x'))}near${framing(other)}${framing(urlOf('127.0.0.1', 'y'))}`),
  );
  const main = await context.newCDPSession(page);
  await main.send('DOM.enable');
  const snapshot = Snapshot.parse(await captureSession(main));
  const far = page.frames().find((frame) => frame.url() === other);
  if (far === undefined) throw new Error('the frame is not there');

  expect(capturedFrames({ main: snapshot, remote_frames: [], loading: false }).uncaptured).toEqual([
    `the capture does not hold the document of <iframe src="${other}">`,
  ]);
  const dom = { main: snapshot, remote_frames: [await remoteFrame(page, far, main)], loading: false };
  const { frames, uncaptured } = capturedFrames(dom);
  expect(uncaptured).toEqual([]);
  expect(textsOf([...frames])).toEqual(['near', 'x', 'far', 'y']);
  expect(frames.map((frame) => selectAll(frame, '.there').length)).toEqual([0, 0, 1, 0]);
  await page.close();
});
