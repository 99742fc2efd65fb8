import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { openScene, type Pages, type TestScene } from '../browser/scene.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../apps/nac3');

/** The runtime's files, as an app serves them. */
export async function runtimePages(origin = 'http://a.test'): Promise<Pages> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.js'));
  return Object.fromEntries(names.map((name) => [`${origin}/nac3/${name}`, () => script(path.join(FOLDER, name))]));
}

function script(file: string): Response {
  return new Response(readFileSync(file), { headers: { 'content-type': 'text/javascript' } });
}

/** A page with our runtime, its manifest, and a script of its host that runs once `NAC` is there. */
export function nac3Page(
  body: string,
  { host = '', manifest = {} }: { host?: string; manifest?: object } = {},
): string {
  return `${body}<script type="module" src="/nac3/nac3.js"></script><script type="module">
    const manifest = ${JSON.stringify({ plugin_slug: 'shop', nac_version: '2.3.0', ...manifest })};
    NAC.register(manifest);
    ${host}
  </script>`;
}

/** Opens a page of one plugin, `shop`, with our runtime. */
export async function openNac3(body: string, options: { host?: string; manifest?: object } = {}): Promise<TestScene> {
  const root = `<main data-nac-plugin="shop" data-nac-plugin-state="ready">${body}</main>`;
  const scene = await openScene({ 'http://a.test/': nac3Page(root, options), ...(await runtimePages()) });
  await scene.page.goto('http://a.test/');
  return scene;
}

/** The value of an expression in the page, or the code of its rejection. */
export async function outcome(scene: TestScene, expression: string): Promise<unknown> {
  return await scene.page.evaluate(`(async () => {
    try { return await (${expression}); } catch (error) { return { code: error.code, message: error.message }; }
  })()`);
}
