import { errors, type Page } from 'playwright-core';

/**
 * Whether the page has got as far as its body. One whose answer broke off in the head never does: there is nothing to see on it,
 * and Playwright would wait for its accessibility tree in vain. Whether it is broken off or slow only time tells.
 */
export async function hasBody(page: Page, timing: { timeout: number; signal?: AbortSignal }): Promise<boolean> {
  const body = page.locator('body, frameset').first();
  try {
    await body.waitFor({ state: 'attached', ...timing });
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}
