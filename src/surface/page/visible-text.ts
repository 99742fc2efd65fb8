import type { Page } from 'playwright-core';

/** Whether a tab shows a text now, in any of its frames. */
export async function isVisible(page: Page, text: string): Promise<boolean> {
  const seen = await Promise.all(
    page.frames().map((frame) =>
      frame
        .getByText(text)
        .filter({ visible: true })
        .count()
        // A frame may go while it is looked at.
        .catch(() => 0),
    ),
  );
  return seen.some((count) => count > 0);
}
