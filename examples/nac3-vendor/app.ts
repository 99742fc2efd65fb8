import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import net from 'node:net';
import { pathToFileURL } from 'node:url';
import { defineApp } from 'touchstone';
import { z } from 'zod';
import { vendorServer } from './checkout.ts';

// Known when the file is loaded, so that "validate" says it too.
const SERVER = vendorServer();
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
/** Run before the server: it ends when we do, however that is. */
const END_WITH_US = `data:text/javascript,${encodeURIComponent("process.stdin.on('end', () => process.exit()).resume().unref();")}`;

/** The vendor's own server, a process for each episode: it keeps its state in memory, and each begins with the seed. */
export default defineApp(async (parameters) => {
  const { child, port } = await begin();
  const base = `http://127.0.0.1:${port}`;
  // As the vendor's harness does it before a task whose invoice is open.
  if (typeof parameters['open'] === 'string')
    await post(`${base}/api/open-invoice`, { invoice_id: parameters['open'], step: parameters['step'] });
  return {
    fetch: (request) => passOn(base, request),
    state: async () => byId(VendorState.parse(await (await fetch(`${base}/api/state`)).json())),
    close: () => end(child),
  };
});

async function begin(): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', END_WITH_US, '--import', TSX, SERVER], {
    env: { PATH: process.env['PATH'], INVOICE_APP_PORT: String(port), TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4000);
        if (said.includes('listening on')) resolve();
      });
    }
    child.once('error', reject).once('exit', () => reject(new Error(`the vendor's server did not start: ${said}`)));
  });
  return { child, port };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

async function passOn(base: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = request.body === null ? null : await request.arrayBuffer();
  const type = request.headers.get('content-type');
  const headers = type === null ? {} : { 'content-type': type };
  return await fetch(`${base}${pathname}${search}`, { method: request.method, headers, body });
}

async function post(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { ok, status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!ok) throw new Error(`the vendor's server answered ${status} to ${url}`);
}

const Json = z.json();
const VendorState = z
  .object({
    invoices: z.array(
      z.object({ id: z.string(), lines: z.array(z.object({ id: z.string() }).catchall(Json)) }).catchall(Json),
    ),
  })
  .catchall(Json);

/** Invoices and their lines by their ids, so that contracts can name them; which view is open is the page's affair. */
function byId(state: z.infer<typeof VendorState>) {
  const { invoices, open_invoice_id: _open, wizard_step: _step, ...rest } = state;
  const keyed = invoices.map(({ lines, ...invoice }) => [
    invoice.id,
    { ...invoice, lines: Object.fromEntries(lines.map((line) => [line.id, line])) },
  ]);
  return { ...rest, invoices: Object.fromEntries(keyed) };
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
