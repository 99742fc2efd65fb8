import type { AgentChoice } from './agents.ts';
import { strikableOf } from './strikable.ts';
import type { Injectable } from '../fault/fault-kind.ts';
import { drawFault } from '../fault/schedule.ts';
import { type Fault, faultKindOf } from '../fault/schema.ts';
import { appMcp } from '../surface/app-mcp/app-mcp.ts';
import { aria } from '../surface/aria/aria.ts';
import { dom } from '../surface/dom/dom.ts';
import { nac3 } from '../surface/nac3/nac3.ts';
import { baseOfOneShot } from '../surface/one-shot.ts';
import { pixels } from '../surface/pixels/pixels.ts';
import { webmcp } from '../surface/webmcp/webmcp.ts';
import { taskName } from '../task/instance.ts';
import type { Task } from '../task/schema.ts';
import { touchedBy } from '../task/touched.ts';

/** Those without a process of their own; every other, of a library or a file, has one. */
const IN_PROCESS = [aria, nac3, dom, appMcp, webmcp, pixels];

interface Struck {
  suite: string;
  task: Task;
  fault: Fault;
}

/** Whether a fault can strike an agent through a surface that is known by its name alone, as a bundle has it. */
export function canStrike({ suite, task, fault }: Struck, choice: AgentChoice, surface: string): boolean {
  // Whether anything can be drawn hangs on the task, and not on what it is drawn by.
  const drawn = drawFault(fault, { seed: 0, suite, task: taskName(task), iteration: 0 }, touchedBy(task));
  return 'armed' in drawn && faultKindOf(fault).whyNot(strikableByName(choice, surface)) === null;
}

/** As `strikableOf`, of a surface that is known by its name alone. */
export function strikableByName(choice: Pick<AgentChoice, 'drivesItself'>, surface: string): Injectable {
  const name = baseOfOneShot(surface) ?? surface;
  const known = IN_PROCESS.find(({ id }) => id === name);
  return known === undefined
    ? { drivesItself: choice.drivesItself, showsPages: true, hasServer: true }
    : strikableOf(choice, known);
}
