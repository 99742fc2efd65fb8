import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the fake got it. */
export interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  body: {
    model: string;
    max_tokens: number;
    temperature?: number;
    stream?: boolean;
    system: unknown;
    tools: { name: string; input_schema: unknown }[];
    messages: { role: string; content: Record<string, unknown>[] }[];
  };
}

/** How the fake answers one request. */
export type Answer = (response: ServerResponse, asked: Asked) => void;

/**
 * A server on this machine that speaks the wire format of Anthropic's Messages API, as its documentation has it: it answers
 * the requests, one after the other, as the script says, and what comes after its end with 500.
 */
export async function fakeAnthropic(script: readonly Answer[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: Asked['body'] = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const each: Asked = { path: request.url ?? '', headers: request.headers, body };
      asked.push(each);
      const next = script[asked.length - 1] ?? status(500);
      next(response, each);
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
  return { url: `http://127.0.0.1:${port}`, asked, close, [Symbol.asyncDispose]: close };
}

const USAGE = { input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

interface ReplyParts {
  content: unknown[];
  stop?: string;
  usage?: Record<string, number>;
}

/** The body of a reply. */
export function messageBody({ content, stop = 'tool_use', usage = {} }: ReplyParts): string {
  return JSON.stringify({
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-6',
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: { ...USAGE, ...usage },
  });
}

/** A whole reply. */
export function message(parts: ReplyParts): Answer {
  return text(messageBody(parts));
}

/** A reply that calls these tools, in this order. */
export function calls(...each: [tool: string, input: unknown][]): Answer {
  return message({ content: each.map(([name, input], index) => use(name, input, index)) });
}

let ids = 0;

export function use(name: string, input: unknown, index = 0): Record<string, unknown> {
  ids += 1;
  return { type: 'tool_use', id: `toolu_${ids}_${index}`, name, input };
}

/** These bytes as the body of a 200. */
export function text(body: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
}

/** An error as the API has them. */
export function status(code: number, said = 'no', headers: Record<string, string> = {}): Answer {
  return (response) => {
    const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message: said } });
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** Takes the request and never answers. */
export const hang: Answer = () => {};

/** Promises a whole reply and breaks off in the middle of it. */
export const breakOff: Answer = (response) => {
  const body = messageBody({ content: [use('snapshot', {})] });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) });
  response.write(body.slice(0, 40), () => response.destroy());
};
