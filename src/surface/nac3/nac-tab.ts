import type { Page } from 'playwright-core';
import { nestingProblem } from '../../contract/json.ts';
import type { Shown } from '../page/view.ts';
import { TABLE_ACTIONS } from './actions.ts';
import { Description, given, Manifests, ShownTables } from './described.ts';
import { look, Look, MAX_DESCRIPTION_LENGTH } from './call-page.ts';
import { inOneLine, type NacShown, shownOf } from './shown.ts';

export interface NacTab extends Shown {
  /** Empty without a description. */
  nac: NacShown;
}

interface Runtime {
  version: string | null;
  calls: readonly string[];
}

export async function nacTabOf(page: Page): Promise<{ tab: NacTab; runtime: Runtime | null }> {
  const described = await describedBy(page);
  if ('notice' in described)
    return { tab: { text: described.notice, isNotice: true, nac: { plugins: [] } }, runtime: null };
  const { shown, ...runtime } = described;
  return { tab: { text: JSON.stringify(shown), nac: shown }, runtime };
}

/** Asks the page. An answer that is not of the standard's form is a notice, never an exception. */
async function describedBy(page: Page): Promise<({ shown: NacShown } & Runtime) | { notice: string }> {
  const seen = await lookAt(page);
  if (seen === null) return { notice: 'the answer of NAC on this page could not be read' };
  switch (seen.kind) {
    case 'none':
      return {
        notice: 'this page has no NAC3 runtime (no window.NAC with describe()): nothing on it can be acted on here',
      };
    case 'threw':
      return { notice: `NAC.describe() of this page failed: ${inOneLine(seen.message)}` };
    case 'long':
      return {
        notice: `NAC.describe() of this page is ${seen.length} characters long, more than ${MAX_DESCRIPTION_LENGTH}`,
      };
    case 'seen': {
      const description = Description.safeParse(seen.description);
      if (!description.success) return { notice: 'NAC.describe() of this page is not of the form of NAC3 2.3' };
      const shown = shownOf(description.data, Manifests.parse(seen.manifests), seen.language);
      const tables = ShownTables.parse(seen.tables);
      return { shown: { ...shown, ...given('tables', tables) }, version: seen.version, calls: seen.calls };
    }
  }
}

async function lookAt(page: Page) {
  const text: unknown = await page.evaluate(look, { max: MAX_DESCRIPTION_LENGTH, calls: Object.keys(TABLE_ACTIONS) });
  if (typeof text !== 'string' || text.length > 2 * MAX_DESCRIPTION_LENGTH) return null;
  try {
    const read: unknown = JSON.parse(text);
    return nestingProblem(read) === null ? Look.parse(read) : null;
  } catch {
    return null;
  }
}
