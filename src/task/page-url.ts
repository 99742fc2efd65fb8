import { z } from 'zod';

/** A page that a task may start on or go to. */
export const PageUrl = z.string().superRefine((text, context) => {
  const message = pageUrlProblem(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

function pageUrlProblem(text: string): string | null {
  if (text === 'about:blank') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return 'is not a URL; write it whole, for example http://basics.localhost/form';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `starts with ${url.protocol}; use http:, https: or about:blank`;
  }
  return url.username + url.password === '' ? null : 'holds a user name or password; leave them out';
}
