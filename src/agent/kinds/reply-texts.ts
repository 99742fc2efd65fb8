import type { ToolReply } from '../../task/tool.ts';

// All texts of browsers and tool servers that our agents match.

/** Chromium 156's error for an error status without a page. One with a page is shown, and succeeds. */
const REFUSED = 'net::ERR_HTTP_RESPONSE_CODE_FAILURE';

/** Our own surfaces and Chrome DevTools MCP 1.11 name the dialog; Playwright MCP 0.0.83 names a "modal state". */
const DIALOG = /\bdialog\b|modal state/i;

export function isErrorStatus({ text }: ToolReply): boolean {
  return text.includes(REFUSED);
}

export function namesDialog({ text }: ToolReply): boolean {
  return DIALOG.test(text);
}
