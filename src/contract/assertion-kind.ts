import type { z } from 'zod';
import type { Evidence } from './evidence.ts';
import type { Finding } from './judgement.ts';

/** Hashes of the exemplars, by class id. */
export type ScreenshotClasses = Readonly<Record<string, readonly string[]>>;

/** Inputs of a verdict other than node and evidence. */
export interface Surroundings {
  /** Patterns of the `url` assertions under the same `and`. */
  siblingUrls: readonly string[];
  screenshotClasses: ScreenshotClasses;
}

export type Tree<Leaf> =
  | Leaf
  | { kind: 'and'; children: Tree<Leaf>[] }
  | { kind: 'or'; children: Tree<Leaf>[] }
  | { kind: 'not'; child: Tree<Leaf> };

/**
 * The kind of proof that a pass is. `page`: that the open page shows it, into which a script can write. `nothing`: neither that nor an
 * action. `asserted`: an action. `denied`: the same, but it also holds if nothing was done, so only its negation is proof.
 */
export type Proof = 'page' | 'nothing' | 'asserted' | 'denied';

export interface AssertionFacts<Node> {
  /**
   * Raised by one when the same node gives another judgement on the same evidence, or has other mutants. A change to what
   * several kinds share raises all kinds whose judgements it changes; `test/contract/golden.test.ts` names them.
   */
  readonly version: number;
  /** The version of what one node means, if later ones of the kind left that as it was. */
  versionOf?(node: Node): number;
  /** The fields that OpenChrome's contracts know; null: the whole kind is an extension. */
  readonly seedFields: readonly string[] | null;
  /** Every path that can throw makes the assertion inconclusive. */
  judge(node: Node, evidence: Evidence, surroundings: Surroundings): Finding;
  /** Texts that give the task away elsewhere: expected texts, pieces of patterns, names of places. */
  literals(node: Node): string[];
  /** Whether the judge has to load the page again. */
  asksForFresh(node: Node): boolean;
  proof(node: Node): Proof;
}

/**
 * One kind of assertion, with everything that Touchstone knows about it.
 * @typeParam Looser nodes of other kinds that its mutants may hold
 */
export interface AssertionKind<Schema extends z.ZodObject, Looser = never> extends AssertionFacts<z.infer<Schema>> {
  readonly schema: Schema;
  /** Nodes that let more pass, by the name of the change; without those that only a dropped clause would show. */
  loosened(node: z.infer<Schema>): Record<string, Tree<z.infer<Schema> | Looser>>;
}
