import http from 'node:http';
import { messageOf } from '../contract/message-of.ts';
import { portOf } from '../process/listening-port.ts';
import { printableLines } from '../report/printable.ts';
import { reportDocument } from '../report/html/page.ts';
import type { Report } from '../report/report.ts';
import { type HttpAnswer, pageAnswer, textAnswer } from './answer.ts';
import { answerTo } from './routes.ts';
import { addressOf, blobAddress, type ViewedBundle } from './viewed-bundle.ts';
import { ViewerError } from './viewer-error.ts';

/** A bundle that can be looked at in a browser of this machine. */
export interface Viewer {
  /** `http://127.0.0.1:<port>/`. */
  address: string;
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/** Beside the policy of each page. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/**
 * Serves a bundle on loopback, to be read only.
 * @param port 0: one that is free.
 * @throws ViewerError when the port is taken.
 */
export async function startViewer(bundle: ViewedBundle, report: Report, port: number): Promise<Viewer> {
  const links = { pageOf: addressOf, pictureOf: blobAddress };
  const first = pageAnswer(reportDocument(report, links, { allowed: ["img-src 'self'"] }));
  const server = http.createServer((request, response) => {
    void respond(request, response, { bundle, first });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ViewerError(port, error)));
    server.listen(port, LOOPBACK, resolve);
  });
  return {
    address: `http://${LOOPBACK}:${portOf(server)}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Served {
  bundle: ViewedBundle;
  /** The report. */
  first: HttpAnswer;
}

async function respond(request: http.IncomingMessage, response: http.ServerResponse, served: Served): Promise<void> {
  const { status, headers, body } = await answered(request, served);
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...HEADERS, ...headers, 'content-length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function answered(request: http.IncomingMessage, { bundle, first }: Served): Promise<HttpAnswer> {
  const refused = refusal(request);
  if (refused !== null) return refused;
  try {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    return (path === '/' ? first : await answerTo(path, bundle)) ?? textAnswer(404, 'The bundle has nothing here.\n');
  } catch (error) {
    return textAnswer(500, `${printableLines(messageOf(error))}\n`);
  }
}

/** Who may not ask: another name may have been made to lead here, so that a stranger's page could read the bundle. */
function refusal({ method = '', headers, socket }: http.IncomingMessage): HttpAnswer | null {
  const names = [LOOPBACK, 'localhost'].map((host) => `${host}:${socket.localPort}`);
  if (!names.includes(headers.host ?? '')) {
    return textAnswer(421, `Ask for ${names.join(' or ')}: this is served to nobody else.\n`);
  }
  if (method === 'GET' || method === 'HEAD') return null;
  const answer = textAnswer(405, 'A bundle can only be read.\n');
  return { ...answer, headers: { ...answer.headers, allow: 'GET, HEAD' } };
}
