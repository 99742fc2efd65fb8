import http from 'node:http';
import { BundleError } from '../bundle/errors.ts';
import { messageOf } from '../contract/message-of.ts';
import { fact } from '../messages/messages.ts';
import { portOf } from '../process/listening-port.ts';
import { printableLines } from '../messages/printable.ts';
import { reportDocument } from '../report/html/page.ts';
import { type HttpAnswer, pageAnswer, textAnswer, answerTo } from './routes.ts';
import type { FollowedBundle } from './followed-bundle.ts';
import { addressOf, blobAddress } from './viewed-bundle.ts';
import type { Standing } from './standing.ts';

/** Most open streams, one per tab of a browser. */
const MOST = 32;

/** Sends the progress of a campaign to open pages, as server-sent events. */
class ChangeStream {
  readonly #followed: FollowedBundle;
  #open = 0;

  constructor(followed: FollowedBundle) {
    this.#followed = followed;
  }

  get hasRoom(): boolean {
    return this.#open < MOST;
  }

  /** Sends the progress now and after each change, until the client or the campaign ends. */
  stream(response: http.ServerResponse, headers: Record<string, string>): void {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
    const send = (standing: Standing): void => {
      const isOver = this.#followed.isOver;
      response.write(`data: ${JSON.stringify({ ...standing, isOver })}\n\n`);
      if (isOver) response.end();
    };
    const release = this.#followed.subscribe(send);
    this.#open += 1;
    response.once('close', () => {
      release();
      this.#open -= 1;
    });
    send(this.#followed.standing);
  }
}

/** A bundle served to browsers of this machine. */
export interface Viewer {
  /** `http://127.0.0.1:<port>/`. */
  address: string;
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** Requested by `pages/live.js`. */
const CHANGES = '/changes';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/**
 * Serves a bundle on loopback, read only.
 * @param port 0: a free one
 * @throws BundleError if the port is taken
 */
export async function startViewer(followed: FollowedBundle, port: number): Promise<Viewer> {
  const served = { followed, changes: new ChangeStream(followed) };
  const server = http.createServer((request, response) => {
    void respond(request, response, served);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(port, error)));
    server.listen(port, LOOPBACK, resolve);
  });
  return {
    address: `http://${LOOPBACK}:${portOf(server)}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        followed.close();
      }),
  };
}

function cannotListen(port: number, error: unknown): BundleError {
  return new BundleError(fact('cannot_listen', { port, why: messageOf(error) }), error);
}

interface Served {
  followed: FollowedBundle;
  changes: ChangeStream;
}

async function respond(request: http.IncomingMessage, response: http.ServerResponse, served: Served): Promise<void> {
  if (request.method === 'GET' && request.url === CHANGES && refusal(request) === null && served.changes.hasRoom) {
    served.changes.stream(response, HEADERS);
    return;
  }
  const { status, headers, body } = await answered(request, served.followed);
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...HEADERS, ...headers, 'content-length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function answered(request: http.IncomingMessage, followed: FollowedBundle): Promise<HttpAnswer> {
  const refused = refusal(request);
  if (refused !== null) return refused;
  try {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const answer = path === '/' ? reportAnswer(followed) : await answerTo(path, followed.bundle);
    return answer ?? textAnswer(404, 'The bundle has nothing here.\n');
  } catch (error) {
    return textAnswer(500, `${printableLines(messageOf(error))}\n`);
  }
}

/** Answers with the current report, which follows a running campaign. */
function reportAnswer({ report, standing, isOver, bundle: { layout } }: FollowedBundle): HttpAnswer {
  const links = { pageOf: addressOf, pictureOf: blobAddress, bundle: layout.name };
  const allowed = ["img-src 'self'", ...(isOver ? [] : ["connect-src 'self'"])];
  return pageAnswer(reportDocument(report, links, { allowed, running: isOver ? null : standing }));
}

/** Refuses other host names: through DNS rebinding, a stranger's page could read the bundle. */
function refusal({ method = '', headers, socket }: http.IncomingMessage): HttpAnswer | null {
  const names = [LOOPBACK, 'localhost'].map((host) => `${host}:${socket.localPort}`);
  if (!names.includes(headers.host ?? '')) {
    return textAnswer(421, `Ask for ${names.join(' or ')}: other hosts are refused.\n`);
  }
  if (method === 'GET' || method === 'HEAD') return null;
  const answer = textAnswer(405, 'A bundle can only be read.\n');
  return { ...answer, headers: { ...answer.headers, allow: 'GET, HEAD' } };
}
