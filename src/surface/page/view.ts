import type { Locator, Page } from 'playwright-core';
import type { Binding, SurfaceIntent } from '../../task/intent.ts';
import type { TargetSight } from '../../task/target.ts';
import type { ReplyImage, ToolReply } from '../../task/tool.ts';
import type { Act, Timing } from './act.ts';
import type { ToolSpec } from './tools.ts';

/** A tab as an agent was shown it. */
export interface Shown {
  text: string;
  image?: ReplyImage;
}

/** Knowledge of an element before the call that names it. */
export type Sighting = Pick<TargetSight, 'shown' | 'matched_then'>;

/** For whatever is named before anything was shown. */
export const NEVER_SEEN: Sighting = { shown: false, matched_then: null };

/** The element that a name means now; or how many it matches, and why none of them can be acted on. */
export type Located = { element: Locator } | { count: number; why: string };

/** The way in which a surface's calls name elements. */
export interface ElementNames<S extends Shown> {
  sighting(name: string, shown: S | null): Sighting;
  /** @param sighting what was known of it before */
  find(page: Page, name: string, sighting: Sighting, timing: Timing): Promise<Located>;
}

/** The part in which surfaces of ours differ: how one shows a tab, and what its tools do there. */
export interface View<S extends Shown> {
  readonly tools: Readonly<Record<string, ToolSpec>>;
  readonly kind: string;
  show(page: Page, timing: Timing): Promise<S>;
  /** Carries out a call; `args` are as the tool's own schema has them. Not asked of `wait`, `tabs` and `dialog`. */
  act(tool: string, args: unknown): Act;
  /** Null where calls name no elements. */
  readonly elements: ElementNames<S> | null;
  /** @param seen what the agent was shown last, and the tab that is in front */
  bind(
    intent: SurfaceIntent,
    last: ToolReply | null,
    seen: { shown: S | null; page: Page },
  ): Binding | Promise<Binding>;
}
