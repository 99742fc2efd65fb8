import type { Redactor } from '../../src/bundle/redact.ts';

/** Replaces nothing. */
export const NO_SECRETS: Redactor = { text: (text) => text, json: (value) => value };
