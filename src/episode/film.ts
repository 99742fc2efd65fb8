import { captureStill } from '../browser/capture.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { Viewport } from '../task/schema.ts';
import type { EventSink } from './ports.ts';

/** Most pictures of one episode. */
const MOST = 60;

interface FilmOptions {
  browser: Pick<JudgedBrowser, 'observer' | 'switchboard'>;
  contextId: string;
  viewport: Viewport;
  sink: EventSink;
}

/**
 * Takes a picture of the active tab after each step, through the judge's own connection, for people to look at. Nothing of it reaches
 * the agent or is judged; the time that it takes is the episode's, so it is taken only where it was asked for.
 */
export class Film {
  readonly #options: FilmOptions;
  #steps = 0;

  constructor(options: FilmOptions) {
    this.#options = options;
    // A browser that is used again may have been pressed in the episode before.
    options.browser.switchboard.takePress();
  }

  /** A step has ended. One of which no picture can be had, as of a page behind a dialog, has none. */
  async stepEnded(): Promise<void> {
    this.#steps += 1;
    const { browser, contextId, viewport, sink } = this.#options;
    const press = browser.switchboard.takePress();
    if (this.#steps > MOST || sink.picture === undefined) return;
    const picture = await captureStill(browser.observer, contextId);
    if (picture === null) return;
    const blob = sink.picture(picture);
    sink.event({ type: 'picture', step: this.#steps, blob, ...viewport, press });
  }
}
