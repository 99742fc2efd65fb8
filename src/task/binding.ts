import type { Intent } from './intent.ts';
import type { ToolCall, ToolReply } from './tool.ts';

/** An intent that needs the surface; to give the answer needs none. */
export type SurfaceIntent = Exclude<Intent, { do: 'answer' | 'not_possible' }>;

/** How a solution's step goes through a surface. */
export type Binding =
  | { kind: 'call'; call: ToolCall }
  /** The surface must be looked at first: make this call, then bind again. */
  | { kind: 'observe'; call: ToolCall }
  | { kind: 'impossible'; why: string };

/** The native call that carries out one step, given what the surface showed last (null: nothing yet). */
export type Bind = (intent: SurfaceIntent, last: ToolReply | null) => Binding;
