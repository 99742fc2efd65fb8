import { type ElementStep, type Intent, isElementStep, nameOf, rolesOf } from '../../task/intent.ts';
import { elementIn, elementsOf, type SnapshotElement } from '../../task/snapshot-text.ts';
import type { ToolReply } from '../../task/tool.ts';
import { observe } from '../keyword/observation.ts';

/** A step on another element, field or option of the same kind, found in the page: the `nth` nearest in name, from 1. */
export interface OtherThan {
  do: 'other';
  than: ElementStep;
  nth: number;
}

type Click = Extract<Intent, { do: 'click' }>;

/** A click by the keyboard: Tab until the element has the focus, then Enter or Space. */
export interface ByKeyboard {
  do: 'keys';
  than: Click;
}

/** A click on a link with another name and the same address. */
export interface SameAddress {
  do: 'same_address';
  than: Click;
}

export type MadeStep = OtherThan | ByKeyboard | SameAddress;

/** A step of a task, or one that is made from it and from what the surface shows. */
export type TrialStep = Intent | MadeStep;

export interface MadeIntent {
  intent: Intent;
  /** Whether the same step makes more calls after this. */
  hasMore?: boolean;
}

export function isMade(step: TrialStep | undefined): step is MadeStep {
  return step !== undefined && 'than' in step;
}

const MAX_TABS = 40;

/**
 * Makes a step from the last view; null if that lacks what is needed, or the surface does not list elements by name.
 * @param made number of calls already made from the step
 */
export function madeFrom(step: MadeStep, last: ToolReply | null, made: number): MadeIntent | null {
  if (last?.kind !== 'snapshot') return null;
  const { than } = step;
  switch (step.do) {
    case 'other': {
      const name = namesNear(step.than, last.text)[step.nth - 1];
      if (name === undefined) return null;
      if (step.than.do === 'choose') return { intent: { ...step.than, option: name } };
      return { intent: 'name' in step.than ? { ...step.than, name } : { ...step.than, label: name } };
    }
    case 'same_address': {
      const links = linksIn(last.text);
      const address = links.find(({ name }) => name === step.than.name)?.address;
      const twin = links.find(({ name, address: at }) => name !== '' && name !== step.than.name && at === address);
      return address === undefined || twin === undefined ? null : { intent: { ...step.than, name: twin.name } };
    }
    case 'keys': {
      if (made > MAX_TABS || !elementsOf(last.text).some((each) => isMeant(each, than))) return null;
      const focused = last.text.split('\n').filter((line) => line.includes(' [active] '));
      const hasFocus = focused.some((line) => isMeant(elementIn(line), than));
      if (!hasFocus) return { intent: { do: 'press', key: 'Tab' }, hasMore: true };
      return { intent: { do: 'press', key: KEYS[step.than.role] ?? 'Enter' } };
    }
  }
}

/** The keys that press an element of a role. */
const KEYS: Partial<Record<string, string>> = { button: 'Enter', link: 'Enter', checkbox: 'Space', switch: 'Space' };

function isMeant(element: SnapshotElement | null, step: ElementStep): boolean {
  return element !== null && 'name' in step && element.role === step.role && element.name === step.name;
}

function linksIn(snapshot: string): { name: string; address: string }[] {
  let link: SnapshotElement | null = null;
  return snapshot.split('\n').flatMap((line) => {
    const element = elementIn(line);
    if (element !== null) link = element.role === 'link' ? element : null;
    const address = /^ *- \/url: (.+)$/.exec(line)?.[1];
    return link === null || address === undefined ? [] : [{ name: link.name, address }];
  });
}

export function describeMade(step: MadeStep): { step: string; why: string } {
  const how = step.do === 'other' ? otherText(step) : step.do === 'keys' ? 'by keyboard' : 'on another link like it';
  return { step: `${step.than.do} ${how}`, why: 'the surface does not show it' };
}

/** A click by the keyboard; null for a step that has none. */
export function byKeyboard(step: Intent): ByKeyboard | null {
  return step.do === 'click' && step.name !== '' && Object.hasOwn(KEYS, step.role) ? { do: 'keys', than: step } : null;
}

function namesNear(than: ElementStep, snapshot: string): string[] {
  const own = than.do === 'choose' ? than.option : nameOf(than);
  const all =
    than.do === 'choose'
      ? observe(snapshot).elements.flatMap(({ name, options }) => (name === than.label ? options : []))
      : elementsOf(snapshot).flatMap(({ role, name }) => (rolesOf(than).includes(role) ? [name] : []));
  const others = new Set(all.filter((name) => name.trim() !== '' && name !== own));
  return [...others].toSorted((a, b) => sharedStart(b, own) - sharedStart(a, own));
}

function sharedStart(one: string, other: string): number {
  const differs = one.split('').findIndex((letter, at) => letter !== other[at]);
  return differs === -1 ? one.length : differs;
}

/** The other steps that can be made from one; none from a step that names nothing. */
export function othersThan(step: Intent): OtherThan[] {
  if (!isElementStep(step) || step.do === 'drag' || step.do === 'hover' || nameOf(step) === '') return [];
  return [1, 2].map((nth) => ({ do: 'other', than: step, nth }));
}

/** For example `on another link, the nearest in name`. */
export function otherText({ than, nth }: OtherThan): string {
  const what =
    'name' in than ? `on another ${than.role}` : than.do === 'fill' ? 'in another field' : 'with another option';
  return `${what}, the ${nth === 1 ? '' : 'second '}nearest in name`;
}
