import { captureStill } from '../browser/capture.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { Viewport } from '../task/schema.ts';
import type { EventSink } from './episode-setup.ts';

/** Most pictures of one episode. */
const MAX = 60;

interface FilmOptions {
  browser: Pick<JudgedBrowser, 'observer' | 'switchboard'>;
  contextId: string;
  viewport: Viewport;
  sink: EventSink;
}

/**
 * Takes a picture of the active tab after each step, through the judge's own connection, for people to look at. The agent does not
 * see it and nothing of it is judged, but it takes time of the episode.
 */
export class Film {
  readonly #options: FilmOptions;
  #steps = 0;

  constructor(options: FilmOptions) {
    this.#options = options;
    // Drops a press of an earlier episode in the same browser.
    options.browser.switchboard.takePress();
  }

  /** Takes the picture of a step that has ended; none if the page cannot be drawn, such as one behind a dialog. */
  async stepEnded(): Promise<void> {
    this.#steps += 1;
    const { browser, contextId, viewport, sink } = this.#options;
    const press = browser.switchboard.takePress();
    if (this.#steps > MAX || sink.picture === undefined) return;
    const picture = await captureStill(browser.observer, contextId);
    if (picture === null) return;
    const blob = sink.picture(picture);
    sink.event({ type: 'picture', step: this.#steps, blob, ...viewport, press });
  }
}
