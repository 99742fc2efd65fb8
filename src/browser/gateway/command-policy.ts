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

/** The browser's path of each file that clients may name, by the client's path. */
type Lent = ReadonlyMap<string, string>;

const FORGED = 'it would put an answer of its own in the place of what the world sent';
const NOT_YOURS = 'the browser is not the client’s to end, and no page is to be given its protocol';
const FILES = 'the browser runs outside the client’s sandbox, and no file of this machine is to be read through it';
const NONE: Lent = new Map();
const MACHINE =
  'the browser would connect to ports of this machine past every proxy, and take over browsers that it finds there';
const WINDOWS = 'windows of the browser itself are no part of the world, and some of them read any file';

const REWRITTEN = 'it would change the page’s text or looks behind the app’s back, and no tool call would show it';

/** Commands that would do harm. Others that are not on the list of allowed commands are also refused, but are not violations. */
const HARMFUL: Readonly<Record<string, Refusal>> = {
  'Browser.close': refusal(NOT_YOURS),
  ...violations(FORGED, 'Fetch.fulfillRequest Fetch.continueResponse Network.continueInterceptedRequest'),
  // A command to a crashed page can end the whole browser.
  ...violations(
    NOT_YOURS,
    `Browser.crash Browser.crashGpuProcess Page.crash Memory.prepareForLeakDetection Memory.forciblyPurgeJavaScriptMemory
     Memory.simulatePressureNotification Target.exposeDevToolsProtocol`,
  ),
  ...violations(
    REWRITTEN,
    `Page.setDocumentContent DOM.setAttributeValue DOM.setAttributesAsText DOM.setNodeName DOM.setNodeValue DOM.setOuterHTML
     CSS.addRule CSS.createStyleSheet CSS.setContainerQueryConditionText CSS.setContainerQueryText
     CSS.setEffectivePropertyValueForNode CSS.setKeyframeKey CSS.setMediaText CSS.setNavigationText
     CSS.setPropertyRulePropertyName CSS.setRuleSelector CSS.setScopeText CSS.setStyleSheetText CSS.setStyleTexts
     CSS.setSupportsText`,
  ),
  ...violations(WINDOWS, 'Target.openDevTools Browser.executeBrowserCommand'),
  ...violations(FILES, 'Extensions.loadUnpacked PWA.install PWA.launchFilesInApp'),
  ...violations('it would open a port of this machine', 'Tethering.bind'),
  ...violations(MACHINE, 'Target.setRemoteLocations'),
};

/** Allowed commands that do harm with some parameters. A rule returns null if the command may be passed on. */
const RULES: Readonly<Record<string, (params: Params, lent: Lent) => Refusal | null>> = {
  'Page.navigate': ({ url }) => ofAddress(url),
  'Target.createTarget': ({ url }) => ofAddress(url),
  'Network.loadNetworkResource': ({ url }) => ofAddress(url),
  'Fetch.continueRequest': ({ url }) => (url === undefined ? null : violation(FORGED)),
  'Target.createBrowserContext': ({ proxyServer, originsWithUniversalNetworkAccess: universal }) => {
    if (proxyServer !== undefined) return violation('another proxy would lead out of the world of the task');
    return universal === undefined ? null : violation('a page would read what its origin may not');
  },
  'DOM.setFileInputFiles': ({ files }, lent) => ofFiles(files, lent),
  'Input.dispatchDragEvent': ({ data }) => ofDrag(data),
};

/** The refusal of a method with any parameters; null if it depends on them. */
export function refusalOfMethod(method: string): Refusal | null {
  const harmful = Object.hasOwn(HARMFUL, method) ? HARMFUL[method] : undefined;
  if (harmful !== undefined) return harmful;
  return ALLOWED_METHODS.has(method) ? null : refusal('it is not a command that a client may send');
}

/** Pages outside the world are left to the world's proxy. */
export function refusalOf({ method, params = {} }: CdpCommand, lent = NONE): Refusal | null {
  const refused = refusalOfMethod(method);
  if (refused !== null) return refused;
  return Object.hasOwn(RULES, method) ? (RULES[method]?.(params, lent) ?? null) : null;
}

/**
 * Returns an allowed command as it is passed on: with only the parameters on its list. Dropping others is not a
 * violation: libraries send some that no page notices (`nativeVirtualKeyCode` would pass an unhandled key to the browser's own
 * window). The file that a client names becomes our copy, which no client can change.
 */
export function passedOn(command: CdpCommand, lent = NONE): CdpCommand {
  const { method, params } = command;
  if (params === undefined) return command;
  const allowed = allowedParams(method, params);
  const { files } = allowed;
  if (method === 'DOM.setFileInputFiles' && Array.isArray(files)) {
    return { ...command, params: { ...allowed, files: files.map((file: unknown) => lentAt(file, lent)) } };
  }
  return { ...command, params: allowed };
}

function ofAddress(address: unknown): Refusal | null {
  if (typeof address !== 'string' || address === '') return null;
  const why = refusedAddress(address);
  if (why === null) return null;
  return URL.canParse(address) ? violation(why) : refusal(why);
}

/** Refuses all files except those of the task, named by exactly the paths at which the client has them. */
function ofFiles(files: unknown, lent = NONE): Refusal | null {
  const named: unknown[] | null = files === undefined ? [] : Array.isArray(files) ? files : null;
  return named?.every((file) => lentAt(file, lent) !== undefined) === true ? null : violation(FILES);
}

function lentAt(file: unknown, lent: Lent): string | undefined {
  return typeof file === 'string' ? lent.get(file) : undefined;
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

function violations(why: string, methods: string): Record<string, Refusal> {
  return Object.fromEntries(methods.split(/\s+/).map((method) => [method, violation(why)]));
}

function violation(why: string): Refusal {
  return { why, isViolation: true };
}

function refusal(why: string): Refusal {
  return { why, isViolation: false };
}
