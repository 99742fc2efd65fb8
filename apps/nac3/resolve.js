import { clickElement } from './act.js';
import { labelOf } from './dom.js';
import { NacError } from './error.js';
import { declaredVerbs, labelsOf } from './manifests.js';
import { invoke } from './request.js';
import { elementsOf, elementsWith, idOf, roleOf, rootsOf } from './tree.js';

/** @typedef {import('./act.js').CallOptions} CallOptions */

/**
 * Does what a verb says. With `args` its host is asked, as by `invoke`; without, its element is clicked.
 * What the manifest declares goes before what only an attribute says. One element must be meant, or none is.
 * @param {string | null} plugin slug; null for the active plugin
 * @param {string} verb
 * @param {CallOptions & { args?: Record<string, unknown> }} [options]
 */
export async function clickByVerb(plugin, verb, options = {}) {
  const there = rootsOf(plugin);
  const slug = there[0]?.slug ?? '';
  const declared = declaredVerbs(slug).filter(({ spec }) => spec.verb === verb);
  const marked = there.flatMap((root) => elementsOf(root)).filter((each) => each.dataset['nacAction'] === verb);
  const ids = new Set(declared.length > 0 ? declared.map(({ id }) => id) : marked.map((element) => idOf(element)));
  const [id, ...others] = ids;
  if (id === undefined) throw new NacError('not_found', `"${slug}" has no verb "${verb}"`);
  if (others.length > 0)
    throw new NacError('ambiguous', `"${verb}" is a verb of ${[...ids].join(', ')}; click one of them by its id`);
  const inPage = elementsWith(id, slug);
  if (options.args === undefined && inPage.length > 0) return await clickElement(only(inPage, id), options);
  return await invoke(id, options.args ?? {}, { ...options, plugin: slug, verb });
}

/**
 * Opens a tab by its id, with or without the prefix `tab.`, and waits for `nac:tab:activated`.
 * @param {string | null} plugin slug; null for the active plugin
 * @param {string} key
 * @param {CallOptions} [options]
 */
export async function tab(plugin, key, options = {}) {
  const found = tabsOf(plugin).filter((element) => isKeyOf(key, idOf(element)));
  return await clickElement(only(found, key), options);
}

/**
 * Opens a tab by what it is called in any language: the very label goes before one that holds the other.
 * @param {string | null} plugin slug; null for the active plugin
 * @param {string} label
 * @param {CallOptions} [options]
 */
export async function tabByLabel(plugin, label, options = {}) {
  const wanted = normal(label);
  const tabs = tabsOf(plugin).map((element) => ({ element, labels: allLabels(element).map(normal) }));
  const same = tabs.filter(({ labels }) => labels.includes(wanted));
  const near = tabs.filter(({ labels }) => labels.some((each) => each.includes(wanted) || wanted.includes(each)));
  const found = (same.length > 0 ? same : near).map(({ element }) => element);
  return await clickElement(only(wanted === '' ? [] : found, label), options);
}

/** @param {string | null} plugin */
function tabsOf(plugin) {
  return rootsOf(plugin)
    .flatMap((root) => elementsOf(root))
    .filter((element) => roleOf(element) === 'tab');
}

/**
 * @param {string} key
 * @param {string} id
 */
function isKeyOf(key, id) {
  return id === key || id === `tab.${key}` || key === `tab.${id}`;
}

/** @param {HTMLElement} element */
function allLabels(element) {
  const plugin = element.closest('[data-nac-plugin]')?.getAttribute('data-nac-plugin') ?? '';
  return [...Object.values(labelsOf(plugin, idOf(element))), labelOf(element)].filter((label) => label !== '');
}

/** @param {string} label */
function normal(label) {
  return label
    .toLowerCase()
    .replaceAll(/\([^)]*\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * @param {HTMLElement[]} elements
 * @param {string} name
 */
function only(elements, name) {
  const [element, ...others] = elements;
  if (element === undefined) throw new NacError('not_found', `there is no "${name}"`);
  if (others.length > 0) throw new NacError('ambiguous', `${elements.length} elements are meant by "${name}"`);
  return element;
}
