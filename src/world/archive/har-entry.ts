import type { Header, HarEntry } from './har.ts';

/** One exchange, whole and with its bodies decoded. */
export interface HttpExchange {
  /** The owner: the id of a task, or a word for what is beside every task. */
  page: string;
  startedAt: Date;
  /** In ms. */
  time: number;
  request: { method: string; url: string; headers: Header[]; body: StoredBody | null };
  response: { status: number; statusText: string; headers: Header[]; body: StoredBody | null };
  /** Who answered; null when that is not known, or nobody did. */
  address: string | null;
}

/** A body that is kept under its name. */
export interface StoredBody {
  name: string;
  size: number;
  type: string;
  /** The digest that requests are compared by, see `bodyDigest`; null in a response. */
  digest: string | null;
}

const HTTP_VERSION = 'HTTP/1.1';
/** HAR's value for a size or a time that is not known. */
const UNKNOWN = -1;

export function harEntry({ page, startedAt, time, request, response, address }: HttpExchange): HarEntry {
  const { method, url, body } = request;
  const location = response.headers.find(({ name }) => name.toLowerCase() === 'location');
  return {
    pageref: page,
    startedDateTime: startedAt.toISOString(),
    time,
    request: {
      method,
      url,
      httpVersion: HTTP_VERSION,
      cookies: [],
      headers: request.headers,
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: UNKNOWN,
      bodySize: body?.size ?? 0,
      ...(body === null || body.digest === null
        ? {}
        : { postData: { mimeType: body.type, params: [], text: '', _file: body.name, _digest: body.digest } }),
    },
    response: {
      status: response.status,
      statusText: response.statusText,
      httpVersion: HTTP_VERSION,
      cookies: [],
      headers: response.headers,
      content: {
        size: response.body?.size ?? 0,
        mimeType: response.body?.type ?? 'application/octet-stream',
        ...(response.body === null ? {} : { _file: response.body.name }),
      },
      redirectURL: location?.value ?? '',
      headersSize: UNKNOWN,
      bodySize: UNKNOWN,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(address === null ? {} : { serverIPAddress: address }),
  };
}
