import type { z } from 'zod';
import type { Evidence } from './evidence.ts';
import type { Finding } from './judgement.ts';

/** Perceptual hashes of the exemplars of each screenshot class, by class id. */
export type ScreenshotClasses = Readonly<Record<string, readonly string[]>>;

/** Everything beside node and evidence that a verdict may depend on. */
export interface Surroundings {
  /** Patterns of the `url` assertions under the same `and`. */
  siblingUrls: readonly string[];
  screenshotClasses: ScreenshotClasses;
}

/** Assertions of some kinds, alone or joined by connectives. */
export type Tree<Leaf> =
  | Leaf
  | { kind: 'and'; children: Tree<Leaf>[] }
  | { kind: 'or'; children: Tree<Leaf>[] }
  | { kind: 'not'; child: Tree<Leaf> };

/**
 * Whether a pass shows that something was done.
 *
 * - `page`: it rests on the open page, into which a script can write.
 * - `nothing`: it takes neither the page nor proof of a deed.
 * - `asserted`: it rests on what a script can reach only by doing it.
 * - `denied`: the same, but it holds where nothing was done, so only its negation is proof.
 */
export type Proof = 'page' | 'nothing' | 'asserted' | 'denied';

/** Answer, for one node, everything that is asked of every kind of assertion. */
export interface AssertionFacts<Node> {
  /**
   * Raised by one when the same node gives another judgement on the same evidence, or has other mutants. A change of what several kinds share
   * (text, patterns, selectors, pages) raises all kinds whose judgements it changes; `test/contract/golden.test.ts` tells which.
   */
  readonly version: number;
  /** The fields that OpenChrome's contracts know; null: the whole kind is an extension. */
  readonly seedFields: readonly string[] | null;
  /** Every path that can throw makes the assertion inconclusive. */
  judge(node: Node, evidence: Evidence, surroundings: Surroundings): Finding;
  /** List what gives the task away where it stands elsewhere: expected texts, pieces of patterns, names of places. */
  literals(node: Node): string[];
  /** Whether the judge has to load the page again. */
  asksForFresh(node: Node): boolean;
  proof(node: Node): Proof;
}

/**
 * One kind of assertion: everything that Touchstone knows about it. Its file in `assertions/` and its line in `kinds.ts` are
 * all there is.
 * @typeParam Looser nodes of other kinds that its mutants may hold
 */
export interface AssertionKind<Schema extends z.ZodObject, Looser = never> extends AssertionFacts<z.infer<Schema>> {
  readonly schema: Schema;
  /** Nodes that let more pass, by the name of the change; those that only a dropped clause would show are left out. */
  loosened(node: z.infer<Schema>): Record<string, Tree<z.infer<Schema> | Looser>>;
}
