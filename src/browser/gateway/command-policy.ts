import { refusedAddress } from '../url-policy.ts';
import { ALLOWED_METHODS, allowedParams } from './allowed-methods.ts';
import type { CdpCommand } from './command.ts';

/**
 * Why a command is not passed on. A violation would have changed what the judge sees, or reached out of the world: to the
 * files of this machine, to another network, to the browser itself. Other refused commands are useless, not harmful.
 */
export interface Refusal {
  why: string;
  isViolation: boolean;
}

type Params = NonNullable<CdpCommand['params']>;

const FORGED = 'it would put an answer of its own in the place of what the world sent';
const NOT_YOURS = 'the browser is not the client’s to end, and no page is to be given its protocol';
const FILES = 'the browser runs outside the client’s sandbox, and no file of this machine is to be read through it';
const MACHINE =
  'the browser would connect to ports of this machine past every proxy, and take over browsers that it finds there';
const WINDOWS = 'windows of the browser itself are no part of the world, and some of them read any file';

const REWRITTEN = 'it would change the page’s text or looks behind the app’s back, and no tool call would show it';

/** Commands that would do harm. Others that are not on the list of allowed commands are refused, too, but are not violations. */
const HARMFUL: Readonly<Record<string, Refusal>> = {
  'Fetch.fulfillRequest': violation(FORGED),
  'Fetch.continueResponse': violation(FORGED),
  'Network.continueInterceptedRequest': violation(FORGED),
  'Browser.close': refusal(NOT_YOURS),
  'Browser.crash': violation(NOT_YOURS),
  'Browser.crashGpuProcess': violation(NOT_YOURS),
  // A command to a crashed page can end the whole browser.
  'Page.crash': violation(NOT_YOURS),
  'Memory.prepareForLeakDetection': violation(NOT_YOURS),
  'Memory.forciblyPurgeJavaScriptMemory': violation(NOT_YOURS),
  'Memory.simulatePressureNotification': violation(NOT_YOURS),
  'Target.exposeDevToolsProtocol': violation(NOT_YOURS),
  'Page.setDocumentContent': violation(REWRITTEN),
  'DOM.setAttributeValue': violation(REWRITTEN),
  'DOM.setAttributesAsText': violation(REWRITTEN),
  'DOM.setNodeName': violation(REWRITTEN),
  'DOM.setNodeValue': violation(REWRITTEN),
  'DOM.setOuterHTML': violation(REWRITTEN),
  'CSS.addRule': violation(REWRITTEN),
  'CSS.createStyleSheet': violation(REWRITTEN),
  'CSS.setContainerQueryConditionText': violation(REWRITTEN),
  'CSS.setContainerQueryText': violation(REWRITTEN),
  'CSS.setEffectivePropertyValueForNode': violation(REWRITTEN),
  'CSS.setKeyframeKey': violation(REWRITTEN),
  'CSS.setMediaText': violation(REWRITTEN),
  'CSS.setNavigationText': violation(REWRITTEN),
  'CSS.setPropertyRulePropertyName': violation(REWRITTEN),
  'CSS.setRuleSelector': violation(REWRITTEN),
  'CSS.setScopeText': violation(REWRITTEN),
  'CSS.setStyleSheetText': violation(REWRITTEN),
  'CSS.setStyleTexts': violation(REWRITTEN),
  'CSS.setSupportsText': violation(REWRITTEN),
  'Target.openDevTools': violation(WINDOWS),
  'Browser.executeBrowserCommand': violation(WINDOWS),
  'Extensions.loadUnpacked': violation(FILES),
  'PWA.install': violation(FILES),
  'PWA.launchFilesInApp': violation(FILES),
  'Tethering.bind': violation('it would open a port of this machine'),
  'Target.setRemoteLocations': violation(MACHINE),
};

/** Allowed commands that do harm with some parameters. A rule returns null if the command may be passed on. */
const RULES: Readonly<Record<string, (params: Params) => Refusal | null>> = {
  'Page.navigate': ({ url }) => ofAddress(url),
  'Target.createTarget': ({ url }) => ofAddress(url),
  'Network.loadNetworkResource': ({ url }) => ofAddress(url),
  'Fetch.continueRequest': ({ url }) => (url === undefined ? null : violation(FORGED)),
  'Target.createBrowserContext': ({ proxyServer, originsWithUniversalNetworkAccess: universal }) => {
    if (proxyServer !== undefined) return violation('another proxy would lead out of the world of the task');
    return universal === undefined ? null : violation('a page would read what its origin may not');
  },
  'DOM.setFileInputFiles': ({ files }) => ofFiles(files),
  'Input.dispatchDragEvent': ({ data }) => ofDrag(data),
};

/** The refusal of a method with any parameters; null if it depends on them. */
export function refusalOfMethod(method: string): Refusal | null {
  const harmful = Object.hasOwn(HARMFUL, method) ? HARMFUL[method] : undefined;
  if (harmful !== undefined) return harmful;
  return ALLOWED_METHODS.has(method) ? null : refusal('it is not a command that a client may send');
}

/**
 * Returns why a client's command is not passed on to the browser; null if it is. Pages outside the world are left to the
 * world's proxy.
 */
export function refusalOf({ method, params = {} }: CdpCommand): Refusal | null {
  const refused = refusalOfMethod(method);
  if (refused !== null) return refused;
  return Object.hasOwn(RULES, method) ? (RULES[method]?.(params) ?? null) : null;
}

/**
 * Returns an allowed command as it is passed on: with the parameters on its list alone. Libraries send some of the others, which
 * a page never feels (`nativeVirtualKeyCode` would hand a key that the page leaves to the browser's own window), so they are
 * no violation. Nor is a download to a folder of the client's choice, which libraries ask for as they connect: it is cancelled,
 * as it is for every entrant, and its events come.
 */
export function passedOn(command: CdpCommand): CdpCommand {
  const { method, params } = command;
  if (params === undefined) return command;
  const allowed = allowedParams(method, params);
  const { behavior } = allowed;
  const isDownload = method === 'Browser.setDownloadBehavior' || method === 'Page.setDownloadBehavior';
  const keeps = isDownload && behavior !== 'deny' && behavior !== 'default';
  return { ...command, params: keeps ? { ...allowed, behavior: 'deny' } : allowed };
}

/** Refuses an address outside the world. A text that is not an address leads nowhere. */
function ofAddress(address: unknown): Refusal | null {
  if (typeof address !== 'string' || address === '') return null;
  const why = refusedAddress(address);
  if (why === null) return null;
  return URL.canParse(address) ? violation(why) : refusal(why);
}

/** Refuses files that a page could read. An empty list clears a field. */
function ofFiles(files: unknown): Refusal | null {
  const isNone = files === undefined || (Array.isArray(files) && files.length === 0);
  return isNone ? null : violation(FILES);
}

/** Refuses files, and addresses outside the world, that are dropped on a page: it would open them. */
function ofDrag(data: unknown): Refusal | null {
  const { files, items } = isParams(data) ? data : {};
  const refused = ofFiles(files);
  if (refused !== null || !Array.isArray(items)) return refused;
  const addresses = items.flatMap((item: unknown) => {
    const { mimeType, data: text } = isParams(item) ? item : {};
    if (typeof mimeType !== 'string' || !/^\s*text\/uri-list/i.test(mimeType) || typeof text !== 'string') return [];
    return text.split(/[\r\n]+/).filter((line) => !line.startsWith('#'));
  });
  const refusals = addresses.map(ofAddress).filter((each) => each !== null);
  return refusals.find(({ isViolation }) => isViolation) ?? refusals[0] ?? null;
}

function isParams(value: unknown): value is Params {
  return typeof value === 'object' && value !== null;
}

function violation(why: string): Refusal {
  return { why, isViolation: true };
}

function refusal(why: string): Refusal {
  return { why, isViolation: false };
}
