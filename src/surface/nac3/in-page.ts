import { z } from 'zod';

// What is here runs in the page, beside code of strangers: no function refers to anything outside itself, and each gives
// back text, which is data and nothing else. No name is given to a function within: tools that run TypeScript would add to it.

/** Longest description of a page that is taken, in characters of JSON. */
export const MAX_DESCRIPTION_LENGTH = 1_000_000;
/** Longest result of a call that is shown, in characters of JSON. */
export const MAX_OUTCOME_LENGTH = 2_000;

/** What looking at a page's `window.NAC` came to. */
export const Look = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('threw'), message: z.string() }),
  z.object({ kind: z.literal('long'), length: z.number() }),
  z.object({
    kind: z.literal('seen'),
    description: z.unknown(),
    manifests: z.unknown(),
    version: z.string().nullable(),
    language: z.string(),
  }),
]);

/** Asks for `describe()` and `manifest()`. Runs in the page. */
export async function look(maxLength: number): Promise<string> {
  const nac: unknown = Reflect.get(globalThis, 'NAC');
  if (typeof nac !== 'object' || nac === null) return '{"kind":"none"}';
  try {
    const describe: unknown = Reflect.get(nac, 'describe');
    if (typeof describe !== 'function') return '{"kind":"none"}';
    const description: unknown = await Reflect.apply(describe, nac, []);
    const manifest: unknown = Reflect.get(nac, 'manifest');
    const manifests: unknown = typeof manifest === 'function' ? await Reflect.apply(manifest, nac, []) : {};
    const document: unknown = Reflect.get(globalThis, 'document');
    const root: unknown = Object(document).documentElement;
    const version: unknown = Reflect.get(nac, 'runtime_version') ?? Reflect.get(nac, 'version');
    const text = JSON.stringify({
      kind: 'seen',
      description,
      manifests,
      version: typeof version === 'string' ? version.slice(0, 100) : null,
      language: String(Object(root).lang).slice(0, 2),
    });
    return text.length > maxLength ? JSON.stringify({ kind: 'long', length: text.length }) : text;
  } catch (error) {
    return JSON.stringify({ kind: 'threw', message: String(error).slice(0, 500) });
  }
}

/** What a call of NAC3 came to. */
export const Outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('done'), ok: z.boolean(), result: z.string() }),
  z.object({ kind: z.literal('rejected'), code: z.string(), message: z.string() }),
]);
export type Outcome = z.infer<typeof Outcome>;

/** Calls a method of `window.NAC`. Runs in the page. */
export async function callNac({ method, args, max }: NacCall & { max: number }): Promise<string> {
  const nac: unknown = Reflect.get(globalThis, 'NAC');
  const call: unknown = typeof nac === 'object' && nac !== null ? Reflect.get(nac, method) : undefined;
  if (typeof call !== 'function') return '{"kind":"none"}';
  try {
    const result: unknown = await Reflect.apply(call, nac, args);
    const ok: unknown = Object(result).ok;
    return JSON.stringify({ kind: 'done', ok: ok !== false, result: (JSON.stringify(result) ?? '').slice(0, max) });
  } catch (error) {
    const code: unknown = Object(error).code;
    const message: unknown = Object(error).message;
    return JSON.stringify({
      kind: 'rejected',
      code: typeof code === 'string' ? code.slice(0, 100) : 'error',
      message: String(message ?? error).slice(0, 500),
    });
  }
}

/** A call as it is made in the page. */
export interface NacCall {
  method: string;
  args: unknown[];
}
