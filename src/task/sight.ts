/** An element as an agent was shown it, whatever the surface calls it. */
export interface SeenElement {
  /** As ARIA has it. */
  role: string;
  name: string;
  /** The options of a list, in its order; empty for everything else. */
  options: string[];
}

/** The last observation, for agents that read neither HTML nor JSON. It holds nothing that the agent was not shown. */
export interface Sight {
  /** Those that can be used, in the order of the page. */
  elements: SeenElement[];
  /** The readable text: a text for each line, a field with its value. */
  texts: string[];
}
