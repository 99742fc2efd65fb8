import { z } from 'zod';

/** The words on tools that differ from library to library. */
export interface Wording {
  /** Says what `snapshot` shows. */
  snapshot: string;
  /** Which selectors there are, and how they come from a snapshot. */
  selector: string;
  /** Says what `option` is compared with. */
  option: string;
  /** Says what becomes of a tab that a page opens. */
  newTab: string;
  /** Says what the agent is told of a dialog that opens. */
  dialog: string;
}

/** The ten tools that every library has, with their arguments and with what a model is told of them. */
export function libraryTools(words: Wording) {
  const selector = z.string().min(1).max(10_000).describe(words.selector);
  return {
    navigate: {
      description: 'Open an address in the current tab.',
      args: z.strictObject({
        url: z.string().min(1).describe('The address in full, for example https://example.com/'),
      }),
    },
    back: { description: 'Go back one page in the history of the current tab.', args: z.strictObject({}) },
    snapshot: { description: words.snapshot, args: z.strictObject({}) },
    click: { description: 'Click an element.', args: z.strictObject({ selector }) },
    fill: {
      description: 'Replace the content of a text field.',
      args: z.strictObject({ selector, text: z.string().describe('The new content') }),
    },
    select: {
      description: 'Choose an option of a drop-down list.',
      args: z.strictObject({ selector, option: z.string().min(1).describe(words.option) }),
    },
    press: {
      description: 'Press a key, or keys together, wherever the focus is in the current tab.',
      args: z.strictObject({ key: z.string().min(1).max(100).describe('For example "Enter" or "Control+A"') }),
    },
    wait: {
      description: 'Wait until the current tab shows a text, at most five seconds.',
      args: z.strictObject({ text: z.string().min(1) }),
    },
    tabs: {
      description: `Work on another tab, which comes to the front. A tab that is still opening is waited for, at most five seconds. ${words.newTab}`,
      args: z.strictObject({
        index: z.int().min(0).describe('Tabs count from 0 in the order in which they were opened'),
      }),
    },
    dialog: {
      description: `Answer the dialog that is open. ${words.dialog}`,
      args: z.strictObject({
        action: z.enum(['accept', 'dismiss']),
        text: z.string().optional().describe('What to enter, when the dialog asks for text'),
      }),
    },
  };
}

export type LibraryTools = ReturnType<typeof libraryTools>;
