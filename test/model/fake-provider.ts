import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { READY } from '../../src/agent/model/preflight.ts';
import { WIRE_FORMATS } from './wire-formats.ts';

/** A request as the fake got it. */
export interface Asked<Body> {
  path: string;
  headers: IncomingMessage['headers'];
  body: Body;
}

/** How the fake answers one request. */
export type Answer = (response: ServerResponse) => void;

/**
 * A server on this machine in place of a provider's: it answers the requests, one after the other, by the script,
 * and what comes after its end with 500. The question before the first episode is none of them: it is answered by `first`.
 */
export async function fakeProvider<Body>(script: readonly Answer[], first: (path: string) => Answer = ready) {
  const asked: Asked<Body>[] = [];
  const askedFirst: Asked<unknown>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // Ports are given again: what still knocks for a server that had this one before is no request to a provider.
      if (request.method !== 'POST' || chunks.length === 0) {
        response.writeHead(405).end();
        return;
      }
      const said = Buffer.concat(chunks).toString('utf8');
      const of = { path: request.url ?? '', headers: request.headers };
      if (isAskedFirst(said)) {
        askedFirst.push({ ...of, body: JSON.parse(said) });
        first(of.path)(response);
        return;
      }
      const body: Body = JSON.parse(said);
      asked.push({ ...of, body });
      const next = script[asked.length - 1] ?? status(500);
      next(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, asked, askedFirst, close, [Symbol.asyncDispose]: close };
}

/** Whether a request is the question before the first episode. */
export function isAskedFirst(body: string): boolean {
  return body.includes('You are asked once before a benchmark begins.');
}

/** The tool is called, for nothing, in the format that a path is of. */
export function ready(path: string): Answer {
  const format = WIRE_FORMATS.find((each) => path.endsWith(each.path.split(/[/:]/).at(-1) ?? ''));
  if (format === undefined) throw new Error(`no provider has the path ${path}`);
  return text(format.reply({ calls: [[READY, {}]], fresh: 0, written: 0 }));
}

/** These bytes as the body of a 200. */
export function text(body: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
}

/** An error; all providers say it in a field of this name. */
export function status(code: number, said = 'no', headers: Record<string, string> = {}): Answer {
  return (response) => {
    const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message: said } });
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** Takes the request and never answers. */
export const hang: Answer = () => {};

/** Promises a whole reply and breaks off in the middle of it. */
export function breaksOff(body: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
    response.write(body.slice(0, 40), () => response.destroy());
  };
}
