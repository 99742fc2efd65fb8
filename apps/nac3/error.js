/** The codes of NAC3 2.3, and those that its own runtime adds. */
/** @typedef {'not_found' | 'invalid' | 'timeout' | 'disabled' | 'hidden' | 'inert' | 'aria_busy' | 'readonly' | 'role_mismatch' | 'ambiguous' | 'feature_not_supported' | 'duplicate_plugin_no_instance_id' | 'plugin_not_found' | 'field_not_found' | 'section_not_found' | 'OptionsUnavailable' | 'empty_payload' | 'strict_validation'} NacErrorCode */

/** One thing that a check has found. @typedef {{ code: string, severity: 'error' | 'warning', plugin: string | null, nac_id: string | null, message: string }} Finding */

/** What a call is rejected with. */
export class NacError extends Error {
  /**
   * @param {NacErrorCode} code
   * @param {string} message
   * @param {Finding[]} findings of `strict_validation`; empty otherwise
   */
  constructor(code, message, findings = []) {
    super(message);
    this.name = 'NacError';
    this.code = code;
    this.findings = findings;
  }
}
