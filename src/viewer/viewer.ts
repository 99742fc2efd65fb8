import http from 'node:http';
import { BundleError } from '../bundle/errors.ts';
import { messageOf } from '../contract/message-of.ts';
import { fact } from '../messages/messages.ts';
import { portOf } from '../process/listening-port.ts';
import { printableLines } from '../messages/printable.ts';
import { stateChanges } from './state-changes.ts';
import { reportDocument } from '../report/html/page.ts';
import { type HttpAnswer, pageAnswer, textAnswer, answerTo, pairAnswerTo } from './routes.ts';
import type { FollowedBundle } from './followed-bundle.ts';
import { addressOf, blobAddress } from './viewed-bundle.ts';
import type { Standing } from './standing.ts';

/** Most open streams, one per tab of a browser. */
const MAX = 32;

/** Sends the progress of a campaign to open pages, as server-sent events. */
class ChangeStream {
  readonly #followed: FollowedBundle;
  #open = 0;

  constructor(followed: FollowedBundle) {
    this.#followed = followed;
  }

  get hasRoom(): boolean {
    return this.#open < MAX;
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
  const changes = new ChangeStream(followed);
  const answer = async (path: string): Promise<HttpAnswer | null> =>
    path === '/' ? await reportAnswer(followed) : answerTo(path, followed.bundle);
  return await served(port, { answer, changes, close: async () => followed.close() });
}

/** Serves two bundles side by side, and each by its own viewer. */
export async function startPairViewer(before: FollowedBundle, after: FollowedBundle, port: number): Promise<Viewer> {
  const own = [await startViewer(before, 0), await startViewer(after, 0)] as const;
  const answer = (path: string): Promise<HttpAnswer | null> =>
    pairAnswerTo(path, [
      { bundle: before.bundle, report: before.report, origin: new URL(own[0].address).origin },
      { bundle: after.bundle, report: after.report, origin: new URL(own[1].address).origin },
    ]);
  const close = async (): Promise<void> => {
    await Promise.all(own.map((each) => each.close()));
  };
  try {
    return await served(port, { answer, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function served(port: number, source: Served): Promise<Viewer> {
  const server = http.createServer((request, response) => {
    void respond(request, response, source);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new BundleError(fact('cannot_listen', { port, why: messageOf(error) }), error)),
    );
    server.listen(port, LOOPBACK, resolve);
  });
  return {
    address: `http://${LOOPBACK}:${portOf(server)}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }).then(() => source.close()),
  };
}

interface Served {
  /** Null if the path names nothing. */
  answer(path: string): Promise<HttpAnswer | null>;
  changes?: ChangeStream;
  close(): Promise<void>;
}

async function respond(request: http.IncomingMessage, response: http.ServerResponse, source: Served): Promise<void> {
  const { changes } = source;
  if (request.method === 'GET' && request.url === CHANGES && refusal(request) === null && changes?.hasRoom === true) {
    changes.stream(response, HEADERS);
    return;
  }
  const { status, headers, body } = await answered(request, source);
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...HEADERS, ...headers, 'content-length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function answered(request: http.IncomingMessage, source: Served): Promise<HttpAnswer> {
  const refused = refusal(request);
  if (refused !== null) return refused;
  try {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    return (await source.answer(path)) ?? textAnswer(404, 'The bundle has nothing here.\n');
  } catch (error) {
    return textAnswer(500, `${printableLines(messageOf(error))}\n`);
  }
}

async function reportAnswer({ report, standing, isOver, bundle }: FollowedBundle): Promise<HttpAnswer> {
  const { layout } = bundle;
  const links = { pageOf: addressOf, pictureOf: blobAddress, bundle: layout.name };
  const allowed = ["img-src 'self'", ...(isOver ? [] : ["connect-src 'self'"])];
  const changes = await stateChanges(report, layout);
  return pageAnswer(reportDocument(report, links, { allowed, changes, running: isOver ? null : standing }));
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
