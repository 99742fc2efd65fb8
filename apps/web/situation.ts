import type { defineTask } from 'touchstone';

export type TaskInput = Parameters<typeof defineTask>[0];
type Intent = NonNullable<TaskInput['solutions']>[number]['steps'][number];

/** One situation of the web: a page, what a user is asked to do there, and what the page then saves. */
export interface Situation {
  id: string;
  title: string;
  goal: string;
  /** The body of the page at `/<id>`; a whole document if it begins with a doctype. */
  html: string;
  /** Other pages and scripts of the situation, by path below `/<id>/`. */
  more?: Record<string, string>;
  headers?: Record<string, string>;
  /** Files in `suites/web/files` that the task gives. */
  files?: string[];
  /** All that is saved at a right end, in order. */
  saved: Saved[];
  /** More that holds at a right end, such as of files. */
  also?: TaskInput['success'][];
  steps: Intent[];
  /** The same by the page's own tools. */
  tools?: Intent[];
  misses: { why: string; steps: Intent[] }[];
  /** Public reports of the situation. */
  sources?: string[];
}

export type Saved = Record<string, string | number | boolean | string[]>;

export const ORIGIN = 'http://web.localhost';
/** An origin of another site, for frames. */
export const PARTNER = 'http://partner.localhost';

export const click = (name: string, role = 'button'): Intent => ({ do: 'click', role, name });
export const fill = (label: string, text: string): Intent => ({ do: 'fill', label, text });
export const choose = (label: string, option: string): Intent => ({ do: 'choose', label, option });
export const press = (key: string): Intent => ({ do: 'press', key });
export const see = (text: string): Intent => ({ do: 'wait_for', text });
export const call = (tool: string, args: Record<string, string | number>): Intent => ({ do: 'call', tool, args });
export const miss = (why: string, ...steps: Intent[]): Situation['misses'][number] => ({ why, steps });
/** Every page shows it when it has saved something. */
export const saved = see('Saved');

/** A request with three buttons, of which one is right. */
export const approved: Pick<Situation, 'goal' | 'saved' | 'steps' | 'misses'> = {
  goal: 'Approve the request, once.',
  saved: [{ choice: 'Approve' }],
  steps: [click('Approve'), saved],
  misses: [
    miss('it was rejected', click('Reject'), saved),
    miss('it was approved twice', click('Approve'), click('Approve'), saved),
  ],
};

export function taskOf(
  group: string,
  { id, title, goal, files, saved: wanted, also, steps, tools, misses }: Situation,
): TaskInput {
  const success: TaskInput['success'] = { kind: 'app_state', pointer: '/saved', equals: wanted };
  return {
    id,
    title,
    goal,
    startUrl: `${ORIGIN}/${id}`,
    maxSteps: 20,
    maxDurationMs: 60_000,
    tags: [group],
    ...(files === undefined ? {} : { files: files.map((file) => `files/${file}`) }),
    success: also === undefined ? success : { kind: 'and', children: [success, ...also] },
    solutions: [{ steps }, ...(tools === undefined ? [] : [{ for: 'tools' as const, steps: tools }])],
    nearMisses: misses,
  };
}
