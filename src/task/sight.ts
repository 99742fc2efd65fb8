/** An element as an agent was shown it, whatever the surface calls it. */
export interface SeenElement {
  /** As ARIA has it. */
  role: string;
  name: string;
  /** What a list offers, in its order; empty for everything else. */
  options: string[];
}

/** What an agent was shown last, for agents that read neither HTML nor JSON. It holds nothing that the agent was not shown. */
export interface Sight {
  /** Those that can be used, in the order of the page. */
  elements: SeenElement[];
  /** What there is to read: a text for each line, a field with what stands in it. */
  texts: string[];
}
