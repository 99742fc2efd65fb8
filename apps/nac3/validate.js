import { deepAll, deepClosest, labelOf } from './dom.js';
import { NacError } from './error.js';
import { allManifests, driftOf, manifestOf } from './manifests.js';
import { duplicatePlugins, elementsOf, idOf, pluginOf, roleOf, roots, rootsOf } from './tree.js';

/** @typedef {import('./error.js').Finding} Finding */

const ID = /^[a-z][a-z0-9_]*(\.[A-Za-z0-9_-]+)+$/;
/** Where ARIA says that something is on, `data-nac-state` must say so too. @type {[attribute: string, state: string][]} */
const STATES = [
  ['aria-selected', 'active'],
  ['aria-invalid', 'invalid'],
];

/**
 * What is wrong with one plugin in the page.
 * @param {string} slug
 * @returns {Finding[]}
 */
export function validate(slug) {
  const manifest = manifestOf(slug);
  const there = roots().filter((root) => root.slug === slug);
  if (manifest === null && there.length === 0)
    throw new NacError('plugin_not_found', `there is no plugin "${slug}" in the page, and no manifest of it`);
  const elements = there.length === 0 ? [] : rootsOf(slug).flatMap((root) => elementsOf(root));
  const checked = elements.filter((element) => !isSkipped(element));
  return [
    ...(manifest === null ? [] : [...driftOf(manifest), ...missing(manifest, elements)]),
    ...checked.flatMap((element) => ofElement(element, slug)),
    ...repeated(checked, slug, 'duplicate_verb', (element) => element.dataset['nacAction'] ?? null),
    ...repeated(checked, slug, 'duplicate_tab_label', (element) =>
      roleOf(element) === 'tab' ? labelOf(element) : null,
    ),
    ...skippedWithoutReason(slug),
    ...(duplicatePlugins().includes(slug)
      ? [finding('duplicate_plugin_no_instance_id', slug, null, `"${slug}" stands on several roots without ids`)]
      : []),
  ];
}

/**
 * What is wrong with the page as a whole; `findings` holds all of it in one list.
 * @param {{ probe?: boolean }} [options] `probe`: validates every plugin too
 */
export function validateGlobal({ probe = false } = {}) {
  const all = roots();
  const manifests = Object.keys(allManifests());
  const everything = deepAll('[data-nac-id]').filter((element) => !isSkipped(element));
  const duplicates = all.flatMap((root) => repeatedValues(elementsOf(root).map((element) => idOf(element))));
  const orphans = everything.filter((element) => pluginOf(element) === null).map((element) => idOf(element));
  const unmounted = manifests.filter((slug) => !all.some((root) => root.slug === slug));
  const unconventional = everything.map((element) => idOf(element)).filter((id) => !ID.test(id));
  const instances = duplicatePlugins();
  const findings = [
    ...duplicates.map((id) => finding('duplicate_id', null, id, `"${id}" stands twice in one plugin`)),
    ...orphans.map((id) => finding('orphan', null, id, `"${id}" is in no plugin`)),
    ...unmounted.map((slug) => finding('unmounted', slug, null, `"${slug}" has a manifest and no root`, 'warning')),
    ...unconventional.map((id) => finding('convention_violation', null, id, `"${id}" is not dotted`, 'warning')),
    ...instances.map((slug) => finding('duplicate_plugin_no_instance_id', slug, null, `"${slug}" has twins`)),
    ...(probe ? [...new Set(all.map(({ slug }) => slug))].flatMap((slug) => validate(slug)) : []),
  ];
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  return {
    ok: !hasErrors,
    has_errors: hasErrors,
    duplicates,
    orphans,
    unmounted,
    convention_violations: unconventional,
    duplicate_plugin_instances: instances,
    findings,
  };
}

/**
 * @param {string} code
 * @param {string | null} plugin
 * @param {string | null} id
 * @param {string} message
 * @param {'error' | 'warning'} severity
 * @returns {Finding}
 */
function finding(code, plugin, id, message, severity = 'error') {
  return { code, severity, plugin, nac_id: id, message };
}

/** @param {Element} element */
function isSkipped(element) {
  return deepClosest(element, '[data-nac-validate="skip"]') !== null;
}

/** @param {string} slug */
function skippedWithoutReason(slug) {
  return deepAll('[data-nac-validate="skip"]')
    .filter((element) => (element.dataset['nacSkipReason'] ?? '') === '')
    .map((element) => finding('skip_without_reason', slug, idOf(element) || null, 'is skipped and does not say why'));
}

/**
 * @param {import('./manifests.js').Manifest} manifest
 * @param {HTMLElement[]} elements
 */
function missing({ plugin_slug: slug, elements: specs = [] }, elements) {
  return specs
    .filter(({ id }) => !elements.some((element) => idOf(element) === id))
    .map(({ id }) => finding('missing_in_dom', slug, id, `"${id}" is in the manifest and not in the page`, 'warning'));
}

/**
 * @param {HTMLElement} element
 * @param {string} slug
 */
function ofElement(element, slug) {
  const id = idOf(element);
  const role = roleOf(element);
  /** @type {Finding[]} */
  const findings = [];
  if (id.startsWith('tab.') !== (role === 'tab') && id.startsWith('tab.'))
    findings.push(finding('tab_role_drift', slug, id, `"${id}" is named as a tab and is ${role}`));
  const type = element.dataset['nacFieldType'];
  if (type !== undefined && element instanceof HTMLInputElement && isOtherType(type, element.type))
    findings.push(finding('field_type_mismatch', slug, id, `"${id}" says ${type} and is ${element.type}`));
  for (const [attribute, state] of STATES) {
    const isOn = element.getAttribute(attribute) === 'true';
    const says = element.dataset['nacState'];
    if (isOn && says !== undefined && says !== state)
      findings.push(finding('aria_nac_state_mismatch', slug, id, `"${id}" is ${attribute} and its state is ${says}`));
  }
  return findings;
}

/**
 * @param {string} declared
 * @param {string} real
 */
function isOtherType(declared, real) {
  const same = { toggle: 'checkbox', switch: 'checkbox' };
  return (new Map(Object.entries(same)).get(declared) ?? declared) !== real;
}

/**
 * @param {HTMLElement[]} elements
 * @param {string} slug
 * @param {string} code
 * @param {(element: HTMLElement) => string | null} valueOf
 */
function repeated(elements, slug, code, valueOf) {
  const values = elements.map((element) => valueOf(element)).filter((value) => value !== null);
  return repeatedValues(values).map((value) =>
    finding(code, slug, null, `several elements have "${value}"`, code === 'duplicate_verb' ? 'warning' : 'error'),
  );
}

/** @param {string[]} values */
function repeatedValues(values) {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
