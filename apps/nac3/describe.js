import { isDisabled, isNative, isVisible, labelOf, valueOf } from './dom.js';
import { isUndoable, labelsOf } from './manifests.js';
import { activeRoot, elementsOf, elementsWith, idOf, roleOf, roots } from './tree.js';
import { NAC_VERSION } from './version.js';

/** @typedef {import('./tree.js').PluginRoot} PluginRoot */
/** @typedef {ReturnType<typeof described>} Described */

/** What the structure was when it was described last, and how often it has changed: by plugin root, and of the page. */
const structures = new Map();

/** The page as agents see it. */
export function describe() {
  const all = roots();
  const plugins = all.map((root) => pluginEntry(root));
  const active = activeRoot();
  return {
    nac_version: NAC_VERSION,
    timestamp: new Date().toISOString(),
    url: location.href,
    active: active === null ? null : active.slug,
    tree_version: versionOf('', JSON.stringify(plugins.map(({ plugin, elements }) => [plugin, shapeOf(elements)]))),
    plugins,
  };
}

/** @param {PluginRoot} root */
function pluginEntry(root) {
  const elements = elementsOf(root).map((element) => described(element, root.slug));
  return {
    plugin: root.slug,
    plugin_instance_id: root.instance,
    plugin_state: root.element.getAttribute('data-nac-plugin-state'),
    plugin_version: versionOf(`${root.slug}#${root.instance ?? ''}`, shapeOf(elements)),
    elements,
  };
}

/** @param {Described[]} elements */
function shapeOf(elements) {
  return JSON.stringify(elements.map(({ nac_id: id, role }) => [id, role]));
}

/**
 * `v_1`, and one more whenever elements have come or gone; what they hold does not count.
 * @param {string} key
 * @param {string} shape
 */
function versionOf(key, shape) {
  const known = structures.get(key) ?? { shape, version: 1 };
  const version = known.shape === shape ? known.version : known.version + 1;
  structures.set(key, { shape, version });
  return `v_${version}`;
}

/**
 * @param {HTMLElement} element
 * @param {string} plugin
 */
function described(element, plugin) {
  const role = roleOf(element);
  const isField = role === 'field' || role === 'option';
  const entry = {
    nac_id: idOf(element),
    plugin,
    role,
    state: element.getAttribute('data-nac-state'),
    field_type: element.getAttribute('data-nac-field-type'),
    action: element.getAttribute('data-nac-action'),
    error: element.getAttribute('data-nac-error'),
    label: labelOf(element) || manifestLabel(plugin, idOf(element)),
    value: isField ? valueOf(element) : element.getAttribute('data-nac-value'),
    visible: isVisible(element),
    disabled: isDisabled(element),
    a11y_hint: (element.getAttribute('data-nac-a11y-hint') ?? '').split('|').filter((hint) => hint !== ''),
    braille_label: element.getAttribute('data-nac-braille-label'),
    undoable: isUndoable(plugin, idOf(element)),
    ...(isNative(element) ? stateOfNative(element) : {}),
  };
  return { ...entry, element_state_hash: fnv(JSON.stringify(entry)) };
}

/** @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} element */
function stateOfNative(element) {
  if (element instanceof HTMLSelectElement) {
    const options = [...element.options].map(({ value, label, disabled }) => ({ value, label, disabled }));
    return { options };
  }
  const isBox = element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type);
  return { ...(isBox ? { checked: element.checked } : {}), ...(element.readOnly ? { readonly: true } : {}) };
}

/**
 * @param {string} plugin
 * @param {string} id
 */
function manifestLabel(plugin, id) {
  const labels = labelsOf(plugin, id);
  const language = document.documentElement.lang.slice(0, 2);
  return labels[language] ?? labels['en'] ?? Object.values(labels)[0] ?? '';
}

/** @returns {Described[]} every element of a role, or of all */
export function list(/** @type {string | undefined} */ role) {
  return describe()
    .plugins.flatMap(({ elements }) => elements)
    .filter((element) => role === undefined || element.role === role);
}

/**
 * The element that a call with this id would mean.
 * @param {string} id
 * @param {{ plugin?: string | null }} [options]
 * @returns {Described | null}
 */
export function find(id, options = {}) {
  const [element] = elementsWith(id, options.plugin);
  if (element === undefined) return null;
  const root = roots().find((each) => elementsOf(each).includes(element));
  return described(element, root?.slug ?? '');
}

/** What every element holds, by plugin and id. */
export function snapshotState() {
  const states = describe().plugins.map(({ plugin, plugin_instance_id: instance, elements }) => [
    instance === null ? plugin : `${plugin}#${instance}`,
    Object.fromEntries(
      elements.map(({ nac_id: id, value, state, visible, disabled }) => [id, { value, state, visible, disabled }]),
    ),
  ]);
  return Object.fromEntries(states);
}

/**
 * FNV-1a, 32 bits: tells two states apart, and proves nothing.
 * @param {string} text
 */
function fnv(text) {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
