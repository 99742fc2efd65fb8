import type { RecordedExchange } from './har.ts';

/**
 * Headers that a page is made of, or that say what it may do. Every other may differ each time that nothing has changed:
 * the date, the age of a copy, what a server calls a request.
 */
const COUNTING =
  /^(access-control-.*|clear-site-data|content-(disposition|language|security-policy|type)|cross-origin-.*|link|location|permissions-policy|referrer-policy|refresh|www-authenticate|x-content-type-options|x-frame-options)$/i;

/** A response as two are compared: its status, its body, and the headers that count. Of a cookie the name counts; its value is drawn. */
export function answerKey({ status, headers, body }: Pick<RecordedExchange, 'status' | 'headers' | 'body'>): string {
  const counting = headers.flatMap(({ name, value }) => {
    const lower = name.toLowerCase();
    if (lower === 'set-cookie') return [`set-cookie ${value.split('=')[0] ?? ''}`];
    return COUNTING.test(name) ? [`${lower} ${value}`] : [];
  });
  return JSON.stringify([status, body, counting.toSorted()]);
}
