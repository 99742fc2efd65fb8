import { deepAll, deepClosest } from './dom.js';
import { NacError } from './error.js';

const ROOT = '[data-nac-plugin]';

/** The root of one plugin instance: its key is slug and instance id. @typedef {{ element: HTMLElement, slug: string, instance: string | null }} PluginRoot */

/** @returns {PluginRoot[]} in the order of the page */
export function roots() {
  return deepAll(ROOT).map((element) => ({
    element,
    slug: element.getAttribute('data-nac-plugin') ?? '',
    instance: element.getAttribute('data-nac-plugin-id'),
  }));
}

/**
 * The last root that says it is ready, else the last of the page.
 * @returns {PluginRoot | null}
 */
export function activeRoot() {
  const all = roots();
  return all.findLast(({ element }) => element.getAttribute('data-nac-plugin-state') === 'ready') ?? all.at(-1) ?? null;
}

/**
 * The elements of a root with a `data-nac-id`. An element belongs to the nearest root around it, and to no other.
 * @param {PluginRoot} root
 */
export function elementsOf(root) {
  return deepAll('[data-nac-id]').filter((element) => deepClosest(element, ROOT) === root.element);
}

/** @param {Element} element */
export function idOf(element) {
  return element.getAttribute('data-nac-id') ?? '';
}

/** @param {Element} element */
export function roleOf(element) {
  return element.getAttribute('data-nac-role') ?? 'action';
}

/** @param {Element} element */
export function pluginOf(element) {
  return deepClosest(element, ROOT)?.getAttribute('data-nac-plugin') ?? null;
}

/**
 * The elements with this id: those of the plugin that is named; else those of the active one; else all.
 * @param {string} id
 * @param {string | null | undefined} plugin slug
 */
export function elementsWith(id, plugin) {
  const all = deepAll('[data-nac-id]').filter((element) => idOf(element) === id);
  if (plugin !== null && plugin !== undefined) return all.filter((element) => pluginOf(element) === plugin);
  const active = activeRoot()?.element;
  const inActive = all.filter((element) => active !== undefined && deepClosest(element, ROOT) === active);
  return inActive.length > 0 ? inActive : all;
}

/**
 * @param {string} id
 * @param {{ plugin?: string | null, code?: 'not_found' | 'field_not_found' | 'section_not_found' }} options
 * @throws NacError `ambiguous` when several have the id: none of them is guessed at
 */
export function theElement(id, { plugin, code = 'not_found' } = {}) {
  const [element, ...others] = elementsWith(id, plugin);
  if (element === undefined) throw new NacError(code, `there is no element "${id}"`);
  if (others.length > 0) throw new NacError('ambiguous', `${others.length + 1} elements have the id "${id}"`);
  return element;
}

/**
 * @param {string | null} plugin slug; null for the active plugin
 * @throws NacError `plugin_not_found`
 */
export function rootsOf(plugin) {
  const active = activeRoot();
  const found = plugin === null ? (active === null ? [] : [active]) : roots().filter(({ slug }) => slug === plugin);
  if (found.length === 0) throw new NacError('plugin_not_found', `there is no plugin "${plugin ?? '(active)'}"`);
  return found;
}

/** Slugs that stand on several roots of which not each has an instance id of its own. */
export function duplicatePlugins() {
  const all = roots();
  return [...new Set(all.map(({ slug }) => slug))].filter((slug) => {
    const instances = all.filter((root) => root.slug === slug).map(({ instance }) => instance);
    return instances.length > 1 && (instances.includes(null) || new Set(instances).size < instances.length);
  });
}
