import { z } from 'zod';
import { Snapshot } from './dom/snapshot.ts';
import { Json, JsonObject } from './json.ts';

/** A value that the judge captured, or why it is missing. An assertion that needs a missing value is inconclusive. */
export function captured<T extends z.ZodType>(value: T) {
  return z.discriminatedUnion('captured', [
    z.strictObject({ captured: z.literal(true), value }),
    z.strictObject({ captured: z.literal(false), why: z.string() }),
  ]);
}

export type Captured<T> = { captured: true; value: T } | { captured: false; why: string };

export function present<T>(value: T): Captured<T> {
  return { captured: true, value };
}

export function missing<T = never>(why: string): Captured<T> {
  return { captured: false, why };
}

const Dialog = z.strictObject({
  type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
  message: z.string(),
});

/** A frame in its own process, captured separately. */
const RemoteFrame = z.strictObject({
  frame_id: z.string(),
  /** The remote frame that contains it; null: a frame in the page's own process. */
  parent_frame_id: z.string().nullable(),
  /** The iframe element that owns it, in the snapshot of the parent; null if it was not found. */
  owner_backend_node_id: z.number().nullable(),
  snapshot: captured(Snapshot),
});

/** One open tab. `id` is `page-1`, `page-2`, … in the order in which the episode opened them. */
export const PageEvidence = z.strictObject({
  id: z.string(),
  url: captured(z.string()),
  history: captured(z.array(z.string())),
  /** The open JavaScript dialog, or null. Known from the browser's events, so never missing. */
  dialog: Dialog.nullable(),
  /** `loading`: the document was not complete, so missing content may have come later. */
  dom: captured(z.strictObject({ main: Snapshot, remote_frames: z.array(RemoteFrame), loading: z.boolean() })),
});
export type PageEvidence = z.infer<typeof PageEvidence>;

/** Whether the value of a header lets its reader act as the user. */
export function isCredentialHeader(name: string): boolean {
  return /auth|cookie|token|api-?key|secret|passw|session|[cx]srf|jwt|signature/i.test(name);
}

/** Names are in lower case; those of credentials have no value. */
const Headers = z.array(z.strictObject({ name: z.string(), value: z.string().nullable() }));

/** The rest of an exchange, which the log keeps if the task asks for whole ones. */
const KeptExchange = z.strictObject({
  request_headers: Headers,
  /** Null without one by the app. */
  response: z
    .strictObject({
      headers: Headers,
      /** At most 64 KB, as it was sent. */
      body: z.string().nullable(),
      /** Also if it is not text, or had not ended. */
      truncated: z.boolean(),
    })
    .nullable(),
});
export type KeptExchange = z.infer<typeof KeptExchange>;

/** One exchange, from the world's own log (app server or proxy), never from page or agent. */
export const NetworkEntry = z.strictObject({
  seq: z.int(),
  method: z.string(),
  url: z.string(),
  status: z.int().nullable(),
  /** At most 64 KB; null if there was none. */
  request_body: z.string().nullable(),
  request_body_truncated: z.boolean(),
  /** Absent unless asked for, and in a log that is full. */
  kept: KeptExchange.optional(),
});
export type NetworkEntry = z.infer<typeof NetworkEntry>;

const NetworkLog = z.strictObject({
  entries: z.array(NetworkEntry),
  /** The first `seq` after the start capture, and after the last tool call began. */
  since: z.strictObject({ contract_enter: z.int(), last_tool_call: z.int() }),
});

/** A file that the browser has downloaded. Its name and text are those that the site chose. */
export const Download = z.strictObject({
  name: z.string(),
  /** At most 2,000 characters: a `data:` URL holds the file. */
  url: z.string(),
  /** `too_large`: the judge has cancelled it. */
  state: z.enum(['completed', 'canceled', 'in_progress', 'too_large']),
  /** Null unless it is completed, and if its file could not be read. */
  bytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** At most 64 KB; null if it is not text. */
  text: z.string().nullable(),
  text_truncated: z.boolean(),
});
export type Download = z.infer<typeof Download>;

/** Graded only by the `answer` assertion. */
export const Answer = z.union([
  z.strictObject({ value: z.union([z.string(), z.number()]) }),
  z.strictObject({ not_possible: z.literal(true) }),
]);
export type Answer = z.infer<typeof Answer>;

/** A value as an agent or a solution gives it. What is neither text nor a number is kept as JSON text. */
export function givenValue(problem = 'must be text, a number, or a list or map of them') {
  return z
    .union([z.string(), z.number(), z.boolean(), z.array(Json), JsonObject], problem)
    .transform((value) => (typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)));
}

/** The page that was active last, as a PNG. */
const Screenshot = z.strictObject({ media_type: z.literal('image/png'), base64: z.string() });

/**
 * Everything a contract may be judged on, live and offline. It comes from the judge's own connection to the browser and from
 * the world's own log; only `answer` comes from the agent.
 */
export const Evidence = z.strictObject({
  schema_version: z.literal(1),
  /** In the order in which they were opened. */
  pages: z.array(PageEvidence),
  /** Why the tabs could not be captured; `pages` is empty then. */
  pages_missing: z.string().optional(),
  /** Null if no page is open. */
  last_active: z.string().nullable(),
  /** The address of that page, loaded again by the judge with its cookies only; if a contract asks for it. */
  fresh: captured(PageEvidence),
  network: captured(NetworkLog),
  /** In the order in which they began. Absent in older evidence, and if nothing was downloaded and no assertion asks for it. */
  downloads: captured(z.array(Download)).optional(),
  screenshot: captured(Screenshot),
  app_state: captured(z.strictObject({ start: Json, now: Json })),
  answer: Answer.nullable(),
});
export type Evidence = z.infer<typeof Evidence>;

/** The address of the page that was active last; empty if no page is left, null if it was not captured. */
export function finalUrlIn({
  pages,
  pages_missing: why,
  last_active: active,
}: Pick<Evidence, 'pages' | 'pages_missing' | 'last_active'>): string | null {
  if (pages.length === 0) return why === undefined ? '' : null;
  const url = pages.find(({ id }) => id === active)?.url;
  return url?.captured === true ? url.value : null;
}
