import { CONTROLS, fill } from './controls.js';
import { TEXTS } from './texts.js';

export const PLUGIN = 'invoice';

const isDecorated = document.documentElement.dataset.decoration === 'nac3';
const manifest = isDecorated ? await loadManifest() : null;

async function loadManifest() {
  const response = await fetch('/nac3/manifest.json');
  return response.ok ? await response.json() : null;
}

/** The attributes of a control or a text; none on a page without NAC3. */
export function decoration(key, values, more = {}) {
  if (!isDecorated) return {};
  const { role, verb, hint } = CONTROLS[key] ?? TEXTS[key];
  return {
    'data-nac-id': fill(key, values),
    'data-nac-role': role,
    'data-nac-action': verb,
    'data-nac-a11y-hint': hint,
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`data-nac-${name}`, value])),
  };
}

/** The attributes of the one root that all controls are in. */
export function rootDecoration() {
  return isDecorated ? { 'data-nac-plugin': PLUGIN, 'data-nac-plugin-state': 'ready' } : {};
}

const EVENTS = {
  action: 'nac:action:succeeded',
  field: 'nac:field:changed',
  option: 'nac:field:changed',
  tab: 'nac:tab:activated',
  step: 'nac:step:advanced',
  'filter-control': 'nac:table:filter_changed',
};
const IDS = { field: 'field_id', option: 'field_id', tab: 'tab_id', step: 'step_id', 'filter-control': 'filter_id' };

/** Says that what a control does has been done. */
export function succeeded(key, values = {}, more = {}) {
  const { role } = CONTROLS[key];
  emit(EVENTS[role], { [IDS[role] ?? 'action_id']: fill(key, values), ...more });
}

/** Says which of the confirmation's two buttons was taken, and that what it does has been done. */
export function confirmed(key, isResolved) {
  emit(isResolved ? 'nac:confirm:resolved' : 'nac:confirm:cancelled', { confirm_id: key, action_id: key });
}

/** Says that what a control does has been refused. */
export function failed(key, values, error) {
  emit('nac:action:failed', { action_id: fill(key, values), error });
}

function emit(name, detail) {
  if (isDecorated) document.dispatchEvent(new CustomEvent(name, { detail: { plugin: PLUGIN, ...detail } }));
}

/**
 * Registers the manifest for what is on the page: an element of it that is for every invoice or line
 * (`{invoice}`, `{line}` in its id) stands for those that are there.
 */
export function syncManifest(drawn) {
  if (manifest === null || window.NAC === undefined) return;
  const elements = manifest.elements.flatMap((spec) => concreteOf(spec, drawn.get(spec.id) ?? []));
  window.NAC.syncPlugin({ ...manifest, elements });
}

function concreteOf(spec, drawn) {
  const text = JSON.stringify(spec);
  if (!/\{(invoice|line)\}/.test(text)) return [spec];
  return drawn.map((values) => JSON.parse(text.replaceAll(/\{(\w+)\}/g, (_whole, name) => values[name])));
}

// A call with a payload would do in one step what users need several for. There is none.
if (isDecorated) {
  document.addEventListener('nac:action:requested', ({ detail }) => {
    const { action_id, request_id } = detail;
    emit('nac:action:failed', { action_id, request_id, error: 'verb_not_supported' });
  });
}
