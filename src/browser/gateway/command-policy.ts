import { refusedAddress } from '../url-policy.ts';
import { type Command, commandIn } from './command.ts';

/** Why a command is not passed on. A violation would have changed what the judge sees; the rest only leads nowhere. */
export interface Refusal {
  why: string;
  isViolation: boolean;
}

const FORGED = 'it would put an answer of its own in the place of what the world sent';
const NOT_YOURS = 'the browser is not the client’s to end, and no page is to be given its protocol';

/** Commands that are never passed on, and why. */
const REFUSED: Readonly<Record<string, Refusal>> = {
  'Fetch.fulfillRequest': violation(FORGED),
  'Fetch.continueResponse': violation(FORGED),
  'Network.continueInterceptedRequest': violation(FORGED),
  'Browser.close': refusal(NOT_YOURS),
  'Browser.crash': violation(NOT_YOURS),
  'Browser.crashGpuProcess': violation(NOT_YOURS),
  'Target.exposeDevToolsProtocol': violation(NOT_YOURS),
};

/**
 * Says why a client's command is not passed on to the browser, or null when it is. Pages outside the world are no matter
 * of this policy: the world's proxy refuses them.
 */
export function refusalOf({ method, params = {} }: Command): Refusal | null {
  const refused = Object.hasOwn(REFUSED, method) ? REFUSED[method] : undefined;
  if (refused !== undefined) return refused;
  const { url, message, proxyServer } = params;
  if (method === 'Page.navigate' || method === 'Target.createTarget') {
    const why = typeof url === 'string' && url !== '' ? refusedAddress(url) : null;
    return why === null ? null : violation(why);
  }
  if (method === 'Target.createBrowserContext' && proxyServer !== undefined) {
    return violation('another proxy would lead out of the world of the task');
  }
  if (method === 'Target.sendMessageToTarget') {
    // An older way to speak to a page: a command in a command.
    const inner = typeof message === 'string' ? commandIn(message) : null;
    return inner === null ? refusal('it holds no command') : refusalOf(inner);
  }
  return null;
}

function violation(why: string): Refusal {
  return { why, isViolation: true };
}

function refusal(why: string): Refusal {
  return { why, isViolation: false };
}
