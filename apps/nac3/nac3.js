import { click, fill, goToSection, select } from './act.js';
import { confirmAction, setConfirmHandler } from './confirm.js';
import { describe, find, list, snapshotState } from './describe.js';
import { NacError } from './error.js';
import { emit, waitFor } from './events.js';
import { allManifests, manifestOf, register, syncPlugin, unregister } from './manifests.js';
import { bindAction, invoke, utter } from './request.js';
import { clickByVerb, tab, tabByLabel } from './resolve.js';
import { duplicatePlugins } from './tree.js';
import { validate, validateGlobal } from './validate.js';
import { NAC_VERSION, RUNTIME_VERSION } from './version.js';

/** Of the standard's calls those that this runtime does not have; they say so. */
const NOT_HERE = ['drag_drop', 'edit_field', 'set_mode', 'screenshot', 'registerDataTable', 'syncDataTable'];

/**
 * A call as hosts and agents make it: one that is refused or fails is told of by an event, too.
 * @template {unknown[]} A
 * @template R
 * @param {string} method
 * @param {(...args: A) => Promise<R>} call
 * @returns {(...args: A) => Promise<R>}
 */
function told(method, call) {
  return async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      const { code, message } =
        error instanceof NacError ? error : new NacError('invalid', error instanceof Error ? error.message : 'failed');
      // What nobody answered was done and has failed; everything else was refused.
      emit(code === 'timeout' ? 'nac:command:failed' : 'nac:command:rejected', {
        command_method: method,
        command_target: args.find((each) => typeof each === 'string') ?? null,
        reason: code,
        message,
        source: 'runtime',
        recommended_remediation: code === 'not_found' ? 'describe() again' : null,
      });
      throw error;
    }
  };
}

const NAC = {
  version: NAC_VERSION,
  nac_version: NAC_VERSION,
  runtime_version: RUNTIME_VERSION,
  NacError,
  register,
  unregister,
  syncPlugin,
  manifest: (/** @type {string | undefined} */ slug) => (slug === undefined ? allManifests() : manifestOf(slug)),
  describe,
  list,
  find,
  snapshot_state: snapshotState,
  click: told('click', click),
  click_by_verb: told('click_by_verb', clickByVerb),
  fill: told('fill', fill),
  select: told('select', select),
  tab: told('tab', tab),
  tab_by_label: told('tab_by_label', tabByLabel),
  go_to_section: told('go_to_section', goToSection),
  invoke: told('invoke', invoke),
  utter: told('utter', utter),
  bindAction,
  confirm_action: confirmAction,
  set_confirm_handler: setConfirmHandler,
  wait_for: waitFor,
  validate,
  validate_global: validateGlobal,
  ...Object.fromEntries(
    NOT_HERE.map((method) => [
      method,
      told(method, async () => {
        throw new NacError('feature_not_supported', `this runtime has no ${method}`);
      }),
    ]),
  ),
};

if (!('NAC' in window)) {
  Object.defineProperty(window, 'NAC', { value: Object.freeze(NAC) });
  emit('nac:installed', { version: NAC_VERSION });
  for (const slug of duplicatePlugins()) emit('nac:fatal', { plugin: slug, error: 'duplicate_plugin_no_instance_id' });
}
