import { preflight, TIMEOUT_MS } from './act.js';
import { allowed } from './confirm.js';
import { NacError } from './error.js';
import { ACTION, answers, detailOf, emit, outcomeOf } from './events.js';
import { declaredVerbs } from './manifests.js';
import { activeRoot, elementsWith, idOf, pluginOf, theElement } from './tree.js';

/** @typedef {import('./manifests.js').VerbSpec} VerbSpec */
/** @typedef {import('./manifests.js').ArgRule} ArgRule */
/** @typedef {{ timeout?: number, plugin?: string | null, verb?: string }} RequestOptions */

/**
 * Asks the host for an action with a payload. The host answers by `nac:action:succeeded` or `nac:action:failed` with the request's own id;
 * the first answer counts, and others are not heard.
 * @param {string} id
 * @param {unknown} [payload]
 * @param {RequestOptions} [options]
 */
export async function invoke(id, payload = {}, options = {}) {
  const plugin = options.plugin ?? null;
  const declared = declaredVerbs(plugin).filter((each) => each.id === id);
  const found = elementsWith(id, plugin);
  const element = found.length === 0 && declared.length > 0 ? null : theElement(id, { plugin });
  if (element !== null) preflight(element);
  const verb =
    options.verb ??
    ownVerb(
      element,
      declared.map(({ spec: { verb: each } }) => each),
    );
  const spec = declared.find((each) => each.spec.verb === verb)?.spec;
  if (spec !== undefined) checkPayload(payload, spec);
  if (element !== null && !(await allowed(element))) {
    return { ok: false, event: 'nac:action:confirm:denied', detail: { action_id: id, error: 'denied' } };
  }
  const owner = (element === null ? null : pluginOf(element)) ?? declared[0]?.plugin ?? activeRoot()?.slug ?? null;
  // Pages that are not secure have no randomUUID.
  const requestId = crypto.getRandomValues(new Uint32Array(4)).join('-');
  return await outcomeOf(ACTION, answers(requestId), options.timeout ?? TIMEOUT_MS, () => {
    emit('nac:action:requested', { plugin: owner, action_id: id, verb, payload, request_id: requestId });
  });
}

/**
 * What an element is invoked for: its own verb, or else the first that the manifest declares of it.
 * @param {HTMLElement | null} element
 * @param {string[]} declared
 */
function ownVerb(element, declared) {
  const own = element?.getAttribute('data-nac-action') ?? null;
  return own !== null && declared.includes(own) ? own : (declared[0] ?? own);
}

/**
 * Says something to an element: its host gets the words and their language.
 * @param {string} id
 * @param {{ text?: unknown, lang?: unknown }} words
 * @param {RequestOptions} [options]
 */
export async function utter(id, { text, lang } = {}, options = {}) {
  if (typeof text !== 'string' || text.trim() === '') throw new NacError('empty_payload', 'there is no text to utter');
  const language = typeof lang === 'string' ? lang : document.documentElement.lang;
  return await invoke(id, { text, lang: language }, { ...options, verb: 'utter' });
}

/**
 * @param {unknown} payload
 * @param {VerbSpec} spec
 * @throws NacError `invalid`, which names the first argument that is not right
 */
function checkPayload(payload, { verb, args_schema: args, payload_schema: schema }) {
  const rules = args ?? schema;
  if (rules === undefined) return;
  if (typeof payload !== 'object' || payload === null)
    throw new NacError('invalid', `"${verb}" takes an object of arguments`);
  const given = new Map(Object.entries(payload));
  const unknown = [...given.keys()].find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined) {
    throw new NacError('invalid', `"${verb}" has no argument "${unknown}"; it has ${Object.keys(rules).join(', ')}`);
  }
  for (const [name, rule] of Object.entries(rules)) {
    const problem = problemWith(given.get(name), rule);
    if (problem !== null) throw new NacError('invalid', `argument "${name}" of "${verb}" ${problem}`);
  }
}

/**
 * @param {unknown} value
 * @param {ArgRule} rule
 * @returns {string | null}
 */
function problemWith(value, { type, required = false, max, enum: values }) {
  if (value === undefined) return required ? 'is missing' : null;
  const kind = type === 'integer' ? 'number' : type;
  if (kind !== undefined && ['string', 'number', 'boolean'].includes(kind) && typeof value !== kind)
    return `is no ${type}`;
  if (type === 'integer' && !Number.isInteger(value)) return 'is no whole number';
  const size = typeof value === 'string' ? value.length : value;
  if (max !== undefined && typeof size === 'number' && size > max) return `is more than ${max}`;
  if (values !== undefined && !values.includes(value)) return `is none of ${values.join(', ')}`;
  return null;
}

/** What a host's handler is told. @typedef {{ verb: string | null, payload: unknown, request_id: string | null, is_trusted: boolean }} Requested */

/**
 * Runs a host's handler for clicks on an element and for requests to it, and says afterwards what came of it.
 * A request that has been seen is not run again.
 * @param {HTMLElement} element
 * @param {(requested: Requested) => unknown} handler what it returns is the `ack`; what it throws, with its `code`, is the failure
 * @param {{ plugin?: string | null, action_id?: string }} [options]
 * @returns {() => void} unbinds
 */
export function bindAction(element, handler, options = {}) {
  const plugin = options.plugin ?? pluginOf(element);
  const actionId = options.action_id ?? idOf(element);
  /** @type {Set<string>} */
  const seen = new Set();
  const run = async (/** @type {Requested} */ requested) => {
    const about = {
      plugin,
      action_id: actionId,
      is_trusted: requested.is_trusted,
      ...(requested.request_id === null ? {} : { request_id: requested.request_id }),
    };
    try {
      emit('nac:action:succeeded', { ...about, ack: await handler(requested) });
    } catch (error) {
      emit('nac:action:failed', { ...about, error: codeOf(error), message: String(error) });
    }
  };
  const onClick = (/** @type {Event} */ { isTrusted }) => {
    void run({ verb: element.getAttribute('data-nac-action'), payload: {}, request_id: null, is_trusted: isTrusted });
  };
  const onRequest = (/** @type {Event} */ event) => {
    const { action_id: id, plugin: wanted, request_id: requestId, verb, payload } = detailOf(event);
    if (id !== actionId || (wanted !== null && wanted !== plugin)) return;
    if (typeof requestId !== 'string' || seen.has(requestId)) return;
    seen.add(requestId);
    void run({ verb: typeof verb === 'string' ? verb : null, payload, request_id: requestId, is_trusted: false });
  };
  element.addEventListener('click', onClick);
  document.addEventListener('nac:action:requested', onRequest);
  return () => {
    element.removeEventListener('click', onClick);
    document.removeEventListener('nac:action:requested', onRequest);
  };
}

/** @param {unknown} error */
function codeOf(error) {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : 'failed';
}
