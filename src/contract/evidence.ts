import { z } from 'zod';
import { Snapshot } from './dom/snapshot.ts';
import { Json } from './json.ts';

/**
 * Something the judge tried to capture: either the value, or the reason why it is not there.
 * An assertion that needs a missing value is inconclusive, never passed and never failed.
 */
export function captured<T extends z.ZodType>(value: T) {
  return z.discriminatedUnion('captured', [
    z.strictObject({ captured: z.literal(true), value }),
    z.strictObject({ captured: z.literal(false), why: z.string() }),
  ]);
}

/** The TypeScript face of {@link captured}. */
export type Captured<T> = { captured: true; value: T } | { captured: false; why: string };

export function present<T>(value: T): Captured<T> {
  return { captured: true, value };
}

/** Says why there is no value. */
export function missing<T = never>(why: string): Captured<T> {
  return { captured: false, why };
}

const Dialog = z.strictObject({
  type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
  message: z.string(),
});

/** A frame that lives in a process of its own, and so is a capture of its own. */
const RemoteFrame = z.strictObject({
  frame_id: z.string(),
  /** The remote frame in which it stands; null: in the page's own process. */
  parent_frame_id: z.string().nullable(),
  /** Backend node id of the iframe element that owns it, in the snapshot of the parent; null if it could not be found. */
  owner_backend_node_id: z.number().nullable(),
  snapshot: captured(Snapshot),
});

/** One open tab. `id` is `page-1`, `page-2`, … in the order in which the episode opened them. */
export const PageEvidence = z.strictObject({
  id: z.string(),
  url: captured(z.string()),
  history: captured(z.array(z.string())),
  /** The JavaScript dialog that is open now, or null. Known from the browser's events, so never missing. */
  dialog: Dialog.nullable(),
  /** `loading`: the document was not there to its end, so what it lacks may have been still to come. */
  dom: captured(z.strictObject({ main: Snapshot, remote_frames: z.array(RemoteFrame), loading: z.boolean() })),
});
export type PageEvidence = z.infer<typeof PageEvidence>;

/** One exchange, as the world's own log (app server or proxy) saw it; never as page or agent report it. */
export const NetworkEntry = z.strictObject({
  seq: z.int(),
  method: z.string(),
  url: z.string(),
  /** Null while no response has been sent. */
  status: z.int().nullable(),
  /** Request body as text, at most 64 KB; null when there was none. */
  request_body: z.string().nullable(),
  request_body_truncated: z.boolean(),
});
export type NetworkEntry = z.infer<typeof NetworkEntry>;

const NetworkLog = z.strictObject({
  entries: z.array(NetworkEntry),
  /** The first `seq` that came after the start capture, and after the last tool call began. */
  since: z.strictObject({ contract_enter: z.int(), last_tool_call: z.int() }),
});

/** The answer that the agent gave. Graded apart, and only by the `answer` assertion. */
export const Answer = z.union([
  z.strictObject({ value: z.union([z.string(), z.number()]) }),
  z.strictObject({ not_possible: z.literal(true) }),
]);
export type Answer = z.infer<typeof Answer>;

/** The browser's picture of the page that was active last. `base64` holds a PNG. */
const Screenshot = z.strictObject({ media_type: z.literal('image/png'), base64: z.string() });

/**
 * Everything a contract may be judged on: the same bytes live and offline.
 * Taken by the judge's own connection to the browser and the world's own log; only `answer` comes from the agent.
 */
export const Evidence = z.strictObject({
  schema_version: z.literal(1),
  /** Open tabs, in the order in which they were opened. */
  pages: z.array(PageEvidence),
  /** Why the tabs could not be captured; `pages` is empty then. Absent when they were. */
  pages_missing: z.string().optional(),
  /** Id of the page that was active last; null when no page is open. */
  last_active: z.string().nullable(),
  /** The address of that page, loaded anew by the judge with its cookies and nothing else; only where a contract asks for it. */
  fresh: captured(PageEvidence),
  network: captured(NetworkLog),
  screenshot: captured(Screenshot),
  app_state: captured(z.strictObject({ start: Json, now: Json })),
  answer: Answer.nullable(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Returns the address of the page that was active last; empty where no page is left, null where it was not captured. */
export function finalUrlIn({
  pages,
  pages_missing: why,
  last_active: active,
}: Pick<Evidence, 'pages' | 'pages_missing' | 'last_active'>): string | null {
  if (pages.length === 0) return why === undefined ? '' : null;
  const url = pages.find(({ id }) => id === active)?.url;
  return url?.captured === true ? url.value : null;
}
