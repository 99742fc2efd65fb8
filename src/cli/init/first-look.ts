import { nullAgent } from '../../agent/kinds/controls.ts';
import { requireBrowser } from '../../browser/find.ts';
import { launchBrowser } from '../../browser/launch.ts';
import type { CapturedNode } from '../../contract/dom/captured-tree.ts';
import { capturedFrames } from '../../contract/dom/document.ts';
import { renderedText } from '../../contract/dom/rendered-text.ts';
import { selectAll } from '../../contract/dom/select.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { normaliseText } from '../../contract/strings.ts';
import { runEpisode } from '../../episode/run-episode.ts';
import { fact } from '../../messages/messages.ts';
import { loadSuiteWorld, raiseWorld } from '../../run/suite-world.ts';
import { aria } from '../../surface/aria/aria.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import { WorldError } from '../../world/error.ts';
import { WorldThread } from '../../world/thread/world-thread.ts';
import { createTlsIdentity } from '../../world/tls-identity.ts';
import { UsageError } from '../exit-code.ts';

/** The heading of the start page, and the address at which it was shown. */
interface FirstLook {
  heading: string;
  at: string;
}

/**
 * Runs the first task of a suite with an agent that does nothing, and reads the heading of its start page as the judge sees it.
 * @throws FactError when the app does not start, or shows no page there
 */
export async function readHeading(suite: LoadedSuite): Promise<FirstLook> {
  const [first] = suite.tasks;
  if (first === undefined) throw new Error('a new suite has no task');
  const { task } = first;
  const { startUrl: url } = task;
  const evidence: Evidence[] = [];
  const identity = await createTlsIdentity();
  await using thread = new WorldThread();
  const suiteWorld = await loadSuiteWorld(suite, true);
  const world = await raiseWorld(suiteWorld, task, { identity, live: false, thread }).catch(throwCause);
  try {
    const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
    try {
      const sink = {
        event: () => {},
        clean: <T>(value: T): T => value,
        evidence: (_moment: 'start' | 'end', each: Evidence) => evidence.push(each),
      };
      const { status, detail } = await runEpisode({ task, agent: nullAgent, surface: aria, browser, world, sink });
      const [start] = evidence;
      if (start === undefined || status === 'infra_error' || status === 'invalid_task')
        throw new UsageError(fact('start_page_failed', { url, why: detail ?? status }));
      return headingIn(start, url);
    } finally {
      await browser.close();
    }
  } finally {
    await world.close();
  }
}

/** Throws what went wrong without its place in a suite file, which is not kept. */
function throwCause(error: unknown): never {
  throw error instanceof WorldError && error.code === 'app_in_suite' ? error.cause : error;
}

/** Reads a heading as the agents of the templates do. */
function headingIn({ pages: [page], network }: Evidence, url: string): FirstLook {
  const entries = network.captured ? network.value.entries : [];
  // The page may be another one, to which the start page leads.
  const at = page?.url.captured === true ? page.url.value : url;
  const status = entries.find((entry) => entry.url === at)?.status ?? null;
  if (status !== null && status >= 400) throw new UsageError(fact('start_page_refused', { url: at, status }));
  if (page?.dom.captured !== true) throw new UsageError(fact('start_page_empty', { url: at }));
  const [frame] = capturedFrames(page.dom.value).frames;
  const [heading, title] = ['h1', 'title'].map((name) => (frame === undefined ? undefined : selectAll(frame, name)[0]));
  const shown = heading === undefined ? '' : normaliseText(renderedText(heading));
  const text = shown === '' ? normaliseText(title?.children.map(textOf).join('') ?? '') : shown;
  if (text === '') throw new UsageError(fact('start_page_empty', { url: at }));
  return { heading: text, at };
}

function textOf(node: CapturedNode): string {
  return node.kind === 'text' ? node.value : '';
}
