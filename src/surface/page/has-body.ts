import { errors, type Page } from 'playwright-core';
import { untilAborted } from '../until-aborted.ts';

/**
 * Whether the page has got as far as its body. One whose answer broke off in the head never does: there is nothing to see on it,
 * and Playwright would wait for its accessibility tree in vain. Time alone does not tell: on a slow machine a wait may end early,
 * so the page itself is asked in the end, and one that does not answer is not called empty.
 */
export async function hasBody(page: Page, timing: { timeout: number; signal?: AbortSignal }): Promise<boolean> {
  const body = page.locator('body, frameset');
  const half = timing.timeout / 2;
  try {
    await body.first().waitFor({ state: 'attached', ...timing, timeout: half });
    return true;
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
  }
  const answerBy = AbortSignal.timeout(half);
  try {
    return (await untilAborted(answerBy, body.count())) > 0;
  } catch (error) {
    if (answerBy.aborted) return true;
    throw error;
  }
}
