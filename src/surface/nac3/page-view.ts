import type { Page } from 'playwright-core';
import { Description, Manifests } from './described.ts';
import { look, Look, MAX_DESCRIPTION_LENGTH } from './in-page.ts';
import { inOneLine } from './shown-text.ts';
import { type NacShown, shownOf } from './shown.ts';
import { ShownTables } from './shown-table.ts';
import { TABLE_CALLS } from './table-tools.ts';

/** A page's description of itself by NAC3, or why there is none. */
export type PageView = { shown: NacShown; version: string | null; calls: readonly string[] } | { notice: string };

/** Asks the page. What it says is data: whatever is not of the standard's form is a notice, never an exception. */
export async function seeing(page: Page): Promise<PageView> {
  const said = await lookAt(page);
  if (said === null) return { notice: 'what NAC says of this page could not be read' };
  switch (said.kind) {
    case 'none':
      return {
        notice: 'this page has no NAC3 runtime (no window.NAC with describe()): nothing on it can be acted on here',
      };
    case 'threw':
      return { notice: `NAC.describe() of this page failed: ${inOneLine(said.message)}` };
    case 'long':
      return {
        notice: `NAC.describe() of this page is ${said.length} characters long, more than ${MAX_DESCRIPTION_LENGTH}`,
      };
    case 'seen': {
      const description = Description.safeParse(said.description);
      if (!description.success) return { notice: 'NAC.describe() of this page is not of the form of NAC3 2.3' };
      const shown = shownOf(description.data, Manifests.parse(said.manifests), said.language);
      const tables = ShownTables.parse(said.tables);
      return {
        shown: tables.length === 0 ? shown : { ...shown, tables },
        version: said.version,
        calls: said.calls,
      };
    }
  }
}

async function lookAt(page: Page) {
  const text: unknown = await page.evaluate(look, { max: MAX_DESCRIPTION_LENGTH, calls: TABLE_CALLS });
  if (typeof text !== 'string' || text.length > 2 * MAX_DESCRIPTION_LENGTH) return null;
  try {
    return Look.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
