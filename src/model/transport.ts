/** One request to a provider, as it leaves this process. */
export interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Its reply, read to the end. */
export interface HttpReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The provider's HTTP boundary: everything that is asked of a model passes here, and can be recorded or replayed.
 * Rejects if the reply is incomplete.
 */
export type Transport = (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>;

/** Longest reply that is read, in characters: 4096 tokens are far less. */
export const MAX_REPLY_LENGTH = 8 * 1024 * 1024;

export const overNetwork: Transport = async ({ url, headers, body }, signal) => {
  // A redirect could lead the key elsewhere.
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  const text = await readText(response);
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
};

async function readText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_REPLY_LENGTH) throw new Error(`the reply has more than ${MAX_REPLY_LENGTH} characters`);
  }
  return text + decoder.decode();
}
