import { NacError } from './error.js';
import { emit } from './events.js';
import { duplicatePlugins, elementsOf, idOf, roleOf, roots } from './tree.js';

/** @typedef {Record<string, string>} Labels a label in each language */
/** @typedef {{ type?: string, required?: boolean, max?: number, enum?: unknown[] }} ArgRule */
/** @typedef {{ verb: string, label_i18n?: Labels, args_schema?: Record<string, ArgRule>, payload_schema?: Record<string, ArgRule> }} VerbSpec */
/** @typedef {{ id: string, role: string, label_i18n?: Labels, actions?: VerbSpec[], undoable?: boolean }} ElementSpec */
/** @typedef {VerbSpec & { nac_id: string }} ActionSpec */
/** @typedef {{ plugin_slug: string, nac_version: string, version?: string, elements?: ElementSpec[], tabs?: { nac_id: string, label_i18n?: Labels }[], fields?: { id: string, type: string, required?: boolean, label_i18n?: Labels }[], actions?: ActionSpec[] }} Manifest */
/** @typedef {import('./error.js').Finding} Finding */

const ROLES = new Set(
  (
    'plugin section region action field option tab breadcrumb-item accordion-toggle step pagination-item ' +
    'confirm-button sort-control filter-control data-table navigation confirm-dialog feedback button draggable drop-target'
  ).split(' '),
);

/** @type {Map<string, Manifest>} */
const registered = new Map();

/**
 * Takes a plugin's manifest in the place of the one that it had.
 * @param {unknown} first the manifest, or its slug and then the manifest
 * @param {unknown} [second]
 * @throws NacError `invalid`, `strict_validation` or `duplicate_plugin_no_instance_id`; then nothing has changed
 */
export function register(first, second) {
  const manifest = checked(typeof first === 'string' ? withSlug(first, second) : first);
  registered.set(manifest.plugin_slug, manifest);
  emit('nac:registered', { plugin: manifest.plugin_slug, version: manifest.version ?? null });
  return { ok: true };
}

/**
 * As `register`, and nothing at all when the plugin has this manifest already: hosts may call it on every render.
 * @param {unknown} first
 * @param {unknown} [second]
 */
export function syncPlugin(first, second) {
  const manifest = checked(typeof first === 'string' ? withSlug(first, second) : first);
  const before = registered.get(manifest.plugin_slug);
  if (before !== undefined && stable(before) === stable(manifest)) return { ok: true, changed: false };
  register(manifest);
  return { ok: true, changed: true };
}

/** @param {string} slug */
export function unregister(slug) {
  return { ok: registered.delete(slug) };
}

/**
 * @param {string} slug
 * @returns {Manifest | null} a copy
 */
export function manifestOf(slug) {
  return structuredClone(registered.get(slug) ?? null);
}

/** @returns {Record<string, Manifest>} copies, by slug */
export function allManifests() {
  return structuredClone(Object.fromEntries(registered));
}

/**
 * The verbs that the manifests declare, in `elements[].actions[]` and in `actions[]` alike.
 * @param {string | null} plugin slug; null for all
 * @returns {{ plugin: string, id: string, spec: VerbSpec }[]}
 */
export function declaredVerbs(plugin) {
  return [...registered.values()]
    .filter(({ plugin_slug: slug }) => plugin === null || slug === plugin)
    .flatMap(({ plugin_slug: slug, elements = [], actions = [] }) => [
      ...actions.map((spec) => ({ plugin: slug, id: spec.nac_id, spec })),
      ...elements.flatMap(({ id, actions: verbs = [] }) => verbs.map((spec) => ({ plugin: slug, id, spec }))),
    ]);
}

/**
 * The labels that a manifest gives an element, in all languages.
 * @param {string} plugin
 * @param {string} id
 * @returns {Labels}
 */
export function labelsOf(plugin, id) {
  const { elements = [], tabs = [], fields = [] } = registered.get(plugin) ?? {};
  const element = elements.find((each) => each.id === id);
  const tab = tabs.find((each) => each.nac_id === id);
  const field = fields.find((each) => each.id === id);
  return element?.label_i18n ?? tab?.label_i18n ?? field?.label_i18n ?? {};
}

/**
 * Whether a manifest says that what an element does can be undone.
 * @param {string} plugin
 * @param {string} id
 */
export function isUndoable(plugin, id) {
  return registered.get(plugin)?.elements?.find((each) => each.id === id)?.undoable ?? false;
}

/**
 * @param {string} slug
 * @param {unknown} manifest
 */
function withSlug(slug, manifest) {
  return typeof manifest === 'object' && manifest !== null ? { ...manifest, plugin_slug: slug } : manifest;
}

/**
 * @param {unknown} given
 * @returns {Manifest}
 */
function checked(given) {
  if (!isManifest(given))
    throw new NacError('invalid', 'a manifest needs "plugin_slug" and "nac_version", and lists that are lists');
  const manifest = structuredClone(given);
  const findings = driftOf(manifest);
  if (findings.length > 0)
    throw new NacError('strict_validation', findings.map(({ message }) => message).join('; '), findings);
  if (duplicatePlugins().includes(manifest.plugin_slug)) {
    const message = `"${manifest.plugin_slug}" stands on several roots; give each a data-nac-plugin-id of its own`;
    throw new NacError('duplicate_plugin_no_instance_id', message);
  }
  return manifest;
}

/**
 * @param {unknown} given
 * @returns {given is Manifest}
 */
function isManifest(given) {
  if (typeof given !== 'object' || given === null) return false;
  const fields = new Map(Object.entries(given));
  const isNamed = ['plugin_slug', 'nac_version'].every((name) => {
    const value = fields.get(name);
    return typeof value === 'string' && value !== '';
  });
  const isListed = (/** @type {string} */ name, /** @type {string[]} */ keys) => {
    const list = fields.get(name) ?? [];
    return Array.isArray(list) && list.every((each) => keys.every((key) => typeof each?.[key] === 'string'));
  };
  return (
    isNamed &&
    isListed('elements', ['id', 'role']) &&
    isListed('tabs', ['nac_id']) &&
    isListed('fields', ['id', 'type']) &&
    isListed('actions', ['nac_id', 'verb'])
  );
}

/**
 * Where a manifest names roles that are none, or others than its page has.
 * @param {Manifest} manifest
 * @returns {Finding[]}
 */
export function driftOf({ plugin_slug: plugin, elements = [] }) {
  const inPage = roots()
    .filter(({ slug }) => slug === plugin)
    .flatMap((root) => elementsOf(root));
  return elements.flatMap(({ id, role }) => {
    const finding = (/** @type {string} */ code, /** @type {string} */ message) =>
      /** @type {Finding} */ ({ code, severity: 'error', plugin, nac_id: id, message });
    if (!ROLES.has(role)) return [finding('manifest_role_unknown', `"${id}" has the role "${role}", which is none`)];
    if (id.startsWith('tab.') && role !== 'tab')
      return [finding('tab_id_manifest_role_drift', `"${id}" is named as a tab and has the role "${role}"`)];
    const other = inPage.find((element) => idOf(element) === id && roleOf(element) !== role);
    if (other === undefined) return [];
    return [finding('manifest_dom_role_mismatch', `"${id}" is ${roleOf(other)} in the page, not ${role}`)];
  });
}

/**
 * JSON with sorted keys: equal manifests are equal text.
 * @param {unknown} value
 */
function stable(value) {
  return JSON.stringify(value, (_key, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
