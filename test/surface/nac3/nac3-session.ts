import { ACTION_TIMEOUT_MS } from '../../../src/surface/page/stage.ts';
import { nac3Surface } from '../../../src/surface/nac3/nac3.ts';
import { shownIn, type NacShown, type ShownElement } from '../../../src/surface/nac3/shown.ts';
import type { ToolReply } from '../../../src/task/tool.ts';
import type { Pages } from '../../browser/scene.ts';
import { nac3Page, runtimePages } from '../../nac3/nac3-page.ts';
import { openSurface, type SurfaceScene } from '../page-session.ts';

/** Opens the surface on the start page `http://a.test/`. */
export async function openNac3On(pages: Pages, timeoutMs = ACTION_TIMEOUT_MS): Promise<SurfaceScene> {
  return await openSurface(nac3Surface, { ...(await runtimePages()), ...pages }, { timeoutMs });
}

/** Opens the surface on a page of one plugin, `shop`, with our runtime; its buttons answer when they are clicked or asked. */
export async function openShop(
  body: string,
  {
    host = '',
    manifest = {},
    timeoutMs = ACTION_TIMEOUT_MS,
  }: { host?: string; manifest?: object; timeoutMs?: number } = {},
): Promise<SurfaceScene> {
  const root = `<main data-nac-plugin="shop" data-nac-plugin-state="ready">${body}</main>`;
  return await openNac3On({ 'http://a.test/': nac3Page(root, { host: `${ANSWERING}${host}`, manifest }) }, timeoutMs);
}

const ANSWERING = `
  window.done = [];
  for (const element of document.querySelectorAll('button')) {
    const { nacId, nacRole = 'action' } = element.dataset;
    if (nacRole === 'tab') element.addEventListener('click', () => {
      done.push(nacId);
      document.dispatchEvent(new CustomEvent('nac:tab:activated', { detail: { plugin: 'shop', tab_id: nacId } }));
    });
    else NAC.bindAction(element, ({ verb, payload }) => {
      done.push(nacId);
      element.dataset.nacState = 'done';
      return { verb, payload };
    });
  }`;

export function shown(reply: ToolReply): NacShown {
  const read = shownIn(reply.text);
  if (read === null) throw new Error(`no description in:\n${reply.text}`);
  return read;
}

/** An element of a reply's description. */
export function element(reply: ToolReply, nacId: string): ShownElement {
  const found = shown(reply)
    .plugins.flatMap(({ elements }) => elements)
    .find((each) => each.nac_id === nacId);
  if (found === undefined) throw new Error(`no "${nacId}" in:\n${reply.text}`);
  return found;
}
