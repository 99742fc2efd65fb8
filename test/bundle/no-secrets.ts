import type { Redactor } from '../../src/bundle/redact.ts';

export const NO_SECRETS: Redactor = { text: (text) => text, json: (value) => value };
