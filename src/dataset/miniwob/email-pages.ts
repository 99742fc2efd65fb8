import type { Contract } from '../../contract/schema.ts';
import { anyOf, classed, rowsFor, field, type PageRow, shows } from './clauses.ts';
import type { SeenPage } from './seen-page.ts';

/** The inboxes. A deletion leaves no trace in the document. */
export const EMAIL_PAGES: readonly PageRow[] = rowsFor(
  [
    '',
    '-noscroll',
    '-nl-turk',
    '-reply',
    '-star-reply',
    '-important',
    '-forward',
    '-forward-nl',
    '-forward-nl-turk',
  ].map((kind) => `email-inbox${kind}`),
  (seen) => {
    const { by, to, message, task } = { ...named(seen.utterance), ...seen.fields };
    if (by === undefined) return null;
    if (message !== undefined) return [shows('#reply .reply-sender', by), field('#reply-text', message)];
    if (to !== undefined) return forwarded(seen, by, to);
    return task === 'star' ? starred(seen, by) : null;
  },
);

/** Pages without fields name these in their goals. */
function named(utterance: string): Partial<Record<'by' | 'to' | 'message' | 'task', string>> {
  const [, by, message, to, task] =
    /^Find the email by (.+?) and (?:reply to them with the text "(.+)"|forward that email to (.+)|click the (star) icon .+)\.$/.exec(
      utterance,
    ) ?? [];
  return {
    ...(by === undefined ? {} : { by }),
    ...(message === undefined ? {} : { message }),
    ...(to === undefined ? {} : { to }),
    ...(task === undefined ? {} : { task }),
  };
}

/** The place of each email of a sender in the list. */
function placesOf(seen: SeenPage, sender: string): number[] {
  return classed(seen, 'email-sender').flatMap(({ text }, at) => (text === sender ? [at] : []));
}

/** The inbox shows how an email begins. */
function forwarded(seen: SeenPage, sender: string, to: string): Contract[] {
  const [place = -1, ...others] = placesOf(seen, sender);
  const begin = classed(seen, 'email-body')[place]?.text.replace(/\.\.$/, '') ?? '';
  const isKnown = others.length === 0 && begin !== '';
  return [
    field('#forward .forward-sender', to),
    ...(isKnown ? [{ kind: 'field_value', selector: '#forward-text', contains: begin } as const] : []),
  ];
}

function star(place: string): Contract {
  return { kind: 'dom_count', selector: `${place} .star.clicked`, op: 'gte', value: 1 };
}

/** In the list, or with the email open. */
function starred(seen: SeenPage, sender: string): Contract[] | null {
  const listed = placesOf(seen, sender).map((at) => star(`#main > .email-thread[data-index="${at}"]`));
  return anyOf([...listed, { kind: 'and', children: [shows('#email .email-sender', sender), star('#email')] }]);
}
